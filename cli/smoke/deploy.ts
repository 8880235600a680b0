import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { DeployResponse } from '../../lambda/contract/deploy.ts';
import { check, expectError, expectStatus } from './checks.ts';
import { type SmokeResponse, short } from './http.ts';
import { DEPLOY, type Session } from './session.ts';
import type { Step } from './step.ts';

/** More than a Lambda event holds. */
const LARGE_BODY_BYTES = 4_800_000;
const LOGS = 'The log group *-DeploymentsApiLogs*';
const STAGING =
  `${LOGS}, *-DeploymentsStagingAuthorizerLogs*, and API Gateway > Resources > /api/v1/deploy/staged > POST: the ` +
  'integration with S3 takes {id} and the Location from context.authorizer';

const deploy: Step = {
  name: 'deploy',
  title: 'A deploy publishes files at a URL',
  means: 'The function cannot write to its table or bucket, or the base URL of its responses is wrong.',
  lookAt: `${LOGS}, and the output BaseUrl of the stack`,
  run: async (session) => {
    const { url } = (await deployWithKey(session)).response.json<DeployResponse>();
    const { href } = session.options.baseUrl;
    check(url.startsWith(href), `The URL of the deployment is ${url}, which is not under ${href}`);
    return url;
  },
};

const idempotency: Step = {
  name: 'idempotency-key',
  title: 'A repeated deploy with an Idempotency-Key changes nothing',
  means: 'A client that repeats a request after a lost response deploys twice.',
  lookAt: `${LOGS}. CloudFront > Distributions > Behaviors > /api/*: the origin request policy sends all headers`,
  run: async (session) => {
    const { call, response } = session.repeatable ?? (await deployWithKey(session));
    const again = await session.api('POST', DEPLOY, call);
    expectStatus(again, 200, 201);
    const [first, second] = [response, again].map(({ headers }) => headers.etag);
    check(first === second, `The request made version ${first}, and its repetition ${second}`);
  },
};

async function deployWithKey(session: Session): Promise<NonNullable<Session['repeatable']>> {
  await session.deploy(async (body) => {
    const { headers } = session.deployCall(body);
    const call = { body, headers: { ...headers, 'idempotency-key': randomUUID() } };
    session.repeatable = { call, response: await session.api('POST', DEPLOY, call) };
    return session.repeatable.response;
  });
  check(session.repeatable !== undefined, 'The deploy has no response');
  return session.repeatable;
}

const deployGzip: Step = {
  name: 'deploy-gzip',
  title: 'A body with Content-Encoding: gzip is deployed',
  means: 'API Gateway passes compressed bodies on as text, which damages them.',
  lookAt: 'API Gateway > API settings: binary media types must contain */*',
  run: async (session) => {
    const { live } = await session.deploy((body) => {
      const { headers } = session.deployCall(body);
      const packed = { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } };
      return session.api('POST', DEPLOY, packed);
    });
    return expectVisible(session, live.n);
  },
};

const deployLarge: Step = {
  name: 'deploy-large',
  title: 'A body that is too large for a Lambda event is stored, and deployed by the 303',
  means: 'CloudFront does not rewrite the path, or API Gateway cannot store the body in S3.',
  lookAt: STAGING,
  run: async (session) => {
    const { live } = await session.deploy(async (body) => {
      const large = `${body.slice(0, -1)},"ignored":"${'.'.repeat(LARGE_BODY_BYTES)}"}`;
      const stored = await session.api('POST', DEPLOY, { ...session.deployCall(large), seconds: 300 });
      expectStatus(stored, 303);
      const path = session.pathOf(stored);
      // Bodies belong to the credentials that they were sent with.
      expectError(await session.api('GET', path, { headers: { 'x-deployment-token': 'ptd_smoke' } }), 404);
      return session.follow(stored, { headers: session.ownership });
    });
    return expectVisible(session, live.n);
  },
};

const deployChunked: Step = {
  name: 'deploy-chunked',
  title: 'Bodies without Content-Length are stored apart, even if a client chooses their request id',
  means:
    'Bodies of unknown length reach the function, or one overwrites another: a client can choose the request id of API ' +
    'Gateway, so that it must not name the object.',
  lookAt: STAGING,
  run: async (session) => {
    const requestId = randomUUID();
    const store = async (body: string) => {
      const { headers } = session.deployCall(body);
      const chosen = { ...headers, 'x-amzn-requestid': requestId };
      const stored = await session.api('POST', DEPLOY, { body, chunked: true, headers: chosen });
      expectStatus(stored, 303);
      return stored;
    };
    const { live } = await session.deploy(async (body) => {
      const first = await store(body);
      const second = await store('{"files": []}');
      const { location = '' } = first.headers;
      check(location !== second.headers.location, `Two bodies have the Location ${location}`);
      check(!location.includes(requestId), `The client chose the Location ${location}`);
      return session.follow(first, { headers: session.ownership });
    });
    return expectVisible(session, live.n);
  },
};

export const DEPLOY_STEPS = [deploy, idempotency, deployGzip, deployLarge, deployChunked];

/**
 * Checks that the first visit after the response to a deploy shows its version. Returns a note if this stage lets the edge
 * keep pages for a while (`deployments.edgeSeconds`).
 */
export async function expectVisible(session: Session, version: number): Promise<string | undefined> {
  const page = await session.visit('');
  expectStatus(page, 200);
  if (shows(page, version)) return undefined;
  const seconds = edgeSeconds(page);
  const { 'x-cache': cache = 'no X-Cache', 'cache-control': control } = page.headers;
  const found = `${short(page.text)} (${cache}; ${control})`;
  check(seconds > 0, `The first visit after the deploy of version ${version} shows ${found}`);
  return `the edge may show an older version for ${seconds} s (edgeSeconds)`;
}

/** Waits until visitors see the live version, if this stage lets the edge keep pages for a while. */
export async function settle(session: Session): Promise<void> {
  const { live } = await session.site();
  let page = await session.visit('');
  for (let left = edgeSeconds(page); left > 0 && !shows(page, live.n); left--) {
    await sleep(1_000);
    page = await session.visit('');
  }
}

const shows = ({ text }: SmokeResponse, version: number) =>
  text.includes(`<title>Version ${version}</title>`);

/** Returns for how many seconds the edge may respond with a page without revalidating it. */
export function edgeSeconds({ headers }: SmokeResponse): number {
  return Number(/s-maxage=(\d+)/.exec(headers['cache-control'] ?? '')?.[1] ?? 0);
}
