import { gzipSync } from 'node:zlib';
import { main } from '../../cli/keys.ts';
import { apiGatewayHost, startWithDoor } from '../support/cloud/api-gateway.ts';
import { newCaller, type Sent, type TestResponse } from '../support/cloud/client.ts';
import { operate } from '../support/cloud/keys.ts';
import type { Variant } from '../support/cloud/variant.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const GENERATE = '/api/v1/generate';
const DEPLOY = '/api/v1/deploy';
const file = (path: string, content: unknown = '') => ({ path, content });
const megabyte = 'a'.repeat(1_048_576);
const gzip = (value: unknown) => gzipSync(JSON.stringify(value));
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

/** Expects a JSON error with a readable message, not a page, a stack trace or an empty body. */
function expectError({ status, headers, text, json }: TestResponse, expected: number, message: RegExp) {
  expect({ status, text }).toEqual({ status: expected, text: expect.stringMatching(message) });
  expect(headers['content-type']).toBe('application/json');
  expect(Object.keys(json)).toEqual(['error']);
  expect(json.error.length).toBeGreaterThan(10);
  expect(text).not.toMatch(/<html|\n\s+at |node_modules/);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': expect.any(String),
    'x-ratelimit-reset': expect.any(String),
    'x-request-id': expect.any(String),
  });
}

it('X-Request-Id cannot be chosen by the client', async () => {
  const forged = { 'x-amzn-requestid': 'forged', 'x-request-id': 'forged', 'x-amz-apigw-id': 'forged' };
  const { headers } = await newCaller().send('/api/v1/generations/x', { headers: forged });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{15}$/);
});

