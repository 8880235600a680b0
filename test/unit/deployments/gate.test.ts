import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { deploy } from '../../../lambda/deployments/deploy.ts';
import { deployGeneration } from '../../../lambda/deployments/deploy-generation.ts';
import { gateOf } from '../../../lambda/deployments/gate.ts';
import { newDeploymentNames } from '../../../lambda/deployments/idempotency-store.ts';
import { rollBack } from '../../../lambda/deployments/manage.ts';
import { deploymentResource } from '../../../lambda/deployments/resource.ts';
import { claimDeployment } from '../../../lambda/deployments/settings.ts';
import type { DeployStage } from '../../../lambda/deployments/stage.ts';
import { acceptSubmission } from '../../../lambda/deployments/submission.ts';
import { type Deployment, liveVersion } from '../../../lambda/stored/deployment.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { senderOf, startWorld } from '../../support/deployments.ts';
import { page } from '../../support/gate/sample.ts';

const KIT = page('PayPal', '<form action="https://a.example/"><input type="password"></form>');
const CLEAN = page('Recipes', '<h1>Soup</h1>');
const BOUNDS = { anonymousPoints: 50, keyPoints: 100 };

const world = await startWorld();
let taken: number;
beforeEach(() => {
  taken = 0;
  world.withdrawn.length = 0;
});

const stage = (more: Partial<DeployStage> = {}): DeployStage => ({
  ...world.stage,
  gate: gateOf({ GATE: BOUNDS }, world.stage),
  copies: world.copies({ invalidations: { take: async () => ++taken > 0 } }),
  ...more,
});

function publish(
  content: string,
  projectId: string,
  { owner = 'anonymous', script = '', ...more }: Partial<DeployStage> & { owner?: string; script?: string } = {},
) {
  const files = [{ path: 'index.html', content }, ...(script ? [{ path: script, content: '' }] : [])];
  return deploy(acceptSubmission({ files, projectId }), senderOf(owner), newDeploymentNames(), stage(more));
}

const find = (id: string) => world.find(id);

async function listed(id: string) {
  const { Item } = await world.db.send(new GetCommand({ TableName: world.table, Key: { id: `held:${id}` } }));
  return Item;
}

async function reviewOf(id: string, shown = stage(), more: Partial<Deployment> = {}) {
  const deployment = { ...(await find(id)), ...more };
  const live = liveVersion(deployment);
  if (!live) throw new Error('It is deleted');
  const details = { builds: new Map(), looks: new Map() };
  return deploymentResource(deployment, live, shown, details).review;
}

it('says that a page is held and why, and puts it on the list of the operator', async () => {
  const { response, warning, held } = await publish(KIT, 'kit');
  expect(warning).toBe(held);
  expect(warning).toMatch(
    /^The page is held for review, .* it has 85 points of the gate, and pages without an owner may have 50\. .*claim it with an API key.*index\.html: It sends secrets/,
  );
  expect(await listed(response.id)).toEqual({
    id: `held:${response.id}`,
    listOwner: '#held',
    createdAt: expect.any(Number),
  });
  expect(await reviewOf(response.id)).toEqual({
    state: 'held',
    points: 85,
    reasons: expect.arrayContaining([
      { kind: 'fields', reason: 'It asks for a password', path: 'index.html', points: 10 },
    ]),
  });
  expect(await reviewOf(response.id, world.stage)).toBe(undefined);
});

it('says nothing of pages below the bound of their owner', async () => {
  const ofKey = await publish(KIT, 'of-key', { owner: 'key:a' });
  expect(ofKey.warning).toBe(undefined);
  expect(await reviewOf(ofKey.response.id)).toBe(undefined);
  expect(await listed(ofKey.response.id)).toBe(undefined);
  const clean = await publish(CLEAN, 'clean');
  expect(clean.warning).toBe(undefined);
  expect(liveVersion(await find(clean.response.id))?.gate).toBe(undefined);
});

it('repeats that a page is held for a deploy that is repeated', async () => {
  const submission = acceptSubmission({ files: [{ path: 'index.html', content: KIT }], projectId: 'again' });
  const names = newDeploymentNames();
  const first = await deploy(submission, senderOf('anonymous'), names, stage());
  expect((await deploy(submission, senderOf('anonymous'), names, stage())).warning).toBe(first.warning);
});

