import { ApiError, Client, type ClientOptions } from '../../../client/client.ts';
import { ERRORS } from '../../../lambda/contract/errors.ts';
import { testRows } from '../../support/rows.ts';
import { failure, json, type Reply, startService } from './scripted-service.ts';

const KEY = `ptp_${'0'.repeat(12)}`;

describe('credentials', () => {
  testRows<[Partial<ClientOptions>, object]>([
    [{ key: KEY }, { authorization: `Bearer ${KEY}` }],
    [{ token: 'eyJ' }, { authorization: 'Bearer eyJ' }],
    [
      { key: KEY, headers: { Authorization: 'Basic cHJveHk=' } },
      { authorization: 'Basic cHJveHk=', 'x-api-key': KEY },
    ],
    [
      { userAgent: 'ptp/1', headers: { 'X-Trace': '1' } },
      { 'user-agent': 'ptp/1', 'x-trace': '1' },
    ],
  ])('are sent in their header', async (options, expected) => {
    const { client, received } = await startService([json(200)], options);
    await client.usage();
    expect(received[0]?.headers).toMatchObject(expected);
    expect(received[0]?.headers).not.toHaveProperty('content-type');
  });

  it('are absent without a key', async () => {
    const { client, received } = await startService([json(200)]);
    await client.usage();
    expect(received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('are either a key or a token', () => {
    expect(() => new Client({ baseUrl: 'http://localhost', key: KEY, token: 'eyJ' })).toThrow(/accepts one/);
  });

  it('that no header can have are rejected without being shown', () => {
    const create = () => new Client({ baseUrl: 'http://localhost', key: 'secret\nsecret' });
    expect(create).toThrow(/^The key or token is empty, or has characters/);
    expect(create).not.toThrow(/secret/);
  });
});

describe('the redirect of a large deploy', () => {
  const DEPLOYED = { id: 'a', url: 'u', entry: '', fileCount: 1, title: null, createdAt: 1 };
  const file = { path: 'a.txt', content: 'a'.repeat(2_000) };
  const deployTo = async (staged: (baseUrl: string) => string, options: Partial<ClientOptions>) => {
    const redirect: Reply = (response) => json(303, {}, { location: staged(service.baseUrl) })(response, {} as never);
    const service = await startService([redirect, json(201, DEPLOYED, { etag: '"v"' })], options);
    const deployed = await service.client.deploy({ files: [file] }, { token: 'ptd_1', ifMatch: 'v0' });
    return { ...service, deployed };
  };

  it.each([
    [{ key: KEY }, { authorization: `Bearer ${KEY}` }],
    [
      { key: KEY, headers: { Authorization: 'Basic a' } },
      { authorization: 'Basic a', 'x-api-key': KEY },
    ],
  ])('is followed with a GET and the same credentials: %j', async (options, credentials) => {
    const { received, deployed } = await deployTo((base) => `${base}/api/v1/deploy/staged/1`, options);
    expect(deployed).toMatchObject({ id: 'a', version: 'v', created: true });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/deploy',
      'GET /api/v1/deploy/staged/1',
    ]);
    expect(received[1]?.headers).toMatchObject({
      ...credentials,
      'x-deployment-token': 'ptd_1',
      'if-match': '"v0"',
    });
    expect(received[1]?.headers['idempotency-key']).toBe(received[0]?.headers['idempotency-key']);
    expect(received[1]?.headers).not.toHaveProperty('content-encoding');
  });

  it('to another origin loses the Authorization', async () => {
    const other = await startService([json(200, DEPLOYED)]);
    await deployTo(() => `${other.baseUrl}/elsewhere`, { key: KEY });
    expect(other.received).toHaveLength(1);
    expect(other.received[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('the base URL', () => {
  it('keeps its path', async () => {
    const { baseUrl, received } = await startService([json(200)]);
    await new Client({ baseUrl: `${baseUrl}/prod/` }).usage({ from: '2026-11-01', to: undefined });
    await new Client({ baseUrl: new URL(baseUrl) }).usage();
    await new Client({ baseUrl: ` ${baseUrl}\n` }).usage();
    const paths = received.map(({ path }) => path);
    expect(paths).toEqual(['/prod/api/v1/usage?from=2026-11-01', '/api/v1/usage', '/api/v1/usage']);
  });

  testRows<[baseUrl: string, message: string]>([
    ['ptp.example.com', 'Invalid baseUrl ptp.example.com: expected a URL with http:// or https://'],
    ['localhost:3000', 'Invalid baseUrl localhost:3000: expected a URL with http:// or https://'],
    ['ftp://ptp.example.com', 'Invalid baseUrl ftp://ptp.example.com: expected a URL with http:// or https://'],
    ['https://ptp.example.com/?a=1#b', 'Invalid baseUrl https://ptp.example.com/?a=1#b: remove ?a=1#b'],
    ['https://me:word@ptp.example.com', 'Invalid baseUrl: it has a user name or password'],
  ])('must be one that paths can follow', (baseUrl, message) => {
    expect(() => new Client({ baseUrl })).toThrow(message);
  });

  it.each<[string, Reply]>([
    ['HTML', (response) => response.setHeader('content-type', 'text/html').end('<title>Hi</title>')],
    ['nothing', (response) => response.end()],
  ])('of another server that responds with %s is reported at once', async (_, reply) => {
    const { client, waits } = await startService([reply]);
    const error = await failure(client.usage());
    expect(error).toMatchObject({
      code: 'invalid_response',
      status: 200,
      message: expect.stringMatching(/check baseUrl$/),
    });
    const generation = await failure(Promise.resolve(client.generate({ prompt: 'a' })));
    expect(generation).toMatchObject({
      code: 'invalid_response',
      message: expect.stringMatching(/check baseUrl$/),
    });
    expect(waits).toEqual([]);
  });
});

it('sends ids as one segment of the path', async () => {
  const { client, received } = await startService([json(200)]);
  await client.generations.get('../a?b');
  await client.deployments.get('a/b');
  expect(received.map(({ path }) => path)).toEqual(['/api/v1/generations/..%2Fa%3Fb', '/api/v1/deployments/a%2Fb']);
});

describe('an error', () => {
  const failing = async (reply: Reply) => {
    const { client } = await startService([reply]);
    const error = await failure(client.usage());
    expect(error).toBeInstanceOf(ApiError);
    return error;
  };

  it('has status, code, body, request id and Retry-After of the response', async () => {
    const body = { error: 'Slow down', retryAfter: 7, docs: '/docs#rate-limits' };
    const error = await failing(json(429, body, { 'x-request-id': 'r-1', 'retry-after': '7' }));
    const { message, status, code, requestId, retryAfter, name } = error;
    expect({ message, status, code, requestId, retryAfter, name, body: error.body }).toEqual({
      message: 'Slow down',
      status: 429,
      code: 'rate_limited',
      requestId: 'r-1',
      retryAfter: 7,
      name: 'ApiError',
      body,
    });
  });

  it('has the text of a response that is not JSON', async () => {
    const error = await failing((response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
    expect(error).toMatchObject({
      status: 502,
      message: 'The service responded with HTTP 502',
      body: '<h1>Bad gateway</h1>',
      requestId: undefined,
    });
  });

  it('has one of the codes of its status', async () => {
    for (const status of new Set(Object.values(ERRORS).map((error) => error.status))) {
      const { code } = await failing(json(status));
      expect(ERRORS[code as keyof typeof ERRORS].status).toBe(status);
    }
    expect((await failing(json(418))).code).toBe('invalid_request');
    expect((await failing(json(599))).code).toBe('unavailable');
  });
});
