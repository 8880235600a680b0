import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { check, expectError, expectHeader, expectStatus } from './checks.ts';
import { DEPLOY } from './session.ts';
import type { Step } from './step.ts';

const NOWHERE = '/api/v1/no-such-path';
const GATEWAY = 'API Gateway > Gateway responses';
const USAGE_LOGS = 'the log group *-UsageApiLogs*';
const EARLY_MS = 500;

const errors: Step = {
  name: 'errors',
  title: 'Unknown paths are JSON errors, with and without credentials',
  means: 'Clients get errors that API Gateway made itself, in another format or with another status.',
  lookAt: `${GATEWAY}, API Gateway > Resources (paths without a method), and ${USAGE_LOGS}`,
  run: async (session) => {
    // Paths that lead to others are among them: API Gateway itself would respond where there is no method.
    for (const path of [NOWHERE, '/api/v1', `${DEPLOY}/staged`])
      expectError(await session.api('GET', path, { credential: '' }), 404, 405);
    // There it would also take Authorization for a signature, and respond with 403.
    expectError(
      await session.api('GET', '/api/v1', { credential: session.options.key ?? 'ptp_smoke' }),
      404,
      401,
    );
    const chosen = { 'x-amzn-requestid': 'smoke' };
    const response = await session.api('GET', NOWHERE, { credential: '', headers: chosen });
    expectHeader(response, 'X-Request-Id', /^(?!smoke$)./);
  },
};

const apiGzip: Step = {
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
    check(
      response.bytes[0] === 0x1f && response.bytes[1] === 0x8b,
      `The body of ${response.request} is not gzip`,
    );
    const { unknown = [] } = JSON.parse(gunzipSync(response.bytes).toString()) as { unknown?: string[] };
    check(unknown.length === hashes.length, `${unknown.length} hashes are unknown, not ${hashes.length}`);
    return `${response.bytes.length} bytes`;
  },
};

const firewall: Step = {
  name: 'firewall',
  title: 'A body of HTML and scripts reaches the API',
  means:
    'A web ACL inspects bodies: it blocks those over 8 KB, or what looks like an attack, and so deploys and projects.',
  lookAt: 'AWS WAF > Web ACLs: the sampled requests, and rules such as AWSManagedRulesCommonRuleSet',
  run: async (session) => {
    // Nothing is deployed, because no file has this hash.
    const sha256 = createHash('sha256').update(randomUUID()).digest('hex');
    const suspicious =
      "<script>document.cookie</script><!-- ' OR 1=1; DROP TABLE users; ../../etc/passwd -->\n";
    const files = [
      { path: 'index.html', content: suspicious.repeat(400) },
      { path: 'unknown.txt', sha256 },
    ];
    const response = await session.api('POST', DEPLOY, { json: { projectId: randomUUID(), files } });
    expectError(response, 409);
  },
};

const cors: Step = {
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
    for (const name of asked)
      expectHeader(preflight, 'Access-Control-Allow-Headers', new RegExp(`\\b${name}\\b`, 'i'));
    const response = await session.api('GET', NOWHERE, { credential: '' });
    expectHeader(response, 'Access-Control-Expose-Headers', /X-Deployment-Token/);
  },
};

const rateLimit: Step = {
  name: 'rate-limit',
  title: 'Responses carry the rate limit, and requests use it up',
  means: 'Requests are not counted, or clients cannot see their limit.',
  lookAt: `The tables of the stack in the DynamoDB console (throttled writes), and ${USAGE_LOGS}`,
  run: async (session) => {
    for (let tries = 0; tries < 3; tries++) {
      const [first, second] = [await session.api('POST', NOWHERE), await session.api('POST', NOWHERE)];
      for (const name of ['Limit', 'Remaining', 'Reset'])
        expectHeader(second, `X-RateLimit-${name}`, /^\d+$/);
      const [before, after] = [first, second].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      if (first.headers['x-ratelimit-reset'] !== second.headers['x-ratelimit-reset']) continue;
      check(Number(after) < Number(before), `${before} requests remained, then ${after}`);
      return `${second.headers['x-ratelimit-limit']} requests, policy ${second.headers['ratelimit-policy']}`;
    }
    throw new Error('X-RateLimit-Reset changes with every request');
  },
};

const challenge: Step = {
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
};

const tooLarge: Step = {
  name: 'too-large',
  title: 'The edge refuses a body over the limit in the format of the API',
  means:
    'The CloudFront function does not run before the API, so that API Gateway responds in its own words.',
  lookAt: 'The CloudFront function *ViewerRequest*, and its association with the behavior /api/*',
  run: async (session) => {
    const body = Buffer.alloc(LIMITS.sentBodyBytes + 1, ' ');
    const refused = await session.api('POST', DEPLOY, { body, bodyAfterMs: EARLY_MS, seconds: 300 });
    expectError(refused, 413);
  },
};

const headers: Step = {
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
};

const consolePage: Step = {
  name: 'console',
  title: 'The console is at /, out of reach of published pages, and its preview is sandboxed',
  means:
    'The pages are not in their bucket, or a published page or a project in the preview could read the console.',
  lookAt:
    'CloudFront > Distributions > Behaviors > Default and /preview*, and their response headers policies',
  run: async ({ http, options }) => {
    const page = await http.send(new URL('/', options.baseUrl));
    expectStatus(page, 200);
    check(
      /http-equiv="Content-Security-Policy"/i.test(page.text),
      'The page at / has no content security policy',
    );
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
};

export const API_STEPS = [
  errors,
  apiGzip,
  firewall,
  cors,
  rateLimit,
  challenge,
  tooLarge,
  headers,
  consolePage,
];
