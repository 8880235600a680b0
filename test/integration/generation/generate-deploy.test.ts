import { main as keysMain } from '../../../cli/keys.ts';
import { main as takedownMain } from '../../../cli/takedown.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { type Script, startVendor, type Vendor } from '../../support/vendors/index.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const PAGE =
  '<!doctype html>\n<title>Shop</title>\n<link rel="stylesheet" href="style.css">\n<img src="/logo.svg" alt="">\n<a href="https://example.com/">Elsewhere</a>\n';

/** Answers by the prompt, which is in the request. */
const script: Script = (_, { body }) => {
  const asked = JSON.stringify(body);
  if (asked.includes('a broken page'))
    return [
      {
        text: '<file path="index.html">\n<title>Broken</title>\n<script src="gone.js"></script>\n</file>\n<done/>\n',
      },
      { finish: 'complete' },
    ];
  if (asked.includes('300 broken references')) {
    const images = Array.from({ length: 300 }, (_, i) => `<img src="${i}.png">`).join('\n');
    const page = `<title>Broken</title>\n<base href="${'a'.repeat(8_000)}/">\n${images}`;
    return [{ text: `<file path="index.html">\n${page}\n</file>\n<done/>\n` }, { finish: 'complete' }];
  }
  const files = `<file path="index.html">\n${PAGE}</file>\n<file path="style.css">\nh1 { color: red; }\n</file>\n<file path="logo.svg">\n<svg xmlns="http://www.w3.org/2000/svg"/>\n</file>\n`;
  if (asked.includes('a slow page')) return ['hang'];
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

let vendor: Vendor;
let running: Variant;
beforeAll(async () => {
  vendor = await startVendor('openai-compatible', script);
  const variables = {
    ...NO_RATE_LIMIT,
    PROVIDERS: { 'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl } },
  };
  running = await startVariant(variables, {
    invalidationSeconds: { effect: [0.1, 0.3], completion: [0.3, 0.5] },
  });
});
afterAll(async () => {
  await running?.close();
  await vendor?.close();
});

const newKey = async () =>
  (await operate(keysMain, ['create', '--name', 'test'], running.stateDir)).trimEnd();

const project = () => crypto.randomUUID();
const caller = () => newCaller(running.baseUrl);
const id = (headers: Record<string, unknown>) => String(headers['x-generation-id']);

describe('generate with deploy', () => {
  it('responds with the page, which is live, and with its token', async () => {
    const { post, send } = caller();
    const { status, headers, json } = await post(GENERATE, { prompt: 'a shop', deploy: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      fileCount: 3,
      deployment: { title: 'Shop', entry: 'index.html', fileCount: 3 },
    });
    expect(json).not.toHaveProperty('deploymentError');
    const { id: deployment, url } = json.deployment;
    expect(url).toBe(`${running.baseUrl}/d/${deployment}`);
    expect((await send(`/d/${deployment}/style.css`)).status).toBe(200);
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    expect((await send(`/api/v1/deployments/${deployment}`, { headers: token })).status).toBe(200);
    // Whoever has the id of the generation finds both again.
    const again = await send(`/api/v1/generations/${id(headers)}`);
    expect(again.json).toMatchObject({ status: 'succeeded', deployment: { id: deployment } });
    expect(again.headers['x-deployment-token']).toBe(token['x-deployment-token']);
  });

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

  it('leaves the body of a request without deploy as the contract has it', async () => {
    const { json, headers } = await caller().post(GENERATE, { prompt: 'a shop' });
    expect(Object.keys(json)).toEqual(['files', 'tokensUsed', 'duration', 'model', 'fileCount', 'prompt']);
    expect(headers).not.toHaveProperty('x-deployment-token');
  });

  it('redeploys a project at its URL for the holder of its token, and for no other after that', async () => {
    const { post } = caller();
    const projectId = project();
    const first = await post(GENERATE, { prompt: 'a shop', deploy: { projectId } });
    const token = { 'x-deployment-token': String(first.headers['x-deployment-token']) };
    const second = await post(GENERATE, { prompt: 'a shop', deploy: { projectId } }, token);
    expect(second.json.deployment).toMatchObject({ id: first.json.deployment.id });
    expect(second.headers['x-deployment-token']).toBe(token['x-deployment-token']);
    const stranger = await caller().post(GENERATE, { prompt: 'a shop', deploy: { projectId } });
    expect(stranger.json).toMatchObject({ fileCount: 3, deploymentError: { status: 401 } });
    expect(stranger.json).not.toHaveProperty('deployment');
    expect(stranger.headers).not.toHaveProperty('x-deployment-token');
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

  it('deploys once for one idempotency key', async () => {
    const { post, send } = caller();
    const key = { 'x-api-key': await newKey() };
    const body = { prompt: 'a shop', deploy: { projectId: project() } };
    const headers = { ...key, 'idempotency-key': project() };
    const [a, b] = await Promise.all([post(GENERATE, body, headers), post(GENERATE, body, headers)]);
    expect(b.json).toEqual(a.json);
    const { json } = await send(`/api/v1/deployments/${a.json.deployment.id}`, { headers: key });
    expect(json.versions).toHaveLength(1);
  });

  it('shows the deployment at the end of the events', async () => {
    const headers = { accept: 'text/event-stream' };
    const { text } = await caller().post(GENERATE, { prompt: 'a shop', deploy: true }, headers);
    const done = JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? '{}');
    expect(done.deployment.url).toMatch(`${running.baseUrl}/d/`);
  });

  it('reports references that visitors cannot load', async () => {
    const { send, post } = caller();
    const { json, headers } = await post(GENERATE, { prompt: 'a broken page', deploy: true });
    expect(json.deployment.title).toBe('Broken');
    const { problems } = (await send(`/api/v1/generations/${id(headers)}`)).json;
    expect(problems).toContainEqual(
      expect.stringMatching(/\/gone\.js: the page refers to it, and it responds with 404$/),
    );
  });

  it('bounds the problems of a page with 300 broken references of 8 KB', async () => {
    const { send, post } = caller();
    const { json, headers } = await post(GENERATE, { prompt: '300 broken references', deploy: true });
    expect(json.deployment.title).toBe('Broken');
    const { status, problems } = (await send(`/api/v1/generations/${id(headers)}`)).json;
    expect(status).toBe('succeeded');
    expect(problems).toHaveLength(41);
    expect(problems.at(-1)).toBe('and 260 more');
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
    expect((await send(`/api/v1/generations/${id(headers)}`)).json.deploymentError).toEqual(
      json.deploymentError,
    );
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

  it('survives the death of its function', async () => {
    const { post, send } = caller();
    // A cold start makes the deploy take long enough.
    await running.crash('Generated');
    const accepted = await post(GENERATE, { prompt: 'a shop', deploy: true }, { prefer: 'respond-async' });
    const statusNow = async () => (await send(`/api/v1/generations/${id(accepted.headers)}`)).json.status;
    let status = '';
    while (!['deploying', 'succeeded'].includes(status)) status = await statusNow();
    expect(status).toBe('deploying');
    await running.crash('Generated');
    const { json } = await send(`/api/v1/generations/${id(accepted.headers)}/result`);
    expect((await send(new URL(json.deployment.url).pathname.concat('/'))).status).toBe(200);
  });
});

describe('deploy with generationId', () => {
  it('deploys the files of a generation, and again under the same key', async () => {
    const { post, send } = caller();
    const { headers } = await post(GENERATE, { prompt: 'a shop' });
    const key = { 'idempotency-key': project() };
    const { status, json } = await post(DEPLOY, { generationId: id(headers) }, key);
    expect(status).toBe(201);
    expect((await send(`/d/${json.id}/`)).text).toContain('<title>Shop</title>');
    expect((await post(DEPLOY, { generationId: id(headers) }, key)).json).toEqual(json);
  });

  it('is a 404 for a generation of another caller', async () => {
    const { post } = caller();
    const key = { 'x-api-key': await newKey() };
    const { headers } = await post(GENERATE, { prompt: 'a shop' }, key);
    expect((await post(DEPLOY, { generationId: id(headers) })).status).toBe(404);
    expect((await post(DEPLOY, { generationId: id(headers) }, { 'x-api-key': await newKey() })).status).toBe(
      404,
    );
    expect((await post(DEPLOY, { generationId: id(headers) }, key)).status).toBe(201);
  });

  it.each(['nope', 'cooldowns#all', 'a'.repeat(21)])('is a 404 for the id %s', async (generationId) =>
    expect((await caller().post(DEPLOY, { generationId })).status).toBe(404),
  );

  it('is a 409 for a generation that runs, and for a canceled one', async () => {
    const { post, send } = caller();
    const { headers } = await post(GENERATE, { prompt: 'a slow page' }, { prefer: 'respond-async' });
    const deploy = () => post(DEPLOY, { generationId: id(headers) });
    expect(await deploy()).toMatchObject({
      status: 409,
      json: { error: expect.stringMatching('not ended') },
    });
    expect((await send(`/api/v1/generations/${id(headers)}`, { method: 'DELETE' })).status).toBe(200);
    expect(await deploy()).toMatchObject({
      status: 409,
      json: { error: expect.stringMatching('no project') },
    });
  });
});
