/*
 * An attack that the limits do not stop goes on until the operator acts.
 *
 * Before: the operator had to deploy another configuration, or delete the stack: 5 to 10 minutes, in which a flood of generations at
 * the throttle of API Gateway costs what it costs.
 * Now: `npm run limits -- close generate` stops new generations within ten seconds, and `close all` everything that stores or costs;
 * reading, managing and visiting go on. A closed operation costs neither a count nor a body that is parsed.
 */
import { main as keysMain } from '../../cli/keys.ts';
import { main } from '../../cli/limits.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { newCaller } from '../support/cloud/client.ts';
import { operate } from '../support/cloud/keys.ts';
import { storedObjects } from '../support/cloud/stored-objects.ts';
import { startVariant } from '../support/cloud/variant.ts';
import { runMain } from '../support/command.ts';

const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const ASSETS = '/api/v1/assets/user-assets/';
const FILES = { files: [{ path: 'index.html', content: '<title>Open</title>' }] };
const PROMPT = { prompt: 'a timer' };

const rateLimit = { windowSeconds: 60, anonymous: 1_000, key: 1_000, reads: 10_000 };
const running = closeAtEnd(await startVariant({ RATE_LIMIT: rateLimit }));
const create = ['create', '--name', 'mine', '--scopes', 'assets:write'];
const key = { 'x-api-key': (await operate(keysMain, create, running.stateDir)).trim() };

const limits = (...args: string[]) => operate(main, args, running.stateDir);
const address = () => newCaller(running.baseUrl);

type Response = Awaited<ReturnType<ReturnType<typeof newCaller>['send']>>;

/** As `limits`, seen at once: instances that are new read the state with their first request. */
async function limitsAtOnce(...args: string[]) {
  await limits(...args);
  for (const name of ['GenerationApi', 'DeploymentsApi', 'Authorizer', 'AssetsApi']) await running.crash(name);
}

/** Sends a request until its response is as expected: every instance reads the state within ten seconds. */
async function until(isExpected: (response: Response) => boolean, send: () => Promise<Response>) {
  for (;;) {
    const response = await send();
    if (isExpected(response)) return response;
    await new Promise((done) => setTimeout(done, 100));
  }
}

const untilStatus = (expected: number, send: () => Promise<Response>) =>
  until(({ status }) => status === expected, send);

/** Sends a request until it is refused with a text. */
async function untilClosed(text: string, send: () => Promise<Response>): Promise<Response> {
  const refused = await until(({ status, json }) => status === 503 && json.error.includes(text), send);
  expect(refused.json).toEqual({ error: expect.any(String), retryAfter: 600 });
  expect(refused.headers).toMatchObject({ 'retry-after': '600', 'access-control-allow-origin': '*' });
  return refused;
}

it('close generate stops generations, for keys and agents as well, and nothing else', async () => {
  await limits('close', 'generate');
  await untilClosed('has closed generations for now', () => address().post(GENERATE, PROMPT));
  // Neither parsed nor counted.
  const refused = await untilClosed('closed generations', () => address().post(GENERATE, 'not JSON', key));
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
  await untilStatus(200, () => address().post(GENERATE, PROMPT));
});

it('close deploy stops deploys of any size, and generations that are to be deployed', async () => {
  await limitsAtOnce('close', 'deploy');
  await untilClosed('has closed deploys for now', () => address().post(DEPLOY, FILES));
  await untilClosed('has closed deploys for now', () => address().post(`${DEPLOY}/staged`, FILES));
  expect(await storedObjects('staged/refused', running)).toEqual([]);
  await untilClosed('has closed deploys', () => address().post(GENERATE, { ...PROMPT, deploy: true }));
  await untilStatus(200, () => address().post(GENERATE, PROMPT));
  await limitsAtOnce('open', 'deploy');
  await untilStatus(201, () => address().post(DEPLOY, FILES));
  await untilStatus(303, () => address().post(`${DEPLOY}/staged`, FILES));
});

it('close all also stops uploads; reading, managing and visiting go on', async () => {
  const { json: deployed } = await address().post(DEPLOY, FILES, key);
  const attributes = { type: 'image/png', size: 9 };
  const { json: asset } = await address().post(ASSETS, { attributes }, key);
  await limitsAtOnce('close', 'all');
  for (const [path, body] of [
    [GENERATE, PROMPT],
    [DEPLOY, FILES],
    [ASSETS, { attributes }],
  ] as const)
    await untilClosed('generations, deploys and uploads', () => address().post(path, body, key));
  expect(await limits('show')).toMatch(/^all\tclosed\tuntil it is opened$/m);
  for (const path of ['/api/v1/deployments', '/api/v1/usage', `${ASSETS}${asset.asset_id}/`])
    expect((await address().send(path, { headers: key })).status).toBe(200);
  expect((await address().send(`${new URL(deployed.url).pathname}/`)).status).toBe(200);
  const path = `/api/v1/deployments/${deployed.id}`;
  expect((await address().send(path, { method: 'DELETE', headers: key })).status).toBe(200);
  expect((await address().send(`${ASSETS}${asset.asset_id}/`, { method: 'DELETE', headers: key })).status).toBe(204);
  await limitsAtOnce('open', 'all');
  await untilStatus(201, () => address().post(ASSETS, { attributes }, key));
  expect(await limits('show')).not.toContain('closed');
});

it('show has every limit with its origin, and other words are mistakes', async () => {
  const shown = await limits('show');
  expect(shown).toMatch(/^rateLimit\.reads\t600\tdefault\treads of a caller$/m);
  expect(shown).toMatch(/^API Gateway: body\t10,485,760\tAWS quota\t/m);
  expect(shown).toMatch(/^bytes\/anonymous\t[\d,]+\t20,000,000,000$/m);
  const { code, stderr } = await runMain(main, ['close', 'everything'], { STATE_DIR: running.stateDir });
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected generate, deploy, data or all')]);
});
