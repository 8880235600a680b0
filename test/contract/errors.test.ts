import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { testRows } from '../support/rows.ts';
import { check, expectError, expectHeader, expectStatus } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { DEPLOY } from '../support/stage/session.ts';

const NOWHERE = '/api/v1/no-such-path';

const GATEWAY = 'API Gateway > Gateway responses';

const USAGE_LOGS = 'the log group *-UsageApiLogs*';

const EARLY_MS = 500;

onStage({
  name: 'errors',
  title: 'Unknown paths are JSON errors, with and without credentials',
  means: 'Clients get errors that API Gateway made itself, in another format or with another status.',
  lookAt: `${GATEWAY}, API Gateway > Resources (paths without a method), and ${USAGE_LOGS}`,
  run: async (session) => {
    // Paths that lead to others are among them: API Gateway itself would respond where there is no method.
    for (const path of [NOWHERE, '/api/v1', `${DEPLOY}/staged`])
      expectError(await session.api('GET', path, { credential: '' }), 404, 405);
    // There it would also take Authorization for a signature, and respond with 403.
    expectError(await session.api('GET', '/api/v1', { credential: session.options.key ?? 'ptp_smoke' }), 404, 401);
    const chosen = { 'x-amzn-requestid': 'smoke' };
    const response = await session.api('GET', NOWHERE, { credential: '', headers: chosen });
    expectHeader(response, 'X-Request-Id', /^(?!smoke$)./);
  },
});

onStage({
  name: 'api-gzip',
  title: 'Large JSON is sent with gzip, once, to clients that accept it',
  means: 'API Gateway passes the base64 of the functions on as text, or drops Content-Encoding.',
  lookAt: 'API Gateway > API settings: binary media types must contain */*',
  run: async (session) => {
    // The response lists all unknown hashes, and nothing is deployed.
    const hashes = Array.from({ length: LIMITS.filesPerDeployment }, (_, i) =>
      createHash('sha256').update(`smoke ${i}`).digest('hex'),
    );
    const json = {
      projectId: randomUUID(),
      files: hashes.map((sha256, i) => ({ path: `${i}.txt`, sha256 })),
    };
    const response = await session.api('POST', DEPLOY, { json, headers: { 'accept-encoding': 'gzip' } });
    check(response.status === 409, `${response.request} returned ${response.status} instead of 409`);
    expectHeader(response, 'Content-Encoding', 'gzip');
    check(response.bytes[0] === 0x1f && response.bytes[1] === 0x8b, `The body of ${response.request} is not gzip`);
    const { unknown = [] } = JSON.parse(gunzipSync(response.bytes).toString()) as { unknown?: string[] };
    check(unknown.length === hashes.length, `${unknown.length} hashes are unknown, not ${hashes.length}`);
    return `${response.bytes.length} bytes`;
  },
});

onStage({
  name: 'firewall',
  title: 'A body of HTML and scripts reaches the API',
  means:
    'A web ACL inspects bodies: it blocks those over 8 KB, or what looks like an attack, and so deploys and projects.',
  lookAt: 'AWS WAF > Web ACLs: the sampled requests, and rules such as AWSManagedRulesCommonRuleSet',
  run: async (session) => {
    // Nothing is deployed, because no file has this hash.
    const sha256 = createHash('sha256').update(randomUUID()).digest('hex');
    const suspicious = "<script>document.cookie</script><!-- ' OR 1=1; DROP TABLE users; ../../etc/passwd -->\n";
    const files = [
      { path: 'index.html', content: suspicious.repeat(400) },
      { path: 'unknown.txt', sha256 },
    ];
    const response = await session.api('POST', DEPLOY, { json: { projectId: randomUUID(), files } });
    expectError(response, 409);
  },
});

onStage({
  name: 'cors',
  title: 'Pages of other origins may call the API',
  means: 'Browsers refuse calls of the API by pages of other origins.',
  lookAt: `${GATEWAY}. The log group *-DeploymentsApiLogs*`,
  run: async (session) => {
    const asked = ['authorization', 'content-type', 'idempotency-key', 'x-deployment-token'];
    const preflight = await session.api('OPTIONS', DEPLOY, {
      credential: '',
      headers: {
        origin: 'https://smoke.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked.join(','),
      },
    });
    expectStatus(preflight, 204);
    expectHeader(preflight, 'Access-Control-Allow-Origin', '*');
    expectHeader(preflight, 'Access-Control-Allow-Methods', /\bPOST\b/);
    for (const name of asked) expectHeader(preflight, 'Access-Control-Allow-Headers', new RegExp(`\\b${name}\\b`, 'i'));
    const response = await session.api('GET', NOWHERE, { credential: '' });
    expectHeader(response, 'Access-Control-Expose-Headers', /X-Deployment-Token/);
  },
});