describe('a live page that becomes held', () => {
  const script = 'assets/index-BkC3x9aZ.js';

  it('by a deploy loses its copies at the edge, if there may be any, and once', async () => {
    const { response } = await publish(CLEAN, 'withdrawn', { script });
    await publish(KIT, 'withdrawn', { script });
    expect(world.withdrawn).toEqual([response.id]);
    await publish(KIT, 'withdrawn', { script });
    expect(world.withdrawn).toEqual([response.id]);
    expect(taken).toBe(1);
    expect((await find(response.id)).withdrawal?.until).toBeGreaterThan(0);
  });

  it('without files that the edge serves without asking needs no invalidation', async () => {
    await publish(CLEAN, 'asked');
    await publish(KIT, 'asked');
    expect([world.withdrawn, taken]).toEqual([[], 0]);
  });

  it('is held even if the invalidations of the month are used up', async () => {
    await publish(CLEAN, 'used-up', { script });
    const { held } = await publish(KIT, 'used-up', {
      script,
      copies: world.copies({ invalidations: { take: async () => false } }),
    });
    expect(held).toContain('held for review');
    expect(world.withdrawn).toEqual([]);
  });

  it('by a rollback loses its copies, too, and is listed', async () => {
    const { response, version } = await publish(KIT, 'rolled', { script });
    await publish(CLEAN, 'rolled', { script });
    const before = await find(response.id);
    expect(await listed(response.id)).not.toHaveProperty('listOwner');
    const after = await rollBack(before, version, undefined, stage());
    expect(after.withdrawal?.until).toBeGreaterThan(0);
    expect(world.withdrawn).toEqual([response.id]);
    expect(await listed(response.id)).toHaveProperty('listOwner', '#held');
    await rollBack(after, before.live, undefined, stage());
    expect(await listed(response.id)).not.toHaveProperty('listOwner');
  });
});

it('leaves the list once a key claims the page, unless it is held then, too', async () => {
  const { response } = await publish(KIT, 'claimed');
  await claimDeployment(await find(response.id), 'key:a', stage());
  expect(await listed(response.id)).not.toHaveProperty('listOwner');
  const strict = gateOf({ GATE: { anonymousPoints: 50, keyPoints: 60 } }, world.stage);
  const other = await publish(KIT, 'claimed-too');
  await claimDeployment(await find(other.response.id), 'key:a', stage({ gate: strict }));
  expect(await listed(other.response.id)).toHaveProperty('listOwner', '#held');
});

it('shows a page as released, which has as many points as the operator allowed', async () => {
  const { response } = await publish(KIT, 'released');
  const released = { released: { points: 85, at: 1 } };
  expect(await reviewOf(response.id, stage(), released)).toMatchObject({ state: 'released', points: 85 });
});

const folder = temporaryFolder();
it('reads its list of bad URLs beside the function, and holds whatever names one of them', async () => {
  writeFileSync(join(folder, 'list.txt'), 'bad.example # seen yesterday\n');
  const beside = relative('lambda/deployments', join(folder, 'list.txt'));
  const gate = gateOf({ GATE: { anonymousPoints: 250, keyPoints: 250 }, BAD_URLS: beside }, world.stage);
  const names = page('Links', '<a href="https://www.bad.example/x">x</a>');
  expect((await publish(names, 'bad', { gate, owner: 'key:a' })).held).toContain('listed as bad');
  expect((await publish(names, 'not-bad')).held).toBe(undefined);
});

it('tells a generation that its page is held, instead of a visit that finds a 403', async () => {
  const deployed = { owner: 'anonymous', deployer: undefined, names: newDeploymentNames(), holdsToken: false };
  const generation = { id: 'g', status: 'deploying' as const, log: [], deploy: deployed };
  const files = async () => [{ path: 'index.html', content: KIT, size: KIT.length }];
  const outcome = await deployGeneration(
    'g',
    { find: async () => generation, files },
    async () => {
      throw new Error('Nobody may visit it');
    },
    stage(),
  );
  expect(outcome).toMatchObject({
    problems: [],
    failure: expect.stringMatching(/^is held for review, and visitors get a 403/),
    warning: expect.stringContaining('is held'),
  });
});
