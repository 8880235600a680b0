import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { newKey } from '../support/cloud/keys.ts';
import { newProject } from '../support/cloud/sites.ts';
import { testRows } from '../support/rows.ts';

const GENERATE = '/api/v1/generate';

const DEPLOY = '/api/v1/deploy';

const caller = () => newCaller();

const id = (headers: Record<string, unknown>) => String(headers['x-generation-id']);

describe('generate with deploy', () => {
  it('responds with the page, which is live, and with its token, once for an Idempotency-Key', async () => {
    const { post, send } = caller();
    const body = { prompt: 'a quiz', deploy: true };
    const key = { 'idempotency-key': newProject() };
    const { status, headers, json } = await post(GENERATE, body, key);
    expect(status).toBe(200);
    expect(json.deployment).toMatchObject({ fileCount: json.fileCount, entry: 'index.html' });
    const { id: deployment } = json.deployment;
    expect(json.deployment.url).toBe(`${cloud().baseUrl}/d/${deployment}`);
    expect((await send(`/d/${deployment}/`)).text).toContain('<title>');
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    expect((await send(`/api/v1/deployments/${deployment}`, { headers: token })).status).toBe(200);
    const again = await post(GENERATE, body, key);
    expect(again.json.deployment).toEqual(json.deployment);
    // Whoever has the id of the generation finds both again, also at the end of its events.
    const found = await send(`/api/v1/generations/${id(headers)}`);
    expect(found.json).toMatchObject({ status: 'succeeded', deployment: { id: deployment } });
    expect(found.headers['x-deployment-token']).toBe(token['x-deployment-token']);
    const accept = { accept: 'text/event-stream' };
    const { text } = await send(`/api/v1/generations/${id(headers)}`, { headers: accept });
    const { deployment: last } = JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? '{}');
    expect(last).toEqual(json.deployment);
  });
});

describe('deploy with generationId', () => {
  it('deploys the files of a generation, and again under the same key', async () => {
    const { post, send } = caller();
    const { headers } = await post(GENERATE, { prompt: 'a quiz' });
    const key = { 'idempotency-key': newProject() };
    const { status, json } = await post(DEPLOY, { generationId: id(headers) }, key);
    expect(status).toBe(201);
    expect((await send(`/d/${json.id}/`)).text).toContain('<title>');
    expect((await post(DEPLOY, { generationId: id(headers) }, key)).json).toEqual(json);
  });

  it('is a 404 for a generation of another caller', async () => {
    const { post } = caller();
    const key = { 'x-api-key': await newKey() };
    const { headers } = await post(GENERATE, { prompt: 'a quiz' }, key);
    expect((await post(DEPLOY, { generationId: id(headers) })).status).toBe(404);
    expect((await post(DEPLOY, { generationId: id(headers) }, { 'x-api-key': await newKey() })).status).toBe(404);
    expect((await post(DEPLOY, { generationId: id(headers) }, key)).status).toBe(201);
  });

  testRows(['nope', 'cooldowns#all', 'a'.repeat(21)])('is a 404 for other ids', async (generationId) =>
    expect((await caller().post(DEPLOY, { generationId })).status).toBe(404),
  );

  it('is a 409 for a generation that runs, and for a canceled one', async () => {
    const { post, send } = caller();
    const { headers } = await post(GENERATE, { prompt: 'a page', model: 'provider-b' }, { prefer: 'respond-async' });
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
