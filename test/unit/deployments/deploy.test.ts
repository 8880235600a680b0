import { hash } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeployFile } from '../../../lambda/contract/deploy.ts';
import { ApiError } from '../../../lambda/contract/errors.ts';
import type { EdgeCopiesOptions } from '../../../lambda/deployments/copies/edge-copies.ts';
import { deploy } from '../../../lambda/deployments/deploy.ts';
import { newDeploymentNames } from '../../../lambda/deployments/idempotency-store.ts';
import { deleteDeployment, rollBack } from '../../../lambda/deployments/manage.ts';
import { acceptSubmission } from '../../../lambda/deployments/submission.ts';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import { ANNOUNCED_PREFIX, keptVersions, liveVersion, replacedVersions } from '../../../lambda/stored/deployment.ts';
import { aDeployment, aVersion } from '../../support/a-deployment.ts';
import { deployPage, senderOf, startWorld } from '../../support/deployments.ts';

const world = await startWorld();
afterEach(() => world.fail(undefined));

const HASHED = 'assets/index-BkC3x9aZ.js';
let projects = 0;
const newProject = () => `project-${++projects}`;
const find = (id: string) => world.find(id);
const titleOf = async (id: string) => liveVersion(await find(id))?.title;

describe('the calls of a deploy', () => {
  it.each([
    [undefined, 1],
    ['a-new-project', 3],
  ])('that creates the projectId %s are %i', async (projectId, calls) => {
    world.calls();
    const { created } = await deployPage(world, 'first', projectId === undefined ? {} : { projectId });
    expect([created, world.calls()]).toEqual([true, calls]);
  });

  it('that replaces a version are two writes', async () => {
    const projectId = newProject();
    await deployPage(world, 'one', { projectId });
    world.calls();
    const { created } = await deployPage(world, 'two', { projectId });
    expect([created, world.calls()]).toEqual([false, 2]);
  });
});

describe('the bytes of a deploy', () => {
  const content = 'x'.repeat(10_000);
  const sha256 = hash('sha256', content);
  const projectId = 'counted-bytes';
  const byHash = Array.from({ length: 20 }, (_, i) => ({ path: `${i}.txt`, sha256 }));
  const start = { path: 'index.html', content };
  const send = (files: DeployFile[], countStored: (bytes: number) => Promise<void>) =>
    deploy(
      acceptSubmission({ files, projectId }),
      senderOf('key:bytes', { countStored }),
      newDeploymentNames(),
      world.stage,
    );

  it('are those of the archive, however often it has a file that is named by its hash', async () => {
    const counted: number[] = [];
    const count = async (bytes: number) => {
      counted.push(bytes);
    };
    await send([start], count);
    const { response, version } = await send([start, ...byHash], count);
    expect(counted).toEqual([expect.any(Number), world.stored.get(`${response.id}/${version}`)?.length]);
    expect(counted[1]).toBeGreaterThan(21 * content.length);
  });

  it('are counted before anything is stored', async () => {
    const before = world.stored.size;
    const refuse = async () => {
      throw new ApiError('rate_limited', 'more than the bytes of a day');
    };
    await expect(send([start], refuse)).rejects.toThrow('bytes of a day');
    expect(world.stored.size).toBe(before);
  });
});

it('versions are kept up to ten, and any of them can be made live', async () => {
  const projectId = newProject();
  const versions: string[] = [];
  let id = '';
  for (let i = 0; i < 12; i++) {
    const { response, version } = await deployPage(world, `v${i}`, { projectId });
    versions.unshift(version);
    ({ id } = response);
  }
  const deployment = await find(id);
  expect(deployment.versions.map(({ version }) => version)).toEqual(versions.slice(0, 10));
  const archives = [...world.stored.keys()].filter((key) => key.startsWith(id));
  expect(archives.toSorted()).toEqual(
    versions
      .slice(0, 10)
      .map((one) => `${id}/${one}`)
      .toSorted(),
  );

  await rollBack(deployment, versions[9] as string, undefined, world.stage);
  expect(await titleOf(id)).toBe('v2');
  await expect(rollBack(deployment, versions[10] as string, undefined, world.stage)).rejects.toMatchObject({
    status: 404,
  });
  // Once as the previous version, then no longer.
  for (const title of ['v12', 'v13']) await deployPage(world, title, { projectId });
  expect((await find(id)).versions.map(({ title }) => title)).not.toContain('v2');
  expect(await titleOf(id)).toBe('v13');
});

it('shows ten versions and the live one after concurrent deploys', () => {
  const versions = Array.from({ length: 12 }, (_, i) => aVersion(`v${i}`));
  expect(keptVersions(aDeployment({ live: 'v11', versions })).map(({ version }) => version)).toEqual([
    ...versions.slice(0, 10).map(({ version }) => version),
    'v11',
  ]);
});

