import { jest } from '@jest/globals';
import { newNames } from '../../../lambda/deployments/idempotency-store.ts';
import { deleteDeployment, rollBack } from '../../../lambda/deployments/manage.ts';
import { keptVersions } from '../../../lambda/deployments/retention.ts';
import { liveVersion, previousVersion, type Version } from '../../../lambda/stored/deployment.ts';
import { deployPage, startWorld, type World } from '../../support/deployments.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => world.fail(undefined));
// Expected errors are logged.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => {}));

let projects = 0;
const newProject = () => `project-${++projects}`;
const find = async (id: string) => {
  const found = await world.ports.deployments.find(id);
  if (!found) throw new Error(`${id} does not exist`);
  return found;
};
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

describe('versions', () => {
  it('are kept up to ten, and any of them can be made live', async () => {
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

    await rollBack(deployment, versions[9] as string, undefined, world.ports);
    expect(await titleOf(id)).toBe('v2');
    await expect(rollBack(deployment, versions[10] as string, undefined, world.ports)).rejects.toMatchObject({
      status: 404,
    });
    // Once as the previous version, then no longer.
    for (const title of ['v12', 'v13']) await deployPage(world, title, { projectId });
    expect((await find(id)).versions.map(({ title }) => title)).not.toContain('v2');
    expect(await titleOf(id)).toBe('v13');
  });
});

it('shows ten versions and the live one after concurrent deploys', () => {
  const versions = Array.from({ length: 12 }, (_, i) => ({ version: `v${i}` }) as Version);
  const deployment = {
    id: 'x',
    owner: 'anonymous',
    createdAt: 1,
    live: 'v11',
    versions,
    announced: new Map(),
  };
  expect(keptVersions(deployment).map(({ version }) => version)).toEqual([
    ...versions.slice(0, 10).map(({ version }) => version),
    'v11',
  ]);
});

describe('the previous version', () => {
  const previousTitle = async (id: string) => previousVersion(await find(id))?.title;

  it('is the one that was live before, after deploys and rollbacks', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'one', { projectId });
    const { id } = response;
    expect(await previousTitle(id)).toBeUndefined();
    await deployPage(world, 'two', { projectId });
    expect(await previousTitle(id)).toBe('one');
    await rollBack(await find(id), version, undefined, world.ports);
    expect([await titleOf(id), await previousTitle(id)]).toEqual(['one', 'two']);
    await rollBack(await find(id), version, undefined, world.ports);
    expect([await titleOf(id), await previousTitle(id)]).toEqual(['one', 'two']);
    await deployPage(world, 'three', { projectId });
    expect(await previousTitle(id)).toBe('one');
  });

  it('is kept even if it is older than ten others', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'oldest', { projectId });
    for (let i = 0; i < 9; i++) await deployPage(world, `v${i}`, { projectId });
    await rollBack(await find(response.id), version, undefined, world.ports);
    await deployPage(world, 'newest', { projectId });
    expect(await previousTitle(response.id)).toBe('oldest');
    expect(world.stored.has(`${response.id}/${version}`)).toBe(true);
  });

  it('of a deleted deployment is not one of the restored deployment', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'one', { projectId });
    await deployPage(world, 'two', { projectId });
    await deleteDeployment(await find(response.id), undefined, world.ports);
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

