import type { ArchiveStore } from '../../../../lambda/deployments/archive-store.ts';
import { newDeploymentNames } from '../../../../lambda/deployments/idempotency-store.ts';
import {
  LOOKING_MS,
  lookAtVersion,
  lookName,
  readVersionLooks,
} from '../../../../lambda/deployments/looks/version-looks.ts';
import { deleteDeployment } from '../../../../lambda/deployments/manage.ts';
import {
  BROWSERS_BUSY,
  type Look,
  type Looker,
  type NoLook,
  packLook,
  readLookLine,
} from '../../../../lambda/stored/looks/looker.ts';
import { deployPage, startWorld } from '../../../support/deployments.ts';

const world = await startWorld();
afterEach(() => world.fail(undefined));

let projects = 0;
const newProject = () => `looked-at-${++projects}`;
const find = (id: string) => world.find(id);
const SEEN: Look = {
  state: 'looked',
  problems: [{ kind: 'error', message: 'It threw', path: 'app.js', line: 2, blocking: true }],
  screenshots: new Map([[390, Buffer.from('a picture')]]),
};
/** Looks at a deployed version. @param seen what the browser returns; a function runs while it looks */
async function look(
  deployed: { response: { id: string }; version: string },
  seen: Look | NoLook | Looker['look'] = SEEN,
) {
  const looker = { look: jest.fn(typeof seen === 'function' ? seen : async () => seen) };
  const { id } = deployed.response;
  await lookAtVersion({ id, version: deployed.version, tenant: 'key:me' }, { ...world.stage, looker });
  return looker.look.mock.calls;
}
const lookOf = async (id: string, version: string, more: { skipped?: string; later?: number } = {}) => {
  const { archives, baseUrl } = world.stage;
  const now = world.now + (more.later ?? 0);
  const looks = await readVersionLooks(await find(id), archives, more.skipped, baseUrl, now);
  return looks.get(version);
};

describe('a deploy', () => {
  it('starts a look, and a retry of it the same one', async () => {
    const names = newDeploymentNames();
    world.looks.length = 0;
    const projectId = newProject();
    for (let i = 0; i < 2; i++) await deployPage(world, 'page', { projectId, names });
    const [first, again] = world.looks;
    expect([world.looks.length, first?.version]).toEqual([2, names.version]);
    expect(first && again && lookName(first) === lookName(again)).toBe(true);
  });

  it('succeeds without the look that cannot be started', async () => {
    world.fail('startLook');
    const { response, version } = await deployPage(world, 'page', {});
    expect(await lookOf(response.id, version)).toEqual({ state: 'looking' });
    expect(await lookOf(response.id, version, { later: LOOKING_MS })).toMatchObject({ state: 'failed' });
  });

  it('does not wait for a start that hangs', async () => {
    const { looks } = world.stage;
    const hanging = { ...world.stage, looks: { ...looks, start: () => new Promise<void>(() => {}) } };
    const { version } = await deployPage({ ...world, stage: hanging }, 'page', {});
    expect(version).toBeDefined();
  });
});

it('keeps addresses out of executions', async () => {
  await deployPage(world, 'page', { owner: 'address:10.0.0.1' });
  expect(world.looks.at(-1)?.tenant).toMatch(/^anonymous:\d$/);
});

describe('a look', () => {
  it('is at the files that visitors get, and is stored with its pictures', async () => {
    const deployed = await deployPage(world, 'seen', {});
    const [[tenant, input] = []] = await look(deployed);
    expect([tenant, input?.entry, input && [...input.files.keys()]]).toEqual(['key:me', 'index.html', ['index.html']]);
    const { id } = deployed.response;
    expect(await lookOf(id, deployed.version)).toEqual({
      state: 'looked',
      problems: SEEN.problems,
      screenshots: { 390: `https://ptp.example.com/d/${id}.png?width=390&version=${deployed.version}` },
    });
    await world.stage.pointers.changeSettings(id, { access: { type: 'link', key: 'a' } });
    const path = `https://ptp.example.com/api/v1/deployments/${id}/screenshot`;
    expect(await lookOf(id, deployed.version)).toMatchObject({
      screenshots: { 390: `${path}?width=390&version=${deployed.version}` },
    });
    expect(await lookOf(id, deployed.version, { skipped: 'No browser' })).toEqual({
      state: 'skipped',
      reason: 'No browser',
    });
  });

  it('that failed is stored, unless a browser may be free later', async () => {
    const deployed = await deployPage(world, 'failed', {});
    await expect(look(deployed, { state: 'failed', reason: BROWSERS_BUSY })).rejects.toThrow(BROWSERS_BUSY);
    expect(await lookOf(deployed.response.id, deployed.version)).toEqual({ state: 'looking' });
    const failed = { state: 'failed', reason: 'The browser failed' } as const;
    await look(deployed, failed);
    expect(await lookOf(deployed.response.id, deployed.version)).toEqual(failed);
  });

  it('is not made at a version that is no longer live', async () => {
    const projectId = newProject();
    const old = await deployPage(world, 'old', { projectId });
    const live = await deployPage(world, 'live', { projectId });
    expect(await look(old)).toEqual([]);
    const { id } = old.response;
    expect(await lookOf(id, old.version, { later: LOOKING_MS })).toMatchObject({ state: 'skipped' });
    await deleteDeployment(await find(id), undefined, world.stage, undefined);
    expect(await look(live)).toEqual([]);
  });

  it('leaves nothing behind if the version is deleted meanwhile', async () => {
    const deployed = await deployPage(world, 'gone', {});
    const { id } = deployed.response;
    await look(deployed, async () => {
      await deleteDeployment(await find(id), undefined, world.stage, undefined);
      return SEEN;
    });
    expect([...world.stored.keys()].filter((key) => key.startsWith(id))).toEqual([]);
  });

  it('is deleted with its version', async () => {
    const deployed = await deployPage(world, 'gone', {});
    const { id } = deployed.response;
    await look(deployed);
    expect(world.stored.has(`${id}/${deployed.version}.look`)).toBe(true);
    await deleteDeployment(await find(id), undefined, world.stage, undefined);
    expect([...world.stored.keys()].filter((key) => key.startsWith(id))).toEqual([]);
  });
});

it('does not prevent the management of a deployment while it cannot be read', async () => {
  const { response, version } = await deployPage(world, 'page', {});
  const archives: Pick<ArchiveStore, 'look'> = {
    look: async () => {
      throw new Error('S3 is unreachable');
    },
  };
  const looks = await readVersionLooks(
    await find(response.id),
    archives,
    undefined,
    'https://ptp.example.com',
    world.now,
  );
  expect(looks.get(version)).toMatchObject({ state: 'failed' });
});

it('reads the first line of a stored look as soon as all of it is there', () => {
  const stored = packLook(SEEN);
  const end = stored.indexOf(0x0a);
  expect(readLookLine(stored.subarray(0, end))).toBeUndefined();
  expect(readLookLine(stored.subarray(0, end + 1))).toMatchObject({ state: 'looked', widths: [390] });
});
