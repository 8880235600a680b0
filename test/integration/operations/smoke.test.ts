import { main, STEPS } from '../../../cli/smoke-command.ts';
import { startAccount } from '../../support/account.ts';
import type { Place } from '../../support/buckets.ts';
import { startWithDoor } from '../../support/cloud/api-gateway.ts';
import {
  type Breakage,
  type ProxiedRequest,
  type ProxiedResponse,
  startProxy,
} from '../../support/cloud/breaking-proxy.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';
import { newToken } from '../../support/cloud/tokens.ts';
import { runMain } from '../../support/command.ts';
import { SITE_DOMAIN } from '../../support/private-pages.ts';
import { RELEASED, ReleasedFunction } from '../../support/released-function.ts';
import { type SiteCloud, startSiteCloud } from '../../support/site-cloud.ts';

type Proxy = Awaited<ReturnType<typeof startProxy>>;

let proxy: Proxy;
let credentials: string[];
/** A service with origins for sites. */
let siteCloud: SiteCloud;
let siteProxy: Proxy;
beforeAll(async () => {
  siteCloud = await startSiteCloud(SITE_DOMAIN, { rateLimit: { anonymous: 1_000 } });
  siteProxy = await startProxy(siteCloud.baseUrl, newCaller().address);
  credentials = ['--key', await newKey('--limit', '100000'), '--token', await newToken()];
});
// Each test has its own address, so that no other test uses up its rate limit.
beforeEach(async () => {
  proxy = await startProxy(cloud().baseUrl, newCaller().address);
  siteProxy.break({});
});
afterEach(() => proxy.close());
afterAll(async () => {
  siteProxy?.close();
  await siteCloud?.close();
});

const smoke = (...args: string[]) => runMain(main, ['--url', proxy.url, ...args], {});
const smokeSites = (...args: string[]) => runMain(main, ['--url', siteProxy.url, ...args], {});

it('passes against the service, with a time for each step, and shows no credential', async () => {
  const { code, stdout, stderr } = await smoke(...credentials);
  const lines = stdout.split('\n').filter((line) => /^\S/.test(line) && !line.includes(' passed, '));
  expect(lines.map((line) => line.split(/\s+/)[1])).toEqual(STEPS.map(({ name }) => name));
  // On a busy machine a generation may end before it is canceled.
  const fine =
    /^✓ \S+ +[\d,]+ ms {2}\S|^- cancel +skipped: the generation ended before|^- look +skipped: This stage does not look|^- private +skipped: the stage has no siteDomain|^- (?:gateway|capacity) +skipped: pass --stack|^- rollout +skipped: .* pass --rollout|^- wait +skipped: .* pass --slow|^- page-encoding +skipped: the edge of the local cloud does not compress|^- expiry +skipped: .* pass --slow|^- domain +skipped: pass --domain/;
  const others = lines.filter((line) => !fine.test(line));
  expect({ code, others, stderr }).toEqual({ code: 0, others: [], stderr: '' });
  expect(stdout).toMatch(/^\d+ passed, 0 failed, \d+ skipped in [\d.]+ s, with \d+ requests, of which \d+ /m);
  for (const secret of [credentials[1], credentials[3]]) expect(stdout + stderr).not.toContain(secret);
});