describe('the previous version', () => {
  const DAYS = 86_400_000;
  /** The only one that counts after days. */
  const previousTitle = async (id: string) => {
    const [previous] = replacedVersions(await find(id), world.now + 3 * DAYS);
    return previous?.title;
  };

  it('is the one that was live before, after deploys and rollbacks', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'one', { projectId });
    const { id } = response;
    expect(await previousTitle(id)).toBeUndefined();
    await deployPage(world, 'two', { projectId });
    expect(await previousTitle(id)).toBe('one');
    await rollBack(await find(id), version, undefined, world.stage);
    expect([await titleOf(id), await previousTitle(id)]).toEqual(['one', 'two']);
    await rollBack(await find(id), version, undefined, world.stage);
    expect([await titleOf(id), await previousTitle(id)]).toEqual(['one', 'two']);
    await deployPage(world, 'three', { projectId });
    expect(await previousTitle(id)).toBe('one');
  });

  it('is one of those that were live within a day', async () => {
    const projectId = newProject();
    const titles = async (id: string, now: number) => replacedVersions(await find(id), now).map(({ title }) => title);
    const { response, version } = await deployPage(world, 'one', { projectId });
    const { id } = response;
    for (const title of ['two', 'three', 'four']) await deployPage(world, title, { projectId });
    expect(await titles(id, world.now)).toEqual(['three', 'two', 'one']);
    world.now += 2 * DAYS;
    expect(await titles(id, world.now)).toEqual(['three']);
    await rollBack(await find(id), version, undefined, world.stage);
    expect(await titles(id, world.now)).toEqual(['four']);
    await deployPage(world, 'five', { projectId });
    expect(await titles(id, world.now)).toEqual(['one', 'four']);
  });

  it('is kept even if it is older than ten others', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'oldest', { projectId });
    for (let i = 0; i < 9; i++) await deployPage(world, `v${i}`, { projectId });
    await rollBack(await find(response.id), version, undefined, world.stage);
    await deployPage(world, 'newest', { projectId });
    expect(await previousTitle(response.id)).toBe('oldest');
    expect(world.stored.has(`${response.id}/${version}`)).toBe(true);
  });

  it('of a deleted deployment is not one of the restored deployment', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'one', { projectId });
    await deployPage(world, 'two', { projectId });
    await deleteDeployment(await find(response.id), undefined, world.stage, undefined);
    await deployPage(world, 'three', { projectId });
    expect((await find(response.id)).previous).toBeUndefined();
  });
});

describe('If-Match', () => {
  it('rejects a deploy over a newer version and leaves nothing behind', async () => {
    const projectId = newProject();
    const first = await deployPage(world, 'one', { projectId });
    const second = await deployPage(world, 'two', { projectId, ifMatch: ['other', first.version] });
    const stale = deployPage(world, 'three', { projectId, ifMatch: [first.version] });
    await expect(stale).rejects.toMatchObject({
      status: 412,
      message: `If-Match does not match: the live version is "${second.version}". Nothing was changed`,
    });
    expect(await titleOf(first.response.id)).toBe('two');
    expect([...world.stored.keys()].filter((key) => key.startsWith(first.response.id))).toHaveLength(2);
    expect((await deployPage(world, 'four', { projectId, ifMatch: '*' })).created).toBe(false);
  });

  it.each([['*' as const], [['some']]])('rejects %j for a new project', async (ifMatch) => {
    const rejected = deployPage(world, 'x', { projectId: newProject(), ifMatch });
    await expect(rejected).rejects.toMatchObject({ status: 412 });
  });
});

it('a rejected change leaves no announcement', async () => {
  const projectId = newProject();
  const { response, version } = await deployPage(world, 'one', { projectId });
  const two = await deployPage(world, 'two', { projectId });
  const { id } = response;
  const rejected = async (change: Promise<unknown>, status: number, message = '') => {
    await expect(change).rejects.toMatchObject({ status, message: expect.stringContaining(message) });
    expect((await find(id)).announced.size).toBe(0);
  };
  const seen = await find(id);
  await rejected(deployPage(world, 'three', { projectId, ifMatch: [version] }), 412);
  await rejected(rollBack(seen, 'nope', undefined, world.stage), 404);
  await rejected(rollBack(seen, version, [version], world.stage), 412);
  await rejected(deleteDeployment(seen, [version], world.stage, undefined), 412);
  // From a request that read the deployment before the last change.
  await rejected(rollBack({ ...seen, live: version }, two.version, [version], world.stage), 412);
  await world.stage.pointers.takeDown(id, { at: 1, reason: 'a court order' });
  const reason = 'The operator took this deployment down: a court order';
  await rejected(deployPage(world, 'three', { projectId }), 451, reason);
  for (const deployment of [seen, await find(id)])
    await rejected(rollBack(deployment, version, undefined, world.stage), 451, reason);
  await world.stage.pointers.takeDown(id, null);
  expect((await deployPage(world, 'three', { projectId })).created).toBe(false);
});