onStage({
  name: 'rate-limit',
  title: 'Responses carry the rate limit, and requests use it up',
  means: 'Requests are not counted, or clients cannot see their limit.',
  lookAt: `The tables of the stack in the DynamoDB console (throttled writes), and ${USAGE_LOGS}`,
  run: async (session) => {
    for (let tries = 0; tries < 3; tries++) {
      const [first, second] = [await session.api('POST', NOWHERE), await session.api('POST', NOWHERE)];
      for (const name of ['Limit', 'Remaining', 'Reset']) expectHeader(second, `X-RateLimit-${name}`, /^\d+$/);
      const [before, after] = [first, second].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      if (first.headers['x-ratelimit-reset'] !== second.headers['x-ratelimit-reset']) continue;
      check(Number(after) < Number(before), `${before} requests remained, then ${after}`);
      return `${second.headers['x-ratelimit-limit']} requests, policy ${second.headers['ratelimit-policy']}`;
    }
    throw new Error('X-RateLimit-Reset changes with every request');
  },
});

onStage({
  name: 'www-authenticate',
  title: 'A 401 says how to authenticate, and a success does not',
  means: 'API Gateway renames the header of the functions, and clients and tools do not see it.',
  lookAt: 'CloudFront > Distributions > Behaviors > /api/*: the functions and the response headers policy',
  run: async (session) => {
    const refused = await session.api('GET', '/api/v1/usage', { credential: '' });
    expectError(refused, 401);
    expectHeader(refused, 'WWW-Authenticate', /^Bearer\b/);
    const preflight = await session.api('OPTIONS', DEPLOY, { credential: '' });
    expectStatus(preflight, 204);
    expectHeader(preflight, 'WWW-Authenticate', '');
  },
});

onStage({
  name: 'too-large',
  title: 'The edge refuses a body over the limit in the format of the API',
  means: 'The CloudFront function does not run before the API, so that API Gateway responds in its own words.',
  lookAt: 'The CloudFront function *ViewerRequest*, and its association with the behavior /api/*',
  run: async (session) => {
    const body = Buffer.alloc(LIMITS.sentBodyBytes + 1, ' ');
    const refused = await session.api('POST', DEPLOY, { body, bodyAfterMs: EARLY_MS, seconds: 300 });
    expectError(refused, 413);
  },
});

onStage({
  name: 'security-headers',
  title: 'Every response forbids content sniffing, and over TLS requires TLS',
  means: 'A browser may run a file as another type, or be led to an unencrypted connection.',
  lookAt: 'CloudFront > Policies > Response headers, and the behaviors that they belong to',
  run: async (session) => {
    const { http, options } = session;
    const secure = options.baseUrl.protocol === 'https:';
    const { url } = await session.site();
    for (const target of [new URL('/', options.baseUrl), new URL(NOWHERE, options.baseUrl), url]) {
      const response = await http.send(target);
      expectHeader(response, 'X-Content-Type-Options', 'nosniff');
      if (secure) expectHeader(response, 'Strict-Transport-Security', /max-age=\d{6}/);
    }
    if (!secure) return 'no HSTS over plain HTTP';
    const plain = await http.send(new URL(options.baseUrl.href.replace('https:', 'http:')));
    expectStatus(plain, 301, 307, 308);
  },
});

onStage({
  name: 'console',
  title: 'The console is at /, out of reach of published pages, and its preview is sandboxed',
  means: 'The pages are not in their bucket, or a published page or a project in the preview could read the console.',
  lookAt: 'CloudFront > Distributions > Behaviors > Default and /preview*, and their response headers policies',
  run: async ({ http, options }) => {
    const page = await http.send(new URL('/', options.baseUrl));
    expectStatus(page, 200);
    check(/http-equiv="Content-Security-Policy"/i.test(page.text), 'The page at / has no content security policy');
    expectHeader(page, 'X-Frame-Options', 'DENY');
    expectHeader(page, 'Cross-Origin-Opener-Policy', 'same-origin');
    const script = { headers: { 'service-worker': 'script' } };
    const worker = await http.send(new URL('/d/smoke/sw.js', options.baseUrl), script);
    check(
      worker.status === 200 && worker.text.includes('unregister'),
      'Published pages can have service workers on the origin of the console',
    );
    const preview = await http.send(new URL('/preview', options.baseUrl));
    expectStatus(preview, 200);
    expectHeader(preview, 'Content-Security-Policy', /^sandbox (?!.*allow-same-origin)/);
    expectHeader(preview, 'X-Frame-Options', '');
  },
});

