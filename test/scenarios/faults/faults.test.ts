import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackendProcess } from '../../../local/backend-process.ts';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { until } from '../../support/cloud/events.ts';
import { type Edit, NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import type { Served } from '../../support/serve.ts';
import { type Step, startVendor, type Vendor } from '../../support/vendors/index.ts';

/**
 * Faults that no other test has; a table in docs/operating.md lists them all. `test/soak/faults.test.ts` measures how fast the
 * service recovers, since other tests run beside this one.
 */
const WORKS: Step[] = [
  { text: '<file path="index.html">\n<p>Hello</p>\n</file>\n<done/>\n' },
  { finish: 'complete' },
];
const THROTTLED = { status: 400, body: '{"__type":"ThrottlingException","message":"Rate exceeded"}' };
const S3_DELAY_MS = 1_000;

let stepFunctions: Served;
let refusing = false;
let refusals = 0;
/** Fails every other request while `flapping`. */
let vendor: Vendor;
let flapping = false;
let variant: Variant;

beforeAll(async () => {
  stepFunctions = await startFaultProxy(controlEndpoint, async () => {
    if (!refusing) return undefined;
    refusals++;
    return THROTTLED;
  });
  vendor = await startVendor('openai-compatible', (number) =>
    flapping && number % 2 === 1 ? [{ status: 500 }] : WORKS,
  );
  const edit: Edit = (properties, type, id) => {
    if (type !== 'AWS::Lambda::Function') return;
    const { Variables } = (properties.Environment ?? {}) as { Variables?: Record<string, string> };
    if (Variables) Variables.AWS_ENDPOINT_URL_SFN = stepFunctions.url;
    if (/^UsageApi[0-9A-F]{8}$/.test(id)) properties.ReservedConcurrentExecutions = 0;
  };
  const model = { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl };
  const PROVIDERS = { 'provider-a': model, 'provider-b': { kind: 'blueprint' } };
  // A slot that is not given back ends the generations of an address.
  const RUNNING = { anonymous: 1, key: 1, service: 100 };
  variant = await startVariant({ ...NO_RATE_LIMIT, PROVIDERS, RUNNING }, {}, edit);
});
afterAll(async () => {
  await variant?.close();
  await vendor?.close();
  stepFunctions?.close();
});

function controlEndpoint(): string {
  const file = readFileSync(join(variant.stateDir, 'operator.json'), 'utf8');
  return (JSON.parse(file) as OperatorFile).controlEndpoint;
}

const prompt = { prompt: 'a timer' };
const generate = (body: object = prompt) => newCaller(variant.baseUrl).post('/api/v1/generate', body);

it('a generation that Step Functions refuses to start is a 503, keeps no slot, and runs when it is repeated', async () => {
  const caller = newCaller(variant.baseUrl);
  const send = () =>
    caller.send('/api/v1/generate', { method: 'POST', body: prompt, headers: { 'idempotency-key': 'one' } });
  refusing = true;
  const refused = await send();
  refusing = false;
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
  });
  expect(refusals).toBeGreaterThan(1);
  expect(await send()).toMatchObject({ status: 200, json: { files: [{ path: 'index.html' }] } });
});

it('a provider that fails every other time costs callers one attempt, and comes first again when it works', async () => {
  flapping = true;
  for (let n = 0; n < 6; n++) {
    const { status, headers } = await generate();
    expect(status).toBe(200);
    const path = `/api/v1/generations/${headers['x-generation-id']}`;
    const { attempts } = (await newCaller(variant.baseUrl).send(path)).json;
    expect(attempts.length).toBeLessThanOrEqual(2);
  }
  flapping = false;
  expect((await generate({ ...prompt, model: 'provider-a' })).json.model).toBe('provider-a/m');
  expect((await generate()).json.model).toBe('provider-a/m');
});

it('a function without concurrency refuses its requests, and no others', async () => {
  expect(await newCaller(variant.baseUrl).send('/api/v1/usage')).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
    json: { error: expect.any(String) },
  });
  expect((await generate()).status).toBe(200);
});

it('while S3 takes a second for each call, deploys and generations succeed; pages that no edge has are a 503 until then', async () => {
  const { baseUrl, backendPort, stateDir } = variant;
  const caller = newCaller(baseUrl);
  const files = [{ path: 'index.html', content: '<title>Slow</title>' }];
  await variant.killBackend();
  const moved = { port: 0, configFile: '', stateDir, backendPort: await freePort() };
  const region = process.env.AWS_REGION ?? 'us-east-1';
  const backend = await BackendProcess.start(moved, region, () => {});
  let slow = true;
  const proxy = await startFaultProxy(
    () => `http://127.0.0.1:${moved.backendPort}`,
    async ({ headers }) => {
      // Requests of DynamoDB name their operation.
      if (slow && headers['x-amz-target'] === undefined) await sleep(S3_DELAY_MS);
      return undefined;
    },
    backendPort,
  );
  try {
    const deployed = await caller.post('/api/v1/deploy', { files });
    expect(deployed.status).toBe(201);
    const page = () => caller.send(`/d/${deployed.json.id}/`);
    // Visits do not wait: the edge has a copy of most pages.
    expect((await page()).status).toBe(503);
    expect((await generate()).status).toBe(200);
    slow = false;
    await until(async () => (await page()).text.includes('<title>Slow</title>'));
    expect((await caller.post('/api/v1/deploy', { files })).status).toBe(201);
  } finally {
    proxy.close();
    await backend.stop();
  }
});