describe('a deploy', () => {
  it('changes nothing if the archive cannot be stored', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'old', { projectId });
    world.fail('put');
    await expect(deployPage(world, 'new', { projectId })).rejects.toThrow('put is unreachable');
    expect(await titleOf(response.id)).toBe('old');
  });

  it('that dies leaves an archive that a later deploy deletes', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'old', { projectId });
    world.fail('put');
    const names = newDeploymentNames();
    await expect(deployPage(world, 'new', { projectId, names })).rejects.toThrow();
    world.fail(undefined);
    world.stored.set(`${response.id}/${names.version}`, new Uint8Array());
    await deployPage(world, 'soon', { projectId });
    expect(world.stored.has(`${response.id}/${names.version}`)).toBe(true);
    world.now += 60_000;
    // Its function may have had a clock that is five minutes behind.
    await deployPage(world, 'later', { projectId });
    expect(world.stored.has(`${response.id}/${names.version}`)).toBe(true);
    world.now += CLOCKS_APART_MS;
    await deployPage(world, 'last', { projectId });
    expect(world.stored.has(`${response.id}/${names.version}`)).toBe(false);
    expect((await find(response.id)).announced.size).toBe(0);
  });

  it('keeps a life that was changed while it ran', async () => {
    const sender = { owner: 'key:life', projectId: newProject() };
    const { response } = await deployPage(world, 'one', sender);
    const choose = (seconds: number) =>
      world.stage.pointers.changeSettings(response.id, {
        life: { endsAt: world.now + seconds * 1_000, seconds },
      });
    await choose(1_000);
    world.meanwhile('put', () => choose(2_000));
    await deployPage(world, 'two', sender);
    expect(await find(response.id)).toMatchObject({ lifeSeconds: 2_000, versions: { length: 2 } });
    expect(await titleOf(response.id)).toBe('two');
  });

  it('removes abandoned announcements, a hundred at a time', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'old', { projectId });
    const names = Array.from({ length: 105 }, () => ANNOUNCED_PREFIX + newDeploymentNames().version);
    await world.db.send(
      new UpdateCommand({
        TableName: world.table,
        Key: { id: response.id },
        UpdateExpression: `SET ${names.map((_, i) => `#${i} = :at`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
        ExpressionAttributeValues: { ':at': 1 },
      }),
    );
    const left: number[] = [];
    for (let i = 0; i < 2; i++) {
      await deployPage(world, `new ${i}`, { projectId });
      left.push((await find(response.id)).announced.size);
    }
    expect(left).toEqual([5, 0]);
  });

  it('that lost the race to create the project replaces the version of the winner', async () => {
    const projectId = newProject();
    world.meanwhile('put', () => deployPage(world, 'first', { projectId }));
    const { response, created } = await deployPage(world, 'second', { projectId });
    expect([created, await titleOf(response.id)]).toEqual([false, 'second']);
  });

  it('is not repeated by a retry with the same names', async () => {
    const projectId = newProject();
    const names = newDeploymentNames();
    const first = await deployPage(world, 'one', { projectId, names });
    await deployPage(world, 'two', { projectId });
    expect(await deployPage(world, 'one', { projectId, names })).toEqual(first);
    expect(await titleOf(first.response.id)).toBe('two');
    expect((await find(first.response.id)).versions).toHaveLength(2);
  });

  it('succeeds even if old archives cannot be deleted', async () => {
    const projectId = newProject();
    for (let i = 0; i < 10; i++) await deployPage(world, `v${i}`, { projectId });
    world.fail('delete');
    expect((await deployPage(world, 'v10', { projectId })).response.title).toBe('v10');
  });
});