const JSON_TYPE = { 'content-type': 'application/json' };

const GENERATE = '/api/v1/generate';

const file = (path: string, content: unknown = '') => ({ path, content });

const gzip = (value: unknown) => gzipSync(JSON.stringify(value));

const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

/** Expects a JSON error with a readable message, not a page, a stack trace or an empty body. */
function expectApiError({ status, headers, text, json }: TestResponse, expected: number, message: RegExp) {
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

it('names of prototypes are names like any other, in queries and headers', async () => {
  const caller = newCaller();
  const headers = Object.fromEntries([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  const unknown = await caller.send('/api/v1/generations/x?__proto__=1&constructor=2', { headers });
  expectApiError(unknown, 404, /no such generation/);
  const { json: site } = await caller.post(DEPLOY, { files: [file('index.html', '<h1>Hello</h1>')] });
  const page = await caller.send(`${new URL(site.url).pathname}/?__proto__=1`, { headers });
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Hello') });
});

describe('an invalid body', () => {
  it.each([GENERATE, DEPLOY])('is rejected by %s', async (path) => {
    const caller = newCaller();
    const post = (body: unknown, headers = {}) => caller.post(path, body, { ...JSON_TYPE, ...headers });
    expectApiError(await caller.send(path, { method: 'POST' }), 400, /no body/);
    expectApiError(await post(''), 400, /no body/);
    expectApiError(await post('{"prompt": nope}'), 400, /not valid JSON/);
    const packed = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expectApiError(await newCaller().post(path, 'none', packed), 400, /not gzip/);
    expectApiError(await post('["prompt"]'), 400, /must be a JSON object/);
    expectApiError(await post('null'), 400, /must be a JSON object/);
    expectApiError(await post('"text"'), 400, /must be a JSON object/);
    expectApiError(await post(Buffer.from([0x7b, 0xff, 0x7d])), 400, /not valid UTF-8/);
    expectApiError(
      await post('{}', { 'content-type': 'text/plain' }),
      415,
      /Content-Type: application\/json, not text\/plain/,
    );
    expectApiError(await post('{}', { 'content-type': 'application/x-www-form-urlencoded' }), 415, /application\/json/);
    expectApiError(await post('{}', { 'content-encoding': 'br' }), 415, /uncompressed or as gzip/);
  });

  it('in gzip is rejected', async () => {
    const caller = newCaller();
    const cut = gzip({ prompt: 'a page' }).subarray(0, 20);
    expectApiError(await caller.post(GENERATE, cut, GZIP), 400, /not valid gzip/);
    const smaller = gzipSync(Buffer.alloc(17 * 1_048_576, 0x20));
    expectApiError(await caller.post(GENERATE, smaller, GZIP), 413, /larger than 16 MB/);
  });
});

testRows([
  [{}, /prompt is required/],
  [{ prompt: '' }, /prompt is empty/],
  [{ prompt: 42 }, /prompt must be a string/],
  [{ prompt: 'a'.repeat(10_001) }, /10,001 characters: at most 10,000/],
  [{ prompt: 'a', model: 'gpt-5' }, /model must be one of auto, provider-a/],
  [{ prompt: 'a', duration: '1h' }, /duration must be one of auto, 5min, 10min/],
])('generate rejects what it does not accept', async (body, message) =>
  expectApiError(await newCaller().post(GENERATE, body), 400, message),
);

it('generate accepts 10,000 characters', async () => {
  expect((await newCaller().post(GENERATE, { prompt: 'a'.repeat(10_000) })).status).toBe(200);
});

testRows([
  [{}, 400, /files is required/],
  [{ files: [] }, 400, /files is empty/],
  [{ files: [file('a.txt'), file('a.txt')] }, 400, /"a.txt\\" occurs twice/],
  [{ files: [file('../../etc/passwd')] }, 400, /segment/],
  [{ files: [file('ok'), file('a', 7)] }, 400, /files\[1\]: content must be a string, not a number/],
  [{ files: [file('a')], projectId: '../x' }, 400, /projectId must be/],
  [{ files: [file('a'), { path: 'b', sha256: 'b' }] }, 400, /files\[1\]: sha256 must be the SHA-256/],
  [{ files: [{ path: 'b', sha256: 'b'.repeat(64) }] }, 400, /send its projectId/],
])('deploy rejects what it does not accept', async (body, status, message) =>
  expectApiError(await newCaller().post(DEPLOY, body), status, message),
);

testRows([
  ['GET', '/api/v1/nothing', 404, /There is no GET \/api\/v1\/nothing/],
  ['POST', '/api/v1/nothing', 404, /There is no POST/],
  ['POST', '/api/v1/generate/', 404, /omit the trailing slash/],
  ['GET', '/api/v2/generate', 404, /There is no GET/],
  ['GET', GENERATE, 405, /only POST, OPTIONS/],
  ['DELETE', DEPLOY, 405, /only POST, OPTIONS/],
  ['PUT', '/api/v1/assets/user-assets/abc/', 405, /only PATCH, GET, DELETE, OPTIONS/],
])('paths and methods that do not exist are JSON errors', async (method, path, status, message) => {
  const answer = await newCaller().send(path, { method });
  expectApiError(answer, status, message);
  if (status === 405) expect(answer.headers.allow).toMatch(/OPTIONS$/);
});

const GENERATIONS = '/api/v1/generations';

/** Responses of more than 10,240 bytes: from a function that streams, and from one that does not. */
describe('the JSON of a large response', () => {
  const caller = newCaller();
  let generation: string;
  beforeAll(async () => {
    const made = await caller.post('/api/v1/generate', { prompt: 'a kanban board' });
    generation = `${GENERATIONS}/${made.headers['x-generation-id']}`;
  });
  const hashes = Array.from({ length: 200 }, (_, i) => createHash('sha256').update(String(i)).digest('hex'));
  const files = hashes.map((sha256, i) => ({ path: `${i}.txt`, sha256 }));
  const unknown = (headers: Record<string, string>) =>
    newCaller().post('/api/v1/deploy', { projectId: crypto.randomUUID(), files }, headers);
  const result = (headers: Record<string, string>) => newCaller().send(`${generation}/result`, { headers });

  testRows(['gzip', 'br, gzip;q=0.5', 'x-gzip', '*', 'GZIP'])(
    'is gzip for clients that accept it',
    async (accepted) => {
      for (const send of [unknown, result]) {
        const { headers, bytes, status } = await send({ 'accept-encoding': accepted });
        expect(headers).toMatchObject({
          'content-encoding': 'gzip',
          'content-type': 'application/json',
          vary: 'Accept-Encoding',
        });
        const plain = await send({});
        expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' });
        expect(plain.headers).not.toHaveProperty('content-encoding');
        expect(status).toBe(plain.status);
        expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(plain.json);
        expect(bytes.length).toBeLessThan(plain.bytes.length);
      }
    },
  );

  testRows(['identity', 'br', 'gzip;q=0', '*;q=0', '*, gzip;q=0'])('is plain for others', async (accepted) => {
    for (const send of [unknown, result]) {
      const { headers, bytes } = await send({ 'accept-encoding': accepted });
      expect(headers).not.toHaveProperty('content-encoding');
      expect(bytes.toString()).toMatch(/^\{/);
    }
  });

  it('is not compressed if it is short, or a stream of events', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const short = await caller.send(`${GENERATIONS}/unknown`, { headers });
    expect(short.headers).not.toHaveProperty('content-encoding');
    expect(short.headers).not.toHaveProperty('vary');
    const events = await newCaller().send(generation, {
      headers: { ...headers, accept: 'text/event-stream' },
    });
    expect(events.headers).toMatchObject({ 'content-type': expect.stringContaining('text/event-stream') });
    expect(events.headers).not.toHaveProperty('content-encoding');
    expect(events.text).toContain('event: done');
  });

  it('has the status and the headers of other errors for HEAD', async () => {
    const head = await caller.send(generation, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect([head.status, head.bytes.length, head.headers.allow]).toEqual([405, 0, 'GET, DELETE, OPTIONS']);
    expect(head.headers).not.toHaveProperty('content-encoding');
  });
});