it('skips what needs a credential, and says which', async () => {
  const { code, stdout } = await smoke('--only', 'api-key,token,asset,list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^- api-key +skipped: pass --key$/m);
  expect(stdout).toMatch(/^- token +skipped: pass --token, /m);
  expect(stdout).toMatch(/^- asset +skipped: pass --key \(with the scope assets:write\) or --token$/m);
  expect(stdout).toMatch(/^- list +skipped: pass --key$/m);
  expect(stdout).toContain('0 passed, 0 failed, 4 skipped');
});

it("finds API Gateway's own address of a stack, and fails if it is open", async () => {
  const gateway = async ({ baseUrl, stateDir }: Place & { readonly baseUrl: string }) => {
    const args = ['--url', baseUrl, '--stack', 'local', '--only', 'gateway,capacity'];
    return (await runMain(main, args, { STATE_DIR: stateDir })).stdout;
  };
  const closed = await gateway(cloud());
  expect(closed).toMatch(/^✓ gateway /m);
  expect(closed).toMatch(/^- capacity +skipped: the local cloud has no quota/m);
  const open = await startWithDoor();
  try {
    expect(await gateway(open)).toMatch(/^ +problem: GET \/api\/api\/v1\/\w+ returned \d+ instead of 403/m);
  } finally {
    await open.close();
  }
});

describe('a stack whose functions CodeDeploy moves', () => {
  /** Runs the step against an account with the function. */
  async function rollout(released: ReleasedFunction, resources: Record<string, string> = RELEASED) {
    const outputs = { ApiEndpoint: 'https://abc.execute-api.us-east-1.amazonaws.com/api/' };
    const account = { quota: 1_000, unreserved: 100, template: {}, outputs, resources };
    const { env, close } = await startAccount({ ...account, others: released.answer });
    const before = { ...process.env };
    Object.assign(process.env, env);
    try {
      return await smoke('--stack', 'prompt-to-project-prod', '--only', 'rollout', '--rollout');
    } finally {
      process.env = before;
      close();
    }
  }

  it('gives a new version of the function of pages a tenth of the requests, and takes it back', async () => {
    const released = new ReleasedFunction();
    const { stdout, stderr } = await rollout(released);
    expect(stdout + stderr).toMatch(/^✓ rollout .*\(version 8 got 10 % for a while\)$/m);
    const published = ['PUT /configuration', 'POST /versions', 'PUT /configuration'];
    const stops = ['StopDeployment', 'StopDeployment'];
    expect(released.changes).toEqual([...published, 'CreateDeployment', ...stops, 'DELETE ?Qualifier=8']);
    const { alias, description, versions } = released;
    expect({ alias, description, versions }).toEqual({
      alias: { FunctionVersion: '7' },
      description: 'Serves pages',
      versions: [{ number: 7, description: 'Serves pages' }],
    });
  });

  it('does not disturb a deployment, and skips a stack that is deployed all at once', async () => {
    const released = new ReleasedFunction();
    const weights = { AdditionalVersionWeights: { '8': 0.1 } };
    released.alias = { FunctionVersion: '7', RoutingConfig: weights };
    expect((await rollout(released)).stdout).toContain('A deployment of version 8 is in progress');
    expect((await rollout(released, {})).stdout).toMatch(
      /^- rollout +skipped: the stack has no deployments/m,
    );
    expect(released.changes).toEqual([]);
  });
});

it('passes against a service with origins for sites, on which pages can be private', async () => {
  const steps = 'visit,redirects,redeploy,hashed-files,edge-cache,paths,private';
  const { code, stdout } = await smokeSites('--only', steps);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('7 passed, 0 failed, 0 skipped'),
  });
  expect(stdout).toMatch(/^✓ private .*\(copies gone after [\d.]+ s of \d+\)$/m);
});

type Change = (response: ProxiedResponse, request: ProxiedRequest) => void;

/** Breaks the responses to a method and path. */
const on = (method: string, path: RegExp, change: Change): Breakage => ({
  response: (response, request) => {
    if (request.method === method && path.test(request.path)) change(response, request);
  },
});
const header = (name: string, value: string): Change => {
  return ({ headers }) => {
    headers[name] = value;
  };
};
const without = (name: string): Change => {
  return ({ headers }) => {
    delete headers[name];
  };
};
const requestWithout = (name: string): Breakage => ({ request: ({ headers }) => delete headers[name] });
const replaced = (status: number, body = '', type = 'text/plain'): Change => {
  return (response) => {
    Object.assign(response, { status, body: Buffer.from(body) });
    response.headers['content-type'] = type;
  };
};
const edited = (from: RegExp, to: string): Change => {
  return (response) => {
    response.body = Buffer.from(response.body.toString().replace(from, to));
  };
};
/** Responds as the first time, whatever the path. */
const remembered = (): Change => {
  let first: ProxiedResponse | undefined;
  return (response) => {
    first ??= structuredClone(response);
    Object.assign(response, { ...first, headers: Object.assign(response.headers, first.headers) });
    response.body = Buffer.from(first.body);
  };
};