describe('deleting', () => {
  it('removes every version; a deploy restores the deployment', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'one', { projectId });
    await deployPage(world, 'two', { projectId });
    await deleteDeployment(await find(response.id), undefined, world.stage, undefined);
    const gone = await find(response.id);
    expect(liveVersion(gone)).toBeUndefined();
    expect(gone.versions).toEqual([]);
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
    await expect(rollBack(gone, 'x', undefined, world.stage)).rejects.toMatchObject({ status: 410 });
    await deleteDeployment(gone, undefined, world.stage, undefined);

    const again = await deployPage(world, 'back', { projectId });
    expect(again).toMatchObject({ created: true, response: { createdAt: response.createdAt } });
    expect(await titleOf(response.id)).toBe('back');
  });

  it('also deletes a version that was deployed meanwhile, unless If-Match names another', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'one', { projectId });
    const seen = await find(response.id);
    await deployPage(world, 'two', { projectId });
    await expect(deleteDeployment(seen, [version], world.stage, undefined)).rejects.toMatchObject({ status: 412 });
    expect(await titleOf(response.id)).toBe('two');
    await deleteDeployment(seen, undefined, world.stage, undefined);
    expect(liveVersion(await find(response.id))).toBeUndefined();
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
  });

  it.each(['delete', 'withdraw'] as const)('is completed by the next request if %s fails', async (step) => {
    const { response } = await deployPage(world, 'one', { projectId: newProject(), script: HASHED });
    world.fail(step);
    const deleting = deleteDeployment(await find(response.id), undefined, world.stage, undefined);
    await expect(deleting).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('send the DELETE again'),
      cause: new Error(`${step} is unreachable`),
    });
    const { deletedAt } = await find(response.id);
    world.fail(undefined);
    const deletion = await deleteDeployment(await find(response.id), undefined, world.stage, undefined);
    expect(deletion.deletedAt).toBe(deletedAt);
    expect((await find(response.id)).versions).toEqual([]);
    expect(world.withdrawn.at(-1)).toBe(response.id);
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
  });
});

describe('the copies of a deleted deployment at the edge', () => {
  const DAY = 86_400;
  /** Returns for how many seconds copies may be seen, and how often the edge was told to drop them. */
  const deleted = async (id: string, more: Partial<EdgeCopiesOptions> = {}) => {
    const stage = { ...world.stage, copies: world.copies(more) };
    const { deletedAt, copiesUntil } = await deleteDeployment(await find(id), undefined, stage, undefined);
    return [(copiesUntil - deletedAt) / 1_000, world.withdrawn.filter((one) => one === id).length];
  };
  const nothingLeft = { invalidations: { take: async () => false } };
  const deployed = async (...scripts: (string | undefined)[]) => {
    const projectId = newProject();
    let id = '';
    for (const script of scripts)
      id = (await deployPage(world, 'page', { projectId, ...(script && { script }) })).response.id;
    return id;
  };

  it('are not invalidated if there are none', async () => {
    expect(await deleted(await deployed(undefined, 'app.js'))).toEqual([0, 0]);
  });

  it.each([
    ['the live version', [HASHED]],
    ['a past version', [HASHED, ...Array.from({ length: 11 }, () => undefined)]],
    ['a later version', [undefined, HASHED, undefined]],
  ])('are invalidated if %s has a hashed name', async (_, scripts) => {
    expect(await deleted(await deployed(...scripts))).toEqual([60, 1]);
  });

  it('are invalidated with edgeSeconds, and for a deployment of which no hashed names are known', async () => {
    expect(await deleted(await deployed(undefined), { edgeSeconds: 600 })).toEqual([600, 1]);
    const id = await deployed(undefined);
    await world.db.send(
      new UpdateCommand({ TableName: world.table, Key: { id }, UpdateExpression: 'REMOVE hashedNames' }),
    );
    expect(await deleted(id)).toEqual([60, 1]);
  });

  it('expire within a day once the invalidations of the month are used up', async () => {
    expect(await deleted(await deployed(HASHED), nothingLeft)).toEqual([DAY, 0]);
  });

  it('are counted once, even if the request is repeated', async () => {
    let taken = 0;
    const invalidations = { take: async () => ++taken > 0 };
    const id = await deployed(HASHED);
    for (let i = 0; i < 3; i++) expect(await deleted(id, { invalidations })).toEqual([60, 1]);
    expect(taken).toBe(1);
  });

  it('of its first life are invalidated when it is deleted again', async () => {
    const projectId = newProject();
    const { id } = (await deployPage(world, 'one', { projectId, script: HASHED })).response;
    expect(await deleted(id, nothingLeft)).toEqual([DAY, 0]);
    await deployPage(world, 'two', { projectId });
    expect((await find(id)).copiesUntil).toBeUndefined();
    expect(await deleted(id)).toEqual([60, 1]);
  });
});

it('a deploy during which the deployment is deleted restores it without the deleted versions', async () => {
  const projectId = newProject();
  const { response } = await deployPage(world, 'one', { projectId });
  world.meanwhile('put', async () => deleteDeployment(await find(response.id), undefined, world.stage, undefined));
  expect((await deployPage(world, 'two', { projectId })).created).toBe(true);
  expect((await find(response.id)).versions.map(({ title }) => title)).toEqual(['two']);
});
