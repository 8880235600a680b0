import { setTimeout as sleep } from 'node:timers/promises';
import { check, expectStatus, SkippedError } from './checks.ts';
import type { Session } from './session.ts';
import type { AliasState, SiteRelease } from './stack-facts.ts';
import type { Step } from './step.ts';

const VISITS = 50;
/** How long CodeDeploy may take to move the alias. */
const PATIENCE_MS = 180_000;
const POLL_MS = 2_000;

const rollout: Step = {
  name: 'rollout',
  title:
    'A new version of the function of pages gets a tenth of the visits, and none once its deployment is stopped',
  means: 'A faulty release reaches all visitors at once, or cannot be rolled back.',
  lookAt:
    'CodeDeploy > Deployments. Lambda > *DeploymentsSite* > Aliases > live: "Rolling out and back" in docs/operating.md says how to move it',
  run: async (session) => {
    const { stack } = session.options;
    if (!session.options.rollout)
      throw new SkippedError('it deploys a version of a function: pass --rollout');
    if (!stack) throw new SkippedError('pass --stack');
    if (!stack.site) throw new SkippedError('the stack has no deployments of CodeDeploy');
    return rollOutAndBack(session, stack.site);
  },
};

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

async function reach(
  site: SiteRelease,
  what: string,
  isReached: (state: AliasState) => boolean,
): Promise<AliasState> {
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

export const ROLLOUT_STEPS = [rollout];