const PAGE = /^\/d\/\w{12}\/$/;
const DEPLOY = /^\/api\/v1\/deploy$/;
const GENERATE = /^\/api\/v1\/generate$/;
const forbidden = replaced(403, '{"message": "Missing Authentication Token"}', 'application/json');
/** How Lambda responds for a function that ended before its stream began. */
const emptyStream = replaced(200, '', 'application/octet-stream');

const BREAKAGES: readonly [step: string, what: string, breakage: Breakage, problem: RegExp][] = [
  ['errors', 'a 403 of API Gateway', on('GET', /\/api\/v1$/, forbidden), /returned 403 instead of 404/],
  [
    'errors',
    'an error that is not JSON',
    on('GET', /no-such-path/, replaced(404, '<html>', 'text/html')),
    /has content-type: text\/html/i,
  ],
  [
    'errors',
    'a request id of the client',
    on('GET', /no-such-path/, header('x-request-id', 'smoke')),
    /has X-Request-Id: smoke/,
  ],
  [
    'api-gzip',
    'base64 that is not decoded',
    on('POST', DEPLOY, (response) => {
      response.body = Buffer.from(response.body.toString('base64'));
    }),
    /is not gzip/,
  ],
  [
    'firewall',
    'a web ACL that inspects bodies',
    on(
      'POST',
      DEPLOY,
      replaced(403, '<title>ERROR: The request could not be satisfied</title>', 'text/html'),
    ),
    /returned 403 instead of 409/,
  ],
  [
    'build',
    'source that is published without a build',
    on('GET', PAGE, edited(/ src="[^"]+"/, '')),
    /refers to no script/,
  ],
  [
    'build',
    'a function that cannot load its native packages',
    on('POST', DEPLOY, replaced(500, '{"error": "Internal error"}', 'application/json')),
    /returned 500 instead of 201/,
  ],
  [
    'generate-deploy',
    'a deploy whose page cannot be loaded',
    on('POST', GENERATE, edited(/"deployment":\{.*\}/, '"deploymentError":{"status":502,"error":"no DNS"}}')),
    /The deploy failed with 502: no DNS/,
  ],
  [
    'cors',
    'another allowed origin',
    on('OPTIONS', DEPLOY, header('access-control-allow-origin', 'null')),
    /Access-Control-Allow-Origin: null/,
  ],
  [
    'cors',
    'no allowed headers',
    on('OPTIONS', DEPLOY, without('access-control-allow-headers')),
    /no Access-Control-Allow-Headers/,
  ],
  [
    'rate-limit',
    'a limit that is not used up',
    on('POST', /no-such-path/, header('x-ratelimit-remaining', '9')),
    /9 requests remained, then 9/,
  ],
  [
    'www-authenticate',
    'a 401 without the header',
    on('GET', /usage/, without('www-authenticate')),
    /no WWW-Authenticate/,
  ],
  [
    'www-authenticate',
    'a success with the header',
    on('OPTIONS', DEPLOY, header('www-authenticate', 'Bearer')),
    /WWW-Authenticate: Bearer, but none/,
  ],
  ['too-large', 'a 413 of API Gateway', on('POST', DEPLOY, replaced(413, 'Too long')), /text\/plain/],
  [
    'security-headers',
    'pages without nosniff',
    on('GET', PAGE, without('x-content-type-options')),
    /GET \/d\/\w+\/ has no X-Content-Type-Options/,
  ],
  [
    'console',
    'no opener policy',
    on('GET', /^\/$/, without('cross-origin-opener-policy')),
    /has no Cross-Origin-Opener-Policy/,
  ],
  ['console', 'service workers of sites', on('GET', /sw\.js$/, replaced(404)), /can have service workers/],
  [
    'console',
    'a preview without a sandbox',
    on('GET', /^\/preview$/, without('content-security-policy')),
    /GET \/preview has no Content-Security-Policy/,
  ],
  [
    'api-key',
    'the limit of anonymous callers',
    on('GET', /usage/, header('x-ratelimit-limit', '10')),
    /limit is 10 with/,
  ],
  ['token', 'a token without the scope', on('GET', /assets/, forbidden), /returned 403 instead of 404/],
  ['asset', 'an empty stream', on('PATCH', /assets/, emptyStream), /PATCH .* returned 200 instead of 204/],
  [
    'generate',
    'no files',
    on('POST', GENERATE, edited(/"files":\[.*\]/s, '"files":[]')),
    /returned no files/,
  ],
  ['generate-async', 'no Location', on('POST', GENERATE, without('location')), /has the Location ""/],
  ['generate-events', 'all events at the end', { response: () => {} }, /All events arrived within \d+ ms, /],
  ['generate-events', 'an empty stream', on('POST', GENERATE, emptyStream), /octet-stream/],
  [
    'generate-large',
    'files that are missing',
    on('GET', /generations\/[\w-]+$/, edited(/"status":"succeeded"/, '"status":"incomplete"')),
    /The generation is incomplete/,
  ],
  [
    'cancel',
    'a generation that goes on',
    on('DELETE', /generations/, replaced(200, '{"status": "running"}', 'application/json')),
    /is running after it was canceled/,
  ],
  [
    'deploy',
    'the URL of another service',
    on('POST', DEPLOY, edited(/"url":"[^"]+/, '"url":"https://example.com/')),
    /is https:\/\/example.com\/, which is not/,
  ],
  [
    'idempotency-key',
    'the header is dropped',
    requestWithout('idempotency-key'),
    /The request made version .*, and its repetition/,
  ],
  [
    'deploy-gzip',
    'a body that was decoded as text',
    {
      request: (request) => {
        if (request.headers['content-encoding']) request.body = Buffer.from(request.body.toString());
      },
    },
    /returned 400 instead of 201: .* not gzip/,
  ],
  [
    'deploy-large',
    'a Location on API Gateway',
    on('POST', DEPLOY, (response) => {
      if (response.status === 303) response.headers.location = 'https://x.execute-api.amazonaws.com/api/';
    }),
    /which is not under http/,
  ],
  [
    'deploy-chunked',
    'one object for two bodies',
    on('POST', DEPLOY, remembered()),
    /Two bodies have the Location/,
  ],
  ['visit', 'no revalidation', requestWithout('if-none-match'), /GET \/d\/\w+\/ returned 200 instead of 304/],
  ['visit', 'a page as a download', on('GET', PAGE, emptyStream), /Content-Type: application\/octet-stream/],
  ['range', 'no ranges', requestWithout('range'), /returned 200 instead of 206/],
  [
    'redirects',
    'the query is lost',
    on('GET', /\?a=1$/, ({ headers }) => {
      headers.location = headers.location?.replace('?a=1', '');
    }),
    /\?a=1 leads to http/,
  ],
  [
    'paths',
    'a plus that is read as a space',
    {
      request: (request) => {
        request.path = request.path.replace(/\+(?=.*txt)/, '%20');
      },
    },
    /returned "This is a b.txt" instead of the file "a\+b.txt"/,
  ],
  [
    'paths',
    'a query that is decoded',
    on('GET', /\?q=a%2Bb&r/, ({ headers }) => {
      headers.location = headers.location?.replace('%2B', '+');
    }),
    /redirects to .*q=a\+b/,
  ],
  ['burst', 'too few instances', on('GET', /many\/1\d/, replaced(429)), /10 of 30 files failed: 429/],
  [
    'page-encoding',
    'a body that does not match its header',
    on('GET', PAGE, (response, { headers }) => {
      if (headers['accept-encoding'] === 'gzip') response.headers['content-encoding'] = 'gzip';
    }),
    /has a different body with gzip/,
  ],
  ['issuer', 'an unchecked signature', on('GET', /usage/, replaced(200)), /returned 200 instead of 401/],
  ['wait', 'a 504 of the edge', on('GET', /result$/, replaced(504)), /returned 504 instead of 200 or 303/],
  ['redeploy', 'a page that the edge kept', on('GET', PAGE, remembered()), /version 2 shows .*Version 1</],
  [
    'hashed-files',
    'the old files are gone',
    on('GET', /assets\/app-a1c3e501/, replaced(404)),
    /01.js returned 404/,
  ],
  [
    'hashed-files',
    'all old files remain',
    on('GET', /only-in-1/, replaced(200)),
    /only-in-1.txt returned 200/,
  ],
  [
    'edge-cache',
    'pages from the cache',
    on('GET', PAGE, header('x-cache', 'Hit from cloudfront')),
    /Hit from cloudfront/,
  ],
  [
    'edge-cache',
    'an edge that keeps no copies',
    on('GET', PAGE, header('x-cache', 'Miss from cloudfront')),
    /kept no copy of the page/,
  ],
  [
    'edge-cache',
    'nothing from the cache',
    on('GET', /assets/, header('x-cache', 'Miss from cloudfront')),
    /answered none of 5 visits/,
  ],
  [
    'views',
    'user agents that are not forwarded',
    requestWithout('user-agent'),
    /counted as one by a program/,
  ],
  ['views', 'referrers that are not forwarded', requestWithout('referer'), /not from ""/],
  [
    'report',
    'a form without its query',
    on('GET', /\/report/, edited(/value="[^"]*\/d\/\w+"/, 'value=""')),
    /does not fill in the address/,
  ],
  ['report', 'a form that is lost', on('POST', /\/report$/, replaced(400)), /returned 400 instead of 202/],
  ['rollback', 'another version', on('POST', /rollback/, header('etag', '"other"')), /ETag: "other"/],
  ['download', 'an empty body', on('GET', /\.zip$/, emptyStream), /Content-Type: application\/octet-stream/],
  ['download', 'half of it', on('GET', /\.zip$/, edited(/.{99}$/s, '')), /not a complete zip/],
  [
    'look',
    'a browser that does not start',
    on('GET', /deployments\/\w{12}$/, edited(/"skipped"/g, '"failed"')),
    /The look is failed/,
  ],
  [
    'list',
    'an index that it may not query',
    on('GET', /deployments\?/, replaced(500, '{}', 'application/json')),
    /returned 500 instead of 200/,
  ],
  [
    'list',
    'a version that is not live',
    on('GET', /deployments\?/, edited(/"version":"[^"]+"/, '"version":"old"')),
    /lists version old instead of/,
  ],
  [
    'delete',
    'the page is still there',
    on('GET', PAGE, (response) => {
      if (response.status === 410) response.status = 200;
    }),
    /GET \/d\/\w+\/ returned 200 instead of 410/,
  ],
  [
    'delete',
    'no promise',
    on('DELETE', /deployments/, emptyStream),
    /returned \(no body\)|without a JSON body/,
  ],
  ['claim', 'a deploy that does not name the claim', on('POST', DEPLOY, without('link')), /has no Link, but/],
  [
    'claim',
    'a claim that changes nothing',
    on('POST', /claim$/, edited(/"owner":"key"/, '"owner":"anonymous"')),
    /left the deployment without an owner/,
  ],
  [
    'expiry',
    'a life that the response does not say',
    on('POST', DEPLOY, without('x-deployment-expires')),
    /has no X-Deployment-Expires/,
  ],
  [
    'domain',
    'a certificate that is not issued',
    on(
      'GET',
      /deployments\/\w{12}$/,
      edited(/"waiting_for_dns"|"issuing"/, '"failed","reason":"the reason"'),
    ),
    /breakage.localhost is failed: the reason/,
  ],
  [
    'agents',
    'an API that the function does not reach',
    on('POST', /mcp/, edited(/There is no such generation/, 'No complete response from https://api')),
    /the tool returned "No complete response/,
  ],
  [
    'agents',
    'a body where clients expect none',
    on('POST', /mcp/, (response) => {
      if (response.status === 202) response.body = Buffer.from('{}');
    }),
    /has a body/,
  ],
];

it.each(BREAKAGES)('%s fails with %s', async (step, _, breakage, problem) => {
  proxy.break(breakage);
  const domain = ['--domain', 'breakage.localhost'];
  const { code, stdout, stderr } = await smoke(...credentials, ...domain, '--slow', '--only', step);
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({ code: 1, stderr: `Failed: ${step}` });
  const [, shown = ''] = /^ +problem: (.*)$/m.exec(stdout) ?? [];
  expect(shown).toMatch(problem);
  expect(stdout).toMatch(/^ +means: \S.*\n +look at: \S/m);
});

it.each<[string, Breakage, RegExp]>([
  [
    'a change without a promise',
    on('PATCH', /deployments/, edited(/"copiesUntil":\d+,?/, '')),
    /does not say until when/,
  ],
  [
    'a form that leads to the service',
    on('POST', /unlock$/, header('location', 'http://localhost/')),
    /leads to http:\/\/localhost\/ instead of/,
  ],
])('private fails with %s', async (_, breakage, problem) => {
  siteProxy.break(breakage);
  const { code, stdout } = await smokeSites('--only', 'private');
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(problem) });
});