it('names of prototypes are names like any other, in queries and headers', async () => {
  const caller = newCaller();
  const headers = Object.fromEntries([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  const unknown = await caller.send('/api/v1/generations/x?__proto__=1&constructor=2', { headers });
  expectError(unknown, 404, /no such generation/);
  const { json: site } = await caller.post(DEPLOY, { files: [file('index.html', '<h1>Hello</h1>')] });
  const page = await caller.send(`${new URL(site.url).pathname}/?__proto__=1`, { headers });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Hello') });
});

describe('an invalid body', () => {
  it.each([GENERATE, DEPLOY])('is rejected by %s', async (path) => {
    const caller = newCaller();
    const post = (body: unknown, headers = {}) => caller.post(path, body, { ...JSON_TYPE, ...headers });
    expectError(await caller.send(path, { method: 'POST' }), 400, /no body/);
    expectError(await post(''), 400, /no body/);
    expectError(await post('{"prompt": nope}'), 400, /not valid JSON/);
    const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expectError(await newCaller().post(path, 'none', packed), 400, /not gzip/);
    expectError(await post('["prompt"]'), 400, /must be a JSON object/);
    expectError(await post('null'), 400, /must be a JSON object/);
    expectError(await post('"text"'), 400, /must be a JSON object/);
    expectError(await post(Buffer.from([0x7b, 0xff, 0x7d])), 400, /not valid UTF-8/);
    expectError(
      await post('{}', { 'content-type': 'text/plain' }),
      415,
      /Content-Type: application\/json, not text\/plain/,
    );
    expectError(
      await post('{}', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      /application\/json/,
    );
    expectError(await post('{}', { 'content-encoding': 'br' }), 415, /uncompressed or as gzip/);
  });

  it('in gzip is rejected', async () => {
    const caller = newCaller();
    const cut = gzip({ prompt: 'a page' }).subarray(0, 20);
    expectError(await caller.post(GENERATE, cut, GZIP), 400, /not valid gzip/);
    const bomb = gzipSync(Buffer.alloc(65 * 1_048_576, 0x20));
    expectError(await caller.post(DEPLOY, bomb, GZIP), 413, /larger than 64 MB/);
    const smaller = gzipSync(Buffer.alloc(17 * 1_048_576, 0x20));
    expectError(await caller.post(GENERATE, smaller, GZIP), 413, /larger than 16 MB/);
  });
});

it.each([
  [{}, /prompt is required/],
  [{ prompt: '' }, /prompt is empty/],
  [{ prompt: 42 }, /prompt must be a string/],
  [{ prompt: 'a'.repeat(10_001) }, /10,001 characters: at most 10,000/],
  [{ prompt: 'a', model: 'gpt-5' }, /model must be one of auto, provider-a/],
  [{ prompt: 'a', duration: '1h' }, /duration must be one of auto, 5min, 10min/],
])('generate rejects %#', async (body, message) =>
  expectError(await newCaller().post(GENERATE, body), 400, message),
);

it('generate accepts 10,000 characters', async () => {
  expect((await newCaller().post(GENERATE, { prompt: 'a'.repeat(10_000) })).status).toBe(200);
});

it.each([
  [{}, 400, /files is required/],
  [{ files: [] }, 400, /files is empty/],
  [{ files: Array.from({ length: 201 }, (_, i) => file(`${i}`)) }, 400, /201 entries: at most 200/],
  [{ files: [file('a.txt'), file('a.txt')] }, 400, /"a.txt\\" occurs twice/],
  [{ files: [file('../../etc/passwd')] }, 400, /segment/],
  [{ files: [file('ok'), file('a', 7)] }, 400, /files\[1\]: content must be a string, not a number/],
  [{ files: [file('a')], projectId: '../x' }, 400, /projectId must be/],
  [{ files: [file('a'), { path: 'b', sha256: 'b' }] }, 400, /files\[1\]: sha256 must be the SHA-256/],
  [{ files: [{ path: 'b', sha256: 'b'.repeat(64) }] }, 400, /send its projectId/],
  [{ files: [file('big.txt', `${megabyte}a`)] }, 413, /"big.txt\\" has 1,048,577 bytes/],
])('deploy rejects %#', async (body, status, message) =>
  expectError(await newCaller().post(DEPLOY, body), status, message),
);

it('deploy rejects more than 10 MB in total', async () => {
  const files = Array.from({ length: 10 }, (_, i) => file(`${i}.txt`, megabyte));
  expectError(
    await newCaller().post(DEPLOY, gzip({ files: [...files, file('x', 'a')] }), GZIP),
    413,
    /10,485,761 bytes/,
  );
});

it.each([
  ['GET', '/api/v1/nothing', 404, /There is no GET \/api\/v1\/nothing/],
  ['POST', '/api/v1/nothing', 404, /There is no POST/],
  ['POST', '/api/v1/generate/', 404, /omit the trailing slash/],
  ['GET', '/api/v2/generate', 404, /There is no GET/],
  ['GET', GENERATE, 405, /only POST, OPTIONS/],
  ['DELETE', DEPLOY, 405, /only POST, OPTIONS/],
  ['PUT', '/api/v1/assets/user-assets/abc/', 405, /only PATCH, GET, DELETE, OPTIONS/],
])('%s %s returns %i', async (method, path, status, message) => {
  const answer = await newCaller().send(path, { method });
  expectError(answer, status, message);
  if (status === 405) expect(answer.headers.allow).toMatch(/OPTIONS$/);
});

it('a body too large for a Lambda event returns 413 and names gzip', async () => {
  const prompt = megabyte.repeat(5);
  const { status, json } = await newCaller().post(GENERATE, { prompt });
  expect(status).toBe(413);
  expect(json).toEqual({ error: expect.stringContaining('Content-Encoding: gzip') });
});

it('a preflight from any origin is allowed', async () => {
  const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
  const { status, headers: answer } = await newCaller().send(GENERATE, { method: 'OPTIONS', headers });
  expect(status).toBe(204);
  expect(answer).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': expect.stringContaining('Content-Type'),
  });
});

describe('directly at API Gateway', () => {
  let running: Variant;
  beforeAll(async () => {
    running = await startWithDoor();
  });
  afterAll(() => running.close());
  const direct = (path: string, sent: Sent = {}) =>
    newCaller(running.baseUrl).send(`/api${path}`, {
      ...sent,
      headers: { ...sent.headers, host: apiGatewayHost(running) },
    });

  it('an unknown route returns the same error body', async () => {
    expect(await direct('/nowhere')).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
      json: { error: expect.stringContaining('There is no GET /nowhere') },
    });
  });

  it.each(['/', '/api', '/api/v1', '/api/v1/assets', '/api/v1/deploy/staged', '/api/v1/nothing/at/all'])(
    '%s returns it also with an Authorization header, which API Gateway would take for a signature',
    async (path) => {
      const create = ['create', '--name', 'direct', '--scopes', 'assets:write'];
      const key = (await operate(main, create, running.stateDir)).trimEnd();
      const headers = { authorization: `Bearer ${key}` };
      expect(await direct(path, { headers })).toMatchObject({
        status: 404,
        headers: { 'access-control-allow-origin': '*', 'x-ratelimit-limit': '100' },
        json: { error: expect.stringMatching(/^There is no GET/) },
      });
    },
  );

  it('the caller has the address that API Gateway sees, whatever its headers', async () => {
    const headers = { 'x-ptp-viewer-address': '198.51.100.1', 'x-forwarded-for': '198.51.100.2' };
    const answer = await direct('/api/v1/generate', { method: 'POST', headers, body: {} });
    expect(answer).toMatchObject({ status: 400, headers: { 'x-ratelimit-remaining': '9' } });
  });
});
