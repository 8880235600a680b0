import { ApiError, Client } from '../../../client/client.ts';
import { cut, failure, json, type Reply, reset, startService } from './scripted-service.ts';

const USAGE = { from: '2026-11-01', to: '2026-11-01', totals: {}, days: [] };

describe('a failure that may pass', () => {
  const failures: [name: string, reply: Reply][] = [
    ...[429, 500, 502, 503, 504, 599].map((status): [string, Reply] => [`a ${status}`, json(status)]),
    ['a reset connection', reset],
    ['a connection that closes within the response', cut],
    ['JSON that ends too early', (response) => response.setHeader('content-type', 'application/json').end('{"a')],
  ];

  it.each(failures)('is retried after 1, 2 and 4 s, and thrown after 3 retries: %s', async (_, reply) => {
    const first = json(500, { error: 'first' });
    const { client, waits, received } = await startService([first, reply, reply, json(200, USAGE), first, reply]);
    expect(await client.usage()).toEqual(USAGE);
    const error = await failure(client.usage());
    expect(error).toBeInstanceOf(ApiError);
    expect([error.attempts, error.message]).toEqual([4, expect.not.stringMatching('first')]);
    expect(waits).toEqual([1, 2, 4, 1, 2, 4]);
    expect(received).toHaveLength(8);
  });

  it('is announced before the wait for its retry, and not when it is thrown', async () => {
    const told: unknown[] = [];
    const onRetry = ({ status, attempts }: ApiError, waitMs: number) => told.push([status, attempts, waitMs]);
    const replies = [json(429, {}, { 'retry-after': '17' }), json(503), json(404)];
    const { client } = await startService(replies, { onRetry });
    await failure(client.usage());
    expect(told).toEqual([
      [429, 1, 17_000],
      [503, 2, 2_000],
    ]);
  });

  it('is a connection that is refused, too', async () => {
    const { client, waits, close } = await startService([json(200)]);
    close();
    const error = await failure(client.usage());
    expect(error).toMatchObject({
      status: 0,
      code: 'network',
      body: undefined,
      cause: expect.objectContaining({ name: 'TypeError' }),
    });
    expect(error.message).toMatch(/^No complete response from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
    expect(waits).toEqual([1, 2, 4]);
  });

  it.each([429, 503])('of status %d waits for the seconds of Retry-After instead', async (status) => {
    const slow = (seconds: string) => json(status, {}, { 'retry-after': seconds });
    const { client, waits } = await startService([slow('17'), slow('0'), json(500), json(200, USAGE)]);
    await client.usage();
    expect(waits).toEqual([17, 0, 4]);
  });

  it('is thrown at once if Retry-After is longer than five minutes, as until midnight', async () => {
    const { client, waits } = await startService([json(503, {}, { 'retry-after': '301' })]);
    expect(await failure(client.usage())).toMatchObject({ status: 503, retryAfter: 301, attempts: 1 });
    expect(waits).toEqual([]);
  });

  it('waits as if Retry-After were absent if that is no number of seconds', async () => {
    const date = json(503, {}, { 'retry-after': 'Fri, 31 Dec 2027 23:59:59 GMT' });
    const { client, waits } = await startService([date, json(200, USAGE)]);
    await client.usage();
    expect(waits).toEqual([1]);
  });

  it('is retried for every method, with the same request', async () => {
    const { client, received } = await startService([json(503), json(200)]);
    await client.deployments.rollback('a', { version: 'b', token: 't', ifMatch: 'c' });
    await client.deployments.delete('a');
    const [first, second, third] = received;
    expect({ ...second?.headers, body: second?.json }).toEqual({ ...first?.headers, body: { version: 'b' } });
    expect(first?.headers).toMatchObject({ 'x-deployment-token': 't', 'if-match': '"c"' });
    expect(third).toMatchObject({ method: 'DELETE', path: '/api/v1/deployments/a' });
  });
});

it.each([400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 451])('does not retry a %d', async (status) => {
  const { client, received, waits } = await startService([json(status, { error: 'No' })]);
  expect(await failure(client.deployments.get('a'))).toMatchObject({ status, message: 'No', attempts: 1 });
  expect([received.length, waits]).toEqual([1, []]);
});

it.each([
  ['generate', (client: Client, key?: string) => client.generate({ prompt: 'a' }, key ? { idempotencyKey: key } : {})],
  ['deploy', (client: Client, key?: string) => client.deploy({ files: [] }, key ? { idempotencyKey: key } : {})],
])('repeats the Idempotency-Key of %s, which is new for each call', async (_, call) => {
  const { client, received } = await startService([json(500), json(500), json(400)]);
  await failure(call(client));
  await failure(call(client));
  await failure(call(client, 'mine'));
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], 'mine']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[3]).not.toBe(keys[0]);
});

describe('an aborted signal', () => {
  const reason = new Error('Enough');

  it('ends a request with its reason, without a retry', async () => {
    const controller = new AbortController();
    const { client, received } = await startService([() => controller.abort(reason)]);
    expect(await failure(client.usage({ signal: controller.signal }))).toBe(reason);
    expect(received).toHaveLength(1);
  });

  it('ends a response that is not complete', async () => {
    const controller = new AbortController();
    const { client, received } = await startService([
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{', () => setImmediate(() => controller.abort(reason)));
      },
    ]);
    expect(await failure(client.usage({ signal: controller.signal }))).toBe(reason);
    expect(received).toHaveLength(1);
  });

  it('ends the wait before a retry', async () => {
    const controller = new AbortController();
    const { baseUrl, received } = await startService([json(503, {}, { 'retry-after': '300' })]);
    const client = new Client({ baseUrl });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const failed = failure(client.usage({ signal: controller.signal }));
    while (!timers.mock.calls.some(([, ms]) => ms === 300_000)) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await failed).toBe(reason);
    timers.mockRestore();
    expect(received).toHaveLength(1);
  });

  it('prevents the request if it is aborted before', async () => {
    const { client, received } = await startService([json(200)]);
    expect(await failure(client.usage({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(received).toHaveLength(0);
  });
});

it('waits by itself without an injected sleep', async () => {
  const { baseUrl, received } = await startService([json(503, {}, { 'retry-after': '0' }), json(200, USAGE)]);
  expect(await new Client({ baseUrl }).usage()).toEqual(USAGE);
  expect(received).toHaveLength(2);
});