it('has a breakage for every step', () => {
  // `test/unit/cli/smoke-account.test.ts` breaks the capacity.
  const others = ['private', 'gateway', 'capacity', 'rollout'];
  const broken = new Set([...BREAKAGES.map(([step]) => step), ...others]);
  expect(broken).toEqual(new Set(STEPS.map(({ name }) => name)));
});

it('deletes its deployment after a failure', async () => {
  const paths = new Set<string>();
  const stale = on('GET', PAGE, remembered());
  proxy.break({ ...stale, request: ({ path }) => void (PAGE.test(path) && paths.add(path)) });
  expect((await smoke(...credentials, '--only', 'redeploy')).code).toBe(1);
  const [path = ''] = paths;
  expect((await newCaller().send(path)).status).toBe(410);
});

it('waits for the rate limit, and says so', async () => {
  let limited = false;
  const limit = on('POST', DEPLOY, (response) => {
    if (limited) return;
    limited = true;
    response.status = 429;
    response.headers['retry-after'] = '1';
  });
  // Where other tests leave callers without a key more than they use.
  siteProxy.break(limit);
  const { code, stderr, stdout } = await smokeSites('--only', 'idempotency-key');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('✓ idempotency-key') });
  expect(stderr).toBe('Waiting 1 s for the rate limit; a --key raises it\n');
});

