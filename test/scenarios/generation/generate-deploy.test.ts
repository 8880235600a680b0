import { setTimeout as sleep } from 'node:timers/promises';
import { main as keysMain } from '../../../cli/keys.ts';
import { main as takedownMain } from '../../../cli/takedown.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import type { Script } from '../../support/vendors/index.ts';
import { oneModel } from '../clouds.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const PAGE =
  '<!doctype html>\n<title>Shop</title>\n<link rel="stylesheet" href="style.css">\n<img src="/logo.svg" alt="">\n<a href="https://example.com/">Elsewhere</a>\n';

/** Answers by the prompt, which is in the request. */
const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  if (asked.includes('300 broken references')) {
    const images = Array.from({ length: 300 }, (_, i) => `<img src="${i}.png">`).join('\n');
    const page = `<title>Broken</title>\n<base href="${'a'.repeat(8_000)}/">\n${images}`;
    return [{ text: `<file path="index.html">\n${page}\n</file>\n<done/>\n` }, { finish: 'complete' }];
  }
  const files = `<file path="index.html">\n${PAGE}</file>\n<file path="style.css">\nh1 { color: red; }\n</file>\n<file path="logo.svg">\n<svg xmlns="http://www.w3.org/2000/svg"/>\n</file>\n`;
  if (asked.includes('a hidden page'))
    return [
      {
        text: '<file path="index.html">\n<title>Hidden</title>\n</file>\n<file path="404.html">\nGone\n</file>\n',
      },
      { text: '<file path="_redirects">\n/* /404.html 404!\n</file>\n<done/>\n' },
      { finish: 'complete' },
    ];
  if (asked.includes('a cut-off page')) return [{ text: files }, { finish: 'length' }];
  return [{ text: `${files}<done/>\n` }, { finish: 'complete' }];
};

const running = await oneModel();
const { vendor } = running;
beforeAll(() => running.answerWith(script));

const newKey = async () => (await operate(keysMain, ['create', '--name', 'test'], running.stateDir)).trimEnd();

const project = () => crypto.randomUUID();
const caller = () => newCaller(running.baseUrl);
const id = (headers: Record<string, unknown>) => String(headers['x-generation-id']);

describe('generate with deploy', () => {
  it('says when an anonymous page expires, and where it is claimed', async () => {
    const { post, send } = caller();
    const { headers, json } = await post(GENERATE, { prompt: 'a shop', deploy: true });
    const { id: deployment, expiresAt } = json.deployment;
    expect(expiresAt).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    const claim = `${running.baseUrl}/api/v1/deployments/${deployment}/claim`;
    const said = { 'x-deployment-expires': String(expiresAt), link: `<${claim}>; rel="claim"` };
    expect(headers).toMatchObject(said);
    expect((await send(`/api/v1/generations/${id(headers)}`)).headers).toMatchObject(said);
    const accept = { accept: 'text/event-stream' };
    const { text } = await send(`/api/v1/generations/${id(headers)}`, { headers: accept });
    expect(JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? '{}').deployment).toEqual(json.deployment);

    const owned = await post(GENERATE, { prompt: 'a shop', deploy: true }, { 'x-api-key': await newKey() });
    expect(owned.json.deployment).not.toHaveProperty('expiresAt');
    for (const name of Object.keys(said)) expect(owned.headers).not.toHaveProperty(name);
  });

  it('rejects the token of another deployment before it generates', async () => {
    const token = { 'x-deployment-token': `ptd_${'a'.repeat(43)}` };
    const body = { prompt: 'a shop', deploy: { projectId: project() } };
    const asked = vendor.requests.length;
    expect((await caller().post(GENERATE, body, token)).status).toBe(403);
    expect(vendor.requests.length).toBe(asked);
  });

  it('does not overwrite a version that the caller has not seen', async () => {
    const { post } = caller();
    const deploy = { projectId: project() };
    await post(GENERATE, { prompt: 'a shop', deploy });
    const { json } = await post(GENERATE, { prompt: 'a shop', deploy }, { 'if-match': '"other"' });
    expect(json).toMatchObject({ fileCount: 3, deploymentError: { status: 412 } });
  });

  it('bounds the problems of a page with 300 broken references of 8 KB', async () => {
    const { send, post } = caller();
    const { json, headers } = await post(GENERATE, { prompt: '300 broken references', deploy: true });
    expect(json.deployment.title).toBe('Broken');
    const { status, problems } = (await send(`/api/v1/generations/${id(headers)}`)).json;
    expect(status).toBe('succeeded');
    // How many are visited depends on how fast that is.
    expect(problems.length).toBeLessThanOrEqual(41);
    expect(problems.at(-1)).toMatch(/^and \d+ more$/);
    for (const problem of problems) expect(problem.length).toBeLessThan(302);
  });

  it('does not call a page deployed that does not load, and gives its token', async () => {
    const { send, post } = caller();
    const { json, headers } = await post(GENERATE, { prompt: 'a hidden page', deploy: true });
    expect(json).not.toHaveProperty('deployment');
    expect(json.deploymentError).toEqual({
      status: 502,
      error: expect.stringMatching(/^The project is deployed at http.*, but the page responds with 404$/),
    });
    const [, deployment] = /\/d\/(\w+)/.exec(json.deploymentError.error) ?? [];
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    expect((await send(`/api/v1/deployments/${deployment}`, { headers: token })).status).toBe(200);
  });

  it('keeps an incomplete project and says why it is not deployed', async () => {
    const { send, post } = caller();
    const { json, headers } = await post(GENERATE, { prompt: 'a cut-off page', deploy: true });
    expect(headers['x-generation-status']).toBe('incomplete');
    expect(json).toMatchObject({ fileCount: 3, deploymentError: { status: 409 } });
    expect((await send(`/api/v1/generations/${id(headers)}`)).json.deploymentError).toEqual(json.deploymentError);
    expect((await post(DEPLOY, { generationId: id(headers) })).status).toBe(201);
  });

  it('keeps the project if its deployment was taken down, and it can be deployed elsewhere', async () => {
    const { post } = caller();
    const projectId = project();
    const first = await post(GENERATE, { prompt: 'a shop', deploy: { projectId } });
    await operate(takedownMain, [first.json.deployment.id, '--yes'], running.stateDir);
    const { json, headers } = await post(GENERATE, { prompt: 'a shop', deploy: { projectId } });
    expect(json).toMatchObject({ fileCount: 3, deploymentError: { status: 451 } });
    expect((await post(DEPLOY, { generationId: id(headers) })).json).toMatchObject({ fileCount: 3 });
  });

  it('counts no view of its own visits', async () => {
    const { post, send } = caller();
    const { json, headers } = await post(GENERATE, { prompt: 'a shop', deploy: true });
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    const views = await send(`/api/v1/deployments/${json.deployment.id}/views`, { headers: token });
    expect(views.json.totals).toEqual({ views: 0, visitors: 0, bots: 0 });
  });

  it('survives the death of its function', async () => {
    const { post, send } = caller();
    const release = running.throttle('Generated');
    await running.crash('Generated');
    const accepted = await post(GENERATE, { prompt: 'a shop', deploy: true }, { prefer: 'respond-async' });
    const statusNow = async () => (await send(`/api/v1/generations/${id(accepted.headers)}`)).json.status;
    while ((await statusNow()) !== 'deploying');
    release();
    while ((await running.crash('Generated')) === 0) await sleep(20);
    const { json } = await send(`/api/v1/generations/${id(accepted.headers)}/result`);
    expect((await send(new URL(json.deployment.url).pathname.concat('/'))).status).toBe(200);
  });
});