describe('a rejected change', () => {
  it('leaves no announcement', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'one', { projectId });
    const two = await deployPage(world, 'two', { projectId });
    const { id } = response;
    const rejected = async (change: Promise<unknown>, status: number) => {
      await expect(change).rejects.toMatchObject({ status });
      expect((await find(id)).announced.size).toBe(0);
    };
    const seen = await find(id);
    await rejected(deployPage(world, 'three', { projectId, ifMatch: [version] }), 412);
    await rejected(rollBack(seen, 'nope', undefined, world.ports), 404);
    await rejected(rollBack(seen, version, [version], world.ports), 412);
    await rejected(deleteDeployment(seen, [version], world.ports), 412);
    // From a request that read the deployment before the last change.
    await rejected(rollBack({ ...seen, live: version }, two.version, [version], world.ports), 412);
    await world.ports.deployments.takeDown(id, { at: 1 });
    await rejected(deployPage(world, 'three', { projectId }), 451);
    await rejected(rollBack(seen, version, undefined, world.ports), 451);
  });
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
    const names = newNames();
    await expect(deployPage(world, 'new', { projectId, names })).rejects.toThrow();
    world.fail(undefined);
    world.stored.set(`${response.id}/${names.version}`, new Uint8Array());
    await deployPage(world, 'soon', { projectId });
    expect(world.stored.has(`${response.id}/${names.version}`)).toBe(true);
    world.now += 60_000;
    await deployPage(world, 'later', { projectId });
    expect(world.stored.has(`${response.id}/${names.version}`)).toBe(false);
    expect((await find(response.id)).announced.size).toBe(0);
  });

  it('removes abandoned announcements, a hundred at a time', async () => {
    const projectId = newProject();
    const { response } = await deployPage(world, 'old', { projectId });
    const { deployments } = world.ports;
    const claim = { owner: 'anonymous', ifMatch: undefined, holdsToken: false };
    for (let i = 0; i < 105; i++) {
      const { version } = newNames();
      await deployments.announce(response.id, version, claim, 1);
    }
    const left: number[] = [];
    for (let i = 0; i < 2; i++) {
      await deployPage(world, `new ${i}`, { projectId });
      left.push((await find(response.id)).announced.size);
    }
    expect(left).toEqual([5, 0]);
  });

  it('that lost the race to create the project replaces the version of the winner', async () => {
    const projectId = newProject();
    const { ports } = world;
    const put = ports.archives.put.bind(ports.archives);
    let first: Promise<unknown> | undefined;
    const racing = {
      ...world,
      ports: {
        ...ports,
        archives: Object.assign(Object.create(ports.archives), {
          put: async (...args: Parameters<typeof put>) => {
            first ??= deployPage(world, 'first', { projectId });
            await first;
            return put(...args);
          },
        }),
      },
    };
    const { response, created } = await deployPage(racing, 'second', { projectId });
    expect([created, await titleOf(response.id)]).toEqual([false, 'second']);
  });

  it('is not repeated by a retry with the same names', async () => {
    const projectId = newProject();
    const names = newNames();
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
    await deleteDeployment(await find(response.id), undefined, world.ports);
    const gone = await find(response.id);
    expect(liveVersion(gone)).toBeUndefined();
    expect(gone.versions).toEqual([]);
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
    await expect(rollBack(gone, 'x', undefined, world.ports)).rejects.toMatchObject({ status: 410 });
    await deleteDeployment(gone, undefined, world.ports);

    const again = await deployPage(world, 'back', { projectId });
    expect(again).toMatchObject({ created: true, response: { createdAt: response.createdAt } });
    expect(await titleOf(response.id)).toBe('back');
  });

  it('also deletes a version that was deployed meanwhile, unless If-Match names another', async () => {
    const projectId = newProject();
    const { response, version } = await deployPage(world, 'one', { projectId });
    const seen = await find(response.id);
    await deployPage(world, 'two', { projectId });
    await expect(deleteDeployment(seen, [version], world.ports)).rejects.toMatchObject({ status: 412 });
    expect(await titleOf(response.id)).toBe('two');
    await deleteDeployment(seen, undefined, world.ports);
    expect(liveVersion(await find(response.id))).toBeUndefined();
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
  });

  it.each(['delete', 'withdraw'] as const)('is completed by the next request if %s fails', async (step) => {
    const { response } = await deployPage(world, 'one', { projectId: newProject() });
    world.fail(step);
    const deleting = deleteDeployment(await find(response.id), undefined, world.ports);
    await expect(deleting).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('send the DELETE again'),
      cause: new Error(`${step} is unreachable`),
    });
    const { deletedAt } = await find(response.id);
    world.fail(undefined);
    expect(await deleteDeployment(await find(response.id), undefined, world.ports)).toBe(deletedAt);
    expect((await find(response.id)).versions).toEqual([]);
    expect(world.withdrawn.at(-1)).toBe(response.id);
    expect([...world.stored.keys()].some((key) => key.startsWith(response.id))).toBe(false);
  });
});

it('a deploy during which the deployment is deleted restores it without the deleted versions', async () => {
  const projectId = newProject();
  const { response } = await deployPage(world, 'one', { projectId });
  const { ports } = world;
  const put = ports.archives.put.bind(ports.archives);
  let deleting: Promise<unknown> | undefined;
  const deletedMeanwhile = {
    ...world,
    ports: {
      ...ports,
      archives: Object.assign(Object.create(ports.archives), {
        put: async (...args: Parameters<typeof put>) => {
          deleting ??= deleteDeployment(await find(response.id), undefined, ports);
          await deleting;
          return put(...args);
        },
      }),
    },
  };
  expect((await deployPage(deletedMeanwhile, 'two', { projectId })).created).toBe(true);
  expect((await find(response.id)).versions.map(({ title }) => title)).toEqual(['two']);
});

it('rejects deploys and rollbacks of a deployment that was taken down', async () => {
  const projectId = newProject();
  const { response, version } = await deployPage(world, 'one', { projectId });
  await world.ports.deployments.takeDown(response.id, { at: 1, reason: 'a court order' });
  const message = 'The operator took this deployment down: a court order';
  await expect(deployPage(world, 'two', { projectId })).rejects.toMatchObject({ status: 451, message });
  const deployment = await find(response.id);
  await expect(rollBack(deployment, version, undefined, world.ports)).rejects.toMatchObject({ status: 451 });
  await world.ports.deployments.takeDown(response.id, null);
  expect((await deployPage(world, 'two', { projectId })).created).toBe(false);
});
