/**
 * Pinned functions: each wait for a generation holds one invocation of the API for up to 15 minutes.
 *
 * Before: all functions shared the account's quota. 1,000 waits, which one address could open at no cost, used all of a usual
 * account's: pages, deploys and every other operation failed until they ended. Kept up for a day, they cost
 * 1,000 invocations * 0.5 GB * 86,400 s * $0.0000133334 per GB-s (arm64) = $576.
 * Now: they can hold the 250 of `generationApi`, so 0.25 * $576 = $144 a day before the limits of waits and of running generations,
 * and every other function keeps its own share.
 */
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { type Edit, NO_RATE_LIMIT, startVariant, type Variant } from '../support/cloud/variant.ts';

const SHARE = 6;
const FLOOD = 30;

/** Without reservations, as in an account with a small quota. */
const unreserved: Edit = (properties, type) => {
  if (type === 'AWS::Lambda::Function') delete properties.ReservedConcurrentExecutions;
};

/** With a small share for the function that waits, so that a small flood fills it. */
const smallShare: Edit = (properties, _, id) => {
  if (/^GenerationApi[0-9A-F]{8}$/.test(id)) properties.ReservedConcurrentExecutions = SHARE;
};

const newCallerOf = ({ baseUrl }: Variant) => newCaller(baseUrl);

const deploy = (variant: Variant) =>
  newCallerOf(variant).post('/api/v1/deploy', {
    files: [{ path: 'index.html', content: '<title>Hi</title>' }],
  });

/** Opens waits for generations that never end, each from its own address. They fail when the cloud is closed. */
function flood(variant: Variant): Promise<TestResponse | undefined>[] {
  return Array.from({ length: FLOOD }, () =>
    newCallerOf(variant)
      .post('/api/v1/generate', { prompt: 'a page', model: 'provider-b' })
      .catch(() => undefined),
  );
}

/** Waits until responses to the flood show that there is no concurrency left. */
function refused(waits: readonly Promise<TestResponse | undefined>[], atLeast: number): Promise<TestResponse[]> {
  const responses: TestResponse[] = [];
  return new Promise((resolve) => {
    for (const wait of waits)
      void wait.then((response) => {
        if (response) responses.push(response);
        if (responses.length >= atLeast) resolve(responses);
      });
  });
}

describe('waits that fill a quota without reservations', () => {
  let variant: Variant;
  beforeAll(async () => {
    variant = await startVariant(NO_RATE_LIMIT, { concurrentExecutions: 10 }, unreserved);
  });
  afterAll(() => variant.close());

  it('take everything down: this is what a new account has until its quota is raised', async () => {
    await refused(flood(variant), FLOOD - 10);
    const { status, headers, json } = await deploy(variant);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(json).toEqual({ error: expect.stringMatching(/try again in a few seconds/), retryAfter: 2 });
  });
});

describe('waits that fill the share of one function', () => {
  let variant: Variant;
  beforeAll(async () => {
    const DEADLINES = { providerTimeoutSeconds: 250, firstTokenSeconds: 200, stallSeconds: 200 };
    variant = await startVariant({ ...NO_RATE_LIMIT, DEADLINES }, {}, smallShare);
  });
  afterAll(() => variant.close());

  it('leave the requests of all other functions served', async () => {
    const before = await deploy(variant);
    expect(before.status).toBe(201);
    const responses = await refused(flood(variant), FLOOD - SHARE);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    for (const { headers } of responses) expect(headers).toMatchObject({ 'retry-after': '2' });

    const caller = newCallerOf(variant);
    expect((await deploy(variant)).status).toBe(201);
    expect((await caller.send(new URL(`${before.json.url}/`).pathname)).status).toBe(200);
    expect((await caller.send(`/d/${before.json.id}.zip`)).status).toBe(200);
    expect((await caller.send('/api/v1/nothing')).status).toBe(404);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const agent = await caller.post('/mcp', ping, { accept: 'application/json, text/event-stream' });
    expect(agent.status).toBe(200);
    // It is still full.
    const { status } = await caller.post('/api/v1/generate', { prompt: 'a page', model: 'provider-b' });
    expect(status).toBe(503);
  });
});
