import { setTimeout as sleep } from 'node:timers/promises';
import type { AliasState, SiteRelease } from '../../cli/site-release.ts';
import { concurrencyProblem } from '../../cli/smoke-command.ts';
import { check, expectError, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import type { Session } from '../support/stage/session.ts';

onStage({
  name: 'gateway',
  title: "API Gateway's own address rejects requests",
  means: 'Anybody can bypass CloudFront and its web ACL, and forge the address that the rate limit counts.',
  lookAt: 'apiGatewayDoor of the configuration, and the log group *-UsageApiLogs*',
  run: async (session) => {
    const { stack } = session.options;
    if (!stack) throw new SkippedError('pass --stack');
    const forged = { 'x-ptp-origin-secret': 'smoke', 'x-ptp-viewer-address': '198.51.100.7' };
    for (const headers of [{}, forged])
      for (const path of ['api/v1/usage', 'api/v1/providers', 'no-such-path'])
        expectError(await sendToGateway(session, stack.gateway, path, headers), 403);
  },
});

/** The local cloud serves API Gateway's address at its own port, and recognizes it by the Host header. */
function sendToGateway(
  { http, options: { baseUrl } }: Session,
  base: URL,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const url = new URL(path, base);
  if (baseUrl.hostname !== 'localhost') return http.send(url, { headers });
  return http.send(new URL(url.pathname, baseUrl), { headers: { ...headers, host: url.host } });
}

onStage({
  name: 'capacity',
  title: 'The account has the concurrency that the functions reserve',
  means: 'A flood on one function takes the instances of all others, and visitors see errors.',
  lookAt: 'Lambda > Dashboard: the quota of concurrent executions, and the section Quotas of docs/operating.md',
  run: async (session) => {
    const { stack } = session.options;
    if (!stack) throw new SkippedError('pass --stack');
    if (!stack.concurrency) throw new SkippedError('the local cloud has no quota');
    const { quota, reserved } = stack.concurrency;
    if (reserved === 0)
      throw new SkippedError(`nothing is reserved: the account allows ${quota} concurrent executions`);
    const problem = concurrencyProblem(stack.concurrency);
    check(problem === undefined, String(problem));
    return `${reserved} of ${quota} are reserved for this stack`;
  },
});

const VISITS = 50;

/** How long CodeDeploy may take to move the alias. */
const PATIENCE_MS = 180_000;

const POLL_MS = 2_000;

onStage({
  name: 'rollout',
  title: 'A new version of the function of pages gets a tenth of the visits, and none once its deployment is stopped',
  means: 'A faulty release reaches all visitors at once, or cannot be rolled back.',
  lookAt:
    'CodeDeploy > Deployments. Lambda > *DeploymentsSite* > Aliases > live: "Rolling out and back" in docs/operating.md says how to move it',
  run: async (session) => {
    const { stack } = session.options;
    if (!session.options.rollout) throw new SkippedError('it deploys a version of a function: pass --rollout');
    if (!stack) throw new SkippedError('pass --stack');
    if (!stack.site) throw new SkippedError('the stack has no deployments of CodeDeploy');
    return rollOutAndBack(session, stack.site);
  },
});

async function rollOutAndBack(session: Session, site: SiteRelease): Promise<string> {
  const before = await site.alias();
  const moving = Object.keys(before.shares);
  check(moving.length === 0, `A deployment of version ${moving} is in progress: wait for its end`);
  await session.site();
  const release = await site.begin();
  const back = async () => {
    await site.stop(release);
    await reach(
      site,
      `version ${before.version} gets all requests`,
      ({ version, shares }) => version === before.version && Object.keys(shares).length === 0,
    );
  };
  session.cleanUp(async () => {
    await back();
    await site.remove(release);
  });
  const { shares } = await reach(
    site,
    `version ${release.version} gets a part of the requests`,
    (state) => release.version in state.shares,
  );
  await visitAll(session);
  await back();
  await visitAll(session);
  return `version ${release.version} got ${Number(shares[release.version]) * 100} % for a while`;
}

/** Each visit reaches the function, because the edge revalidates pages. */
async function visitAll(session: Session): Promise<void> {
  for (let n = 0; n < VISITS; n++) expectStatus(await session.visit(''), 200);
}

async function reach(site: SiteRelease, what: string, isReached: (state: AliasState) => boolean): Promise<AliasState> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const state = await site.alias();
    if (isReached(state)) return state;
    check(
      performance.now() < end,
      `Expected within ${PATIENCE_MS / 1_000} s that ${what}, but the alias has ${JSON.stringify(state)}`,
    );
    await sleep(POLL_MS);
  }
}
