import { decideTakeDown, deleteDeployment, rollBack } from '../../../lambda/deployments/manage.ts';
import type { Generation } from '../../../lambda/generation/generation.ts';
import { GenerationStore } from '../../../lambda/generation/generation-store.ts';
import { PointerStore } from '../../../lambda/stored/pointer-store.ts';
import { deployPage, startWorld } from '../../support/deployments.ts';
import { countIndexWrites } from '../../support/index-writes.ts';
import { indexBy, startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const PAGE = { limit: 20, after: undefined };

describe('deployments', () => {
  let world: Awaited<ReturnType<typeof startWorld>>;
  let store: PointerStore;
  let indexWrites: () => number;
  beforeAll(async () => {
    world = await startWorld();
    store = new PointerStore(world.db, world.table);
    indexWrites = countIndexWrites(world.db, world.table, { id: 'id', owner: 'listOwner' });
  });

  const deployment = async (id: string) => {
    const found = await store.find(id);
    if (!found) throw new Error(`${id} does not exist`);
    return found;
  };
  const listed = async (owner: string) => (await store.list({ ...PAGE, owner })).items.map(({ id }) => id);

  it('write to the index when they are created, deleted and restored, and at no other time', async () => {
    const owner = 'key:costs';
    const mine = { owner, projectId: 'mine' };
    const { response, version } = await deployPage(world, 'one', mine);
    const { id } = response;
    expect([indexWrites(), await listed(owner)]).toEqual([1, [id]]);
    for (let i = 0; i < 4; i++) await deployPage(world, `version ${i}`, mine);
    await deployPage(world, 'two', { ...mine, ifMatch: '*' });
    await rollBack(await deployment(id), (await deployment(id)).versions[3]?.version ?? '', undefined, world.stage);
    await decideTakeDown(id, { at: 1 }, store);
    await decideTakeDown(id, null, store);
    expect([indexWrites(), await listed(owner)]).toEqual([0, [id]]);
    await deleteDeployment(await deployment(id), undefined, world.stage, undefined);
    expect([indexWrites(), await listed(owner)]).toEqual([1, []]);
    await deleteDeployment(await deployment(id), undefined, world.stage, undefined);
    expect(indexWrites()).toBe(0);
    await deployPage(world, 'again', mine);
    expect([indexWrites(), await listed(owner)]).toEqual([1, [id]]);
    expect((await deployment(id)).versions.map((one) => one.version)).not.toContain(version);
  });

  it('are listed with two reads, however many there are', async () => {
    for (const title of ['one', 'two', 'three']) await deployPage(world, title, { owner: 'key:reads' });
    world.calls();
    expect(await listed('key:reads')).toHaveLength(3);
    expect(world.calls()).toBe(2);
    expect(await listed('key:nobody')).toEqual([]);
    expect(world.calls()).toBe(1);
    expect(indexWrites()).toBe(3);
  });

  it('without a credential are in no index', async () => {
    const { response } = await deployPage(world, 'one', { projectId: 'nobodys' });
    await deployPage(world, 'two', { projectId: 'nobodys' });
    await deleteDeployment(await deployment(response.id), undefined, world.stage, undefined);
    expect([indexWrites(), await listed('anonymous')]).toEqual([0, []]);
  });
});

describe('generations', () => {
  const NOW = 1_800_000_000_000;
  const DAY = 86_400_000;
  let database: Awaited<ReturnType<typeof startMemoryDynamoDB>>;
  let store: GenerationStore;
  beforeAll(async () => {
    database = await startMemoryDynamoDB('generations', 'id', undefined, indexBy('owner'));
    store = new GenerationStore(database.db, database.table);
  });

  const generation = (id: string, owner: string | undefined, createdAt = NOW) =>
    ({
      id,
      owner,
      createdAt,
      status: 'queued',
      attempt: 1,
      log: [{ type: 'queued', at: createdAt }],
    }) as unknown as Generation;
  const listed = async (owner: string, now = NOW) =>
    (await store.list({ ...PAGE, owner }, now)).items.map(({ id }) => id);

  it('write to the index when they are created, and not during their attempts', async () => {
    const indexWrites = countIndexWrites(database.db, database.table, { id: 'id', owner: 'owner' });
    await store.create(generation('made', 'key:costs'));
    expect(indexWrites()).toBe(1);
    const event = { type: 'queued', at: 1 } as const;
    const end = { finishedAt: NOW + 5, problems: [] };
    const next = {
      status: 'running',
      kind: 'repair',
      provider: 'provider-a',
      remaining: [],
      waitSeconds: 0,
    } as const;
    const invocation = { id: 'made', attempt: 1, invocationId: 'x' };
    expect(await store.begin(invocation, event)).toBeDefined();
    expect(await store.append(invocation, [event, event], 2)).toBeDefined();
    expect(await store.advance({ id: 'made', attempt: 1 }, [event], next, 2, end)).toBeDefined();
    expect(await store.cancel('made', NOW + 9)).toBeDefined();
    expect([indexWrites(), await listed('key:costs')]).toEqual([0, ['made']]);
    const canceled = await store.get('made');
    expect(await store.replace(canceled, { ...canceled, attempt: 9, createdAt: NOW + 10 })).toBe(true);
    expect(indexWrites()).toBe(2);
    await store.create(generation('nobodys', undefined));
    expect(indexWrites()).toBe(0);
  });

  it('are listed for a day, also if DynamoDB has not deleted them yet', async () => {
    for (const [id, age] of [
      ['young', DAY - 1],
      ['old', DAY + 1],
      ['new', 0],
    ] as const)
      await store.create(generation(id, 'key:ages', NOW - age));
    expect(await listed('key:ages')).toEqual(['new', 'young']);
    expect(await listed('key:ages', NOW + DAY + 1)).toEqual([]);
  });
});
