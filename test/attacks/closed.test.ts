/*
 * An attack that the limits do not stop goes on until the operator acts.
 *
 * Before: the operator had to deploy another configuration, or delete the stack: 5 to 10 minutes, in which a flood of generations at
 * the throttle of API Gateway costs what it costs.
 * Now: `npm run limits -- close generate` stops new generations within ten seconds, and `close all` everything that stores or costs;
 * reading, managing and visiting go on. A closed operation costs neither a count nor a body that is parsed.
 */
import { main as keysMain } from '../../cli/keys-command.ts';
import { main } from '../../cli/limits-command.ts';
import { newCaller } from '../integration/client.ts';
import { operate } from '../integration/keys.ts';
import { storedObjects } from '../integration/stored-objects.ts';
import { startVariant, type Variant } from '../integration/variant.ts';
import { runMain } from '../support/command.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const ASSETS = '/api/v1/assets/user-assets/';
const FILES = { files: [{ path: 'index.html', content: '<title>Open</title>' }] };
const PROMPT = { prompt: 'a timer' };

let running: Variant;
let key: Record<string, string>;
beforeAll(async () => {
  const rateLimit = { windowSeconds: 60, anonymous: 1_000, key: 1_000, reads: 10_000 };
  running = await startVariant({ RATE_LIMIT: rateLimit });
  const create = ['create', '--name', 'mine', '--scopes', 'assets:write'];
  key = { 'x-api-key': (await operate(keysMain, create, running.stateDir)).trim() };
});
afterAll(() => running.close());

const limits = (...args: string[]) => operate(main, args, running.stateDir);
const address = () => newCaller(running.baseUrl);

/** Sends a request until it has a status: every instance reads the state within ten seconds. */
async function until(status: number, send: () => ReturnType<ReturnType<typeof newCaller>['send']>) {
  for (;;) {
    const response = await send();
    if (response.status === status) return response;
    await new Promise((done) => setTimeout(done, 100));
  }
}

function expectClosed({ status, headers, json }: Awaited<ReturnType<typeof until>>, what: RegExp) {
  expect({ status, json }).toEqual({
    status: 503,
    json: { error: expect.stringMatching(what), retryAfter: 60 },
  });
  expect(headers).toMatchObject({ 'retry-after': '60', 'access-control-allow-origin': '*' });
}

it('close generate stops generations, for keys and agents as well, and nothing else', async () => {
  await limits('close', 'generate');
  expectClosed(await until(503, () => address().post(GENERATE, PROMPT)), /has closed generations for now/);
  // Neither parsed nor counted.
  const refused = await address().post(GENERATE, 'not JSON', key);
  expectClosed(refused, /closed generations/);
  expect(refused.headers['x-ratelimit-remaining']).toBeUndefined();
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'generate', arguments: PROMPT },
  };
  const { json } = await address().post('/mcp', call, { accept: 'application/json, text/event-stream' });
  expect(json.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('has closed generations') }],
  });
  const { status, json: deployed } = await address().post(DEPLOY, FILES);
  expect(status).toBe(201);
  expect((await address().send(`${new URL(deployed.url).pathname}/`)).status).toBe(200);
  await limits('open', 'generate');
  await until(200, () => address().post(GENERATE, PROMPT));
});

it('close deploy stops deploys of any size, and generations that are to be deployed', async () => {
  await limits('close', 'deploy');
  expectClosed(await until(503, () => address().post(DEPLOY, FILES)), /has closed deploys for now/);
  expectClosed(
    await until(503, () => address().post(`${DEPLOY}/staged`, FILES)),
    /has closed deploys for now/,
  );
  expect(await storedObjects('staged/refused', running)).toEqual([]);
  expectClosed(
    await until(503, () => address().post(GENERATE, { ...PROMPT, deploy: true })),
    /closed deploys/,
  );
  expect((await address().post(GENERATE, PROMPT)).status).toBe(200);
  await limits('open', 'deploy');
  await until(201, () => address().post(DEPLOY, FILES));
  await until(303, () => address().post(`${DEPLOY}/staged`, FILES));
});

it('close all also stops uploads; reading, managing and visiting go on', async () => {
  const { json: deployed } = await address().post(DEPLOY, FILES, key);
  const attributes = { type: 'image/png', size: 9 };
  const { json: asset } = await address().post(ASSETS, { attributes }, key);
  await limits('close', 'all');
  for (const [path, body] of [
    [GENERATE, PROMPT],
    [DEPLOY, FILES],
    [ASSETS, { attributes }],
  ] as const)
    expectClosed(await until(503, () => address().post(path, body, key)), /generations, deploys and uploads/);
  expect(await limits('show')).toMatch(/^all\tclosed\tuntil it is opened$/m);
  for (const path of ['/api/v1/deployments', '/api/v1/usage', `${ASSETS}${asset.asset_id}/`])
    expect((await address().send(path, { headers: key })).status).toBe(200);
  expect((await address().send(`${new URL(deployed.url).pathname}/`)).status).toBe(200);
  const path = `/api/v1/deployments/${deployed.id}`;
  expect((await address().send(path, { method: 'DELETE', headers: key })).status).toBe(200);
  expect(
    (await address().send(`${ASSETS}${asset.asset_id}/`, { method: 'DELETE', headers: key })).status,
  ).toBe(204);
  await limits('open', 'all');
  await until(201, () => address().post(ASSETS, { attributes }, key));
  expect(await limits('show')).not.toContain('closed');
});

it('show has every limit with its origin, and other words are mistakes', async () => {
  const shown = await limits('show');
  expect(shown).toMatch(/^rateLimit\.reads\t600\tdefault\treads of a caller$/m);
  expect(shown).toMatch(/^API Gateway: body\t10,485,760\tAWS quota\t/m);
  expect(shown).toMatch(/^bytes\/anonymous\t[\d,]+\t20,000,000,000$/m);
  const { code, stderr } = await runMain(main, ['close', 'everything'], { STATE_DIR: running.stateDir });
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected generate, deploy or all')]);
});