it('prints one JSON object with --json', async () => {
  proxy.break(on('OPTIONS', DEPLOY, without('access-control-allow-headers')));
  const { code, stdout } = await smoke('--json', '--only', 'cors,api-key');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    url: `${proxy.url}/`,
    counted: 0,
    steps: [
      {
        name: 'cors',
        status: 'failed',
        ms: expect.any(Number),
        problem: expect.stringContaining('Access-Control'),
        means: expect.any(String),
        lookAt: expect.any(String),
      },
      { name: 'api-key', status: 'skipped', note: 'pass --key' },
    ],
  });
});

it.each([
  ['in a terminal', {}, true],
  ['with NO_COLOR', { NO_COLOR: '1' }, false],
])('colors marks %s: %j', async (_, env, colored) => {
  let printed = '';
  const stdout = { isTTY: true, write: (text: string) => (printed += text) };
  await main(['--url', proxy.url, '--only', 'cors'], { stdout, stderr: stdout, env });
  expect(printed.startsWith(colored ? '\u001b[32m✓\u001b[39m cors ' : '✓ cors ')).toBe(true);
});

it.each([
  ['Missing option --url', []],
  ['Invalid --url ftp://a: expected a base URL', ['--url', 'ftp://a']],
  ['Invalid --url https://a.example/d/x: expected', ['--url', 'https://a.example/d/x']],
  ['http://127.0.0.1:1/ is unreachable (GET /: ECONNREFUSED', ['--url', 'http://127.0.0.1:1']],
  ['Unknown step "x": the steps are errors, ', ['--url', 'http://127.0.0.1:1', '--only', 'x']],
  ['Unexpected argument: x', ['x', '--url', 'http://127.0.0.1:1']],
])('explains a mistake: %s', async (message, args) => {
  const { code, stdout, stderr } = await runMain(main, args, {});
  const expected = { code: message.includes('unreachable') ? 1 : 2, stdout: '' };
  expect({ code, stdout, stderr }).toEqual({ ...expected, stderr: expect.stringContaining(message) });
});
