import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { DeployerStore } from '../../../../lambda/deployments/deployer-store.ts';
import { bringBackPage, type CallerPage, decideTakeDown, takeDownPage } from '../../../../lambda/deployments/manage.ts';
import { anonymousDeployer, deployerMark, deployerOf } from '../../../../lambda/stored/deployment-owner.ts';
import { PointerStore } from '../../../../lambda/stored/pointer-store.ts';
import { deployPage, startWorld, type World } from '../../../support/deployments.ts';

const DAY_MS = 86_400_000;
const ADDRESS = '203.0.113.7';
const DEPLOYER = deployerOf(ADDRESS, 'secret');

describe('what stands for an address', () => {
  it('is the same for the address, and needs the secret', () => {
    expect(DEPLOYER).toMatch(/^[\w-]{22}$/);
    expect(deployerOf(ADDRESS, 'secret')).toBe(DEPLOYER);
    expect(deployerOf(ADDRESS, 'another')).not.toBe(DEPLOYER);
    expect(deployerOf('203.0.113.8', 'secret')).not.toBe(DEPLOYER);
  });

  it('is that of callers without a credential', async () => {
    const secret = async () => 'secret';
    const caller = { id: `address:${ADDRESS}`, limit: 10 };
    expect(await anonymousDeployer(caller, secret)).toBe(DEPLOYER);
    const credential = { kind: 'key', scopes: [] } as const;
    expect(await anonymousDeployer({ id: 'key:abc', limit: 100, credential }, secret)).toBeUndefined();
    expect(await anonymousDeployer(undefined, secret)).toBeUndefined();
  });

  it('is not in the mark of a takedown, which differs for each page', () => {
    const marks = ['abcdefghijkl', 'abcdefghijkm'].map((id) => deployerMark(DEPLOYER, id));
    expect(new Set(marks).size).toBe(2);
    for (const mark of marks) expect(mark).not.toContain(DEPLOYER);
  });
});

describe('the deploys of an address', () => {
  let world: World;
  let deployers: DeployerStore;
  beforeEach(async () => {
    world = await startWorld();
    deployers = new DeployerStore(world.db, world.table);
  });

  it('are listed for 30 days, the last one first, each deployment once', async () => {
    const [first, second] = [
      (await deployPage(world, 'one', { projectId: 'one', deployer: DEPLOYER })).response.id,
      (await deployPage(world, 'two', { deployer: DEPLOYER })).response.id,
    ];
    await deployPage(world, 'another', { deployer: deployerOf('203.0.113.8', 'secret') });
    await deployPage(world, 'of a key', { owner: 'key:abc' });
    const deployedAt = world.now;
    expect(await deployers.deploymentsOf(DEPLOYER, deployedAt)).toEqual([second, first]);
    expect(await deployers.deploymentsOf(DEPLOYER, deployedAt + 30 * DAY_MS + 1)).toEqual([]);
    world.now += 29 * DAY_MS;
    await deployPage(world, 'one again', { projectId: 'one', deployer: DEPLOYER });
    expect(await deployers.deploymentsOf(DEPLOYER, world.now)).toEqual([first, second]);
    expect(await deployers.deploymentsOf(DEPLOYER, deployedAt + 31 * DAY_MS)).toEqual([first]);
  });

  it('cost one write each, and keep no address', async () => {
    const deploy = { projectId: 'costs', deployer: DEPLOYER };
    await deployPage(world, 'one', deploy);
    world.calls();
    await deployPage(world, 'two', deploy);
    // Announcement, pointer, and who deployed.
    expect(world.calls()).toBe(3);
    const { Items = [] } = await world.db.send(new ScanCommand({ TableName: world.table }));
    expect(JSON.stringify(Items)).not.toContain(ADDRESS);
    const note = Items.find(({ id }) => id.startsWith('from:'));
    expect(note?.expiresAt).toBe(Math.ceil((note?.createdAt + 30 * DAY_MS) / 1_000));
  });

  it('fail if they cannot be noted: nothing is published', async () => {
    const fails = { note: () => Promise.reject(new Error('unreachable')) };
    const broken = { ...world, stage: { ...world.stage, deployers: fails } };
    const deploy = { projectId: 'unnoted', deployer: DEPLOYER };
    await expect(deployPage(broken, 'one', deploy)).rejects.toThrow('unreachable');
    const { Items = [] } = await world.db.send(new ScanCommand({ TableName: world.table }));
    expect(Items.filter(({ live }) => live !== undefined)).toEqual([]);
  });
});

describe('a takedown of a caller', () => {
  let world: World;
  let store: PointerStore;
  beforeEach(async () => {
    world = await startWorld();
    store = new PointerStore(world.db, world.table);
  });

  const decision = { at: 5, reason: 'Phishing' };
  const takenDown = async (id: string) => (await store.find(id))?.takenDown;

  it('takes pages with its mark, and brings back those alone', async () => {
    const [one, alone] = [await deployPage(world, 'one', {}), await deployPage(world, 'alone', {})].map(
      ({ response }) => response.id,
    ) as [string, string];
    await decideTakeDown(alone, { at: 1 }, store);
    const pages = (id: string): CallerPage => ({ id, owner: 'anonymous', mark: `mark of ${id}` });
    expect(await takeDownPage(pages(one), decision, store)).toBe('done');
    expect(await takenDown(one)).toEqual({ ...decision, with: `mark of ${one}` });
    // A run that was interrupted is repeated.
    expect(await takeDownPage(pages(one), decision, store)).toBe('done');
    expect(await takeDownPage(pages(alone), decision, store)).toBe('alone');
    expect(await takenDown(alone)).toEqual({ at: 1 });
    expect(await takeDownPage({ ...pages(one), owner: 'key:abc' }, decision, store)).toBe('claimed');
    expect(await takeDownPage(pages('abcdefghijkl'), decision, store)).toBe('unknown');

    expect(await bringBackPage(pages(alone), store)).toBe('alone');
    expect(await bringBackPage({ ...pages(one), mark: 'another' }, store)).toBe('alone');
    expect(await bringBackPage(pages(one), store)).toBe('done');
    expect(await takenDown(one)).toBeUndefined();
    expect(await bringBackPage(pages(one), store)).toBe('not taken down');
  });
});
