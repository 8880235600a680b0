import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, ItemPage, NewItem } from '../../../../lambda/sites/data/store.ts';
import type { DynamoDbDataStore } from '../../../../lambda/stored/data/data-store.ts';
import { newItemId } from '../../../../lambda/stored/data/keys.ts';
import { SiteDataTable } from '../../../../lambda/stored/data/site-data-table.ts';
import { Crash, type CrashPoint, startDataTable } from '../../../support/data-table.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const C = 'votes';

type Started = Awaited<ReturnType<typeof startDataTable>>;

let sites = 0;

/** A new site in a table, whose data is opened through any client. */
async function startSite(bounds: Parameters<typeof startDataTable>[0] = {}) {
  const started = await startDataTable(bounds);
  const since = ++sites;
  const open = (data: SiteDataTable = started.data) => data.store('abcdefghijkl', { since, key: KEY });
  const read = async (key: string) =>
    (
      await started.db.send(
        new GetCommand({
          TableName: started.table,
          Key: { site: `abcdefghijkl#${since}`, key },
          ConsistentRead: true,
        }),
      )
    ).Item;
  /** Everything of the site that is no tombstone. */
  const contents = async () => {
    const { Items = [] } = await started.db.send(
      new QueryCommand({
        TableName: started.table,
        KeyConditionExpression: 'site = :site',
        ExpressionAttributeValues: { ':site': `abcdefghijkl#${since}` },
      }),
    );
    return Items;
  };
  return { ...started, site: `abcdefghijkl#${since}`, open, read, contents, store: open() };
}

function newItem({ time }: Pick<Started, 'time'>, more: Partial<NewItem> = {}): NewItem {
  const fields = { choice: 'tea' };
  const bytes = Buffer.byteLength(JSON.stringify(fields));
  return { id: newItemId(time.now), fields, createdAt: time.now, shown: true, bytes, tally: 'tea', ...more };
}

async function created(store: DynamoDbDataStore, item: NewItem): Promise<Item> {
  const result = await store.create(C, item);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

const change = { fields: { choice: 'coffee' }, bytes: 19, shown: true, tally: { from: 'tea', to: 'coffee' } };

/** Requires that the state counts what there is, and that nothing is under way. */
async function expectExact(site: Awaited<ReturnType<typeof startSite>>): Promise<void> {
  const all = await site.contents();
  const items = all.filter(({ key, text }) => key.startsWith('item#') && text !== undefined);
  const state = all.find(({ key }) => key === 'state') ?? {};
  const tally: Record<string, number> = {};
  for (const { tally: value } of items) if (value !== undefined) tally[value] = (tally[value] ?? 0) + 1;
  expect({
    items: state.items ?? 0,
    ofCollection: state[`items:${C}`] ?? 0,
    bytes: state.bytes ?? 0,
    tally: (await site.store.state(C)).tally,
    open: Object.keys(state).filter((name) => name.startsWith('open:')),
  }).toEqual({
    items: items.length,
    ofCollection: items.length,
    bytes: items.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    tally,
    open: [],
  });
}

/** Expects the same once calls that were under way have expired. */
async function expectExactLater(site: Awaited<ReturnType<typeof startSite>>): Promise<void> {
  site.time.now += 60_001;
  await site.store.state(C);
  await expectExact(site);
}

test('refuses an item once the counters of former rules have grown too large', async () => {
  const site = await startSite();
  const tally = 'x'.repeat(10_000);
  for (let n = 0; n < 4; n++) await created(site.store, newItem(site, { tally: `${n}${tally}` }));
  expect(await site.store.create(C, newItem(site, { unique: 'a' }))).toBe('site_full');
  expect((await site.contents()).filter(({ key }) => key.startsWith('unique#'))).toEqual([]);
  await expectExact(site);
});

test('refuses a change that would add a counter to those that have grown too large, and no other one', async () => {
  const site = await startSite();
  let item = await created(site.store, newItem(site, { tally: '0' }));
  const retally = async (to: string) => {
    const tally = { from: item.tally, to };
    const changed = await site.store.update(C, item, { ...change, at: 1, tally });
    if (typeof changed === 'object') item = changed;
    return changed;
  };
  for (let n = 1; n <= 4; n++) expect(await retally(`${n}${'x'.repeat(10_000)}`)).toMatchObject({ id: item.id });
  expect(await retally(`5${'x'.repeat(10_000)}`)).toBe('site_full');
  const { tally: _, ...same } = change;
  expect(await site.store.update(C, item, { ...same, at: 2 })).toMatchObject({ id: item.id });
  await expectExact(site);
});

/** The points at which a call of some writes can die. */
const points = (writes: number): CrashPoint[] =>
  Array.from({ length: writes }, (_, at) => [
    { write: at + 1, isMade: false },
    { write: at + 1, isMade: true },
  ]).flat();

test('makes the writes that are documented', async () => {
  const site = await startSite();
  const { counted, data } = site.counting();
  const store = site.open(data);
  const writesOf = async (call: () => Promise<unknown>) => {
    counted.writes = 0;
    await call();
    return counted.writes;
  };
  const plain = newItem(site);
  const unique = newItem(site, { unique: 'a' });
  expect([
    await writesOf(() => store.create(C, plain)),
    await writesOf(() => store.create(C, unique)),
    await writesOf(() => store.create(C, newItem(site, { id: 'key', repeatable: true }))),
    await writesOf(async () => store.update(C, (await store.get(C, plain.id)) as Item, { ...change, at: 1 })),
    await writesOf(() => store.remove(C, plain)),
    await writesOf(() => store.remove(C, unique)),
    await writesOf(() => store.state(C)),
  ]).toEqual([3, 4, 4, 3, 3, 4, 0]);
  await expectExact(site);
});

test.each(points(4))('frees the place and the value of a creation that died: %j', async (point) => {
  const site = await startSite();
  const dead = newItem(site, { unique: 'value', most: 1 });
  await site
    .open(site.dying(point))
    .create(C, dead)
    .catch(() => undefined);
  site.time.now += 60_001;
  const isThere = (await site.store.get(C, dead.id)) !== undefined;
  const next = await site.store.create(C, newItem(site, { unique: 'value', most: 1 }));
  expect(typeof next === 'string').toBe(isThere);
  await site.store.state(C);
  await expectExact(site);
});

test.each(points(5))('creates one item of a key, although the first request died: %j', async (point) => {
  const site = await startSite();
  const item = newItem(site, { id: 'a-key', repeatable: true, unique: 'value', most: 1 });
  await site
    .open(site.dying(point))
    .create(C, item)
    .catch(() => undefined);
  const soon = await site.store.create(C, item);
  if (typeof soon === 'string') expect(soon).toBe('in_progress');
  site.time.now += 2_000;
  const later = await site.store.create(C, { ...item, createdAt: site.time.now });
  expect(later).toEqual(await site.store.get(C, (later as Item).id));
  expect((await site.store.list(C, { limit: 10, shownOnly: false })).items).toHaveLength(1);
  await expectExactLater(site);
});

test.each([1, 2])('takes over from a slow request of the same key, after %i of its writes', async (writes) => {
  const site = await startSite();
  const item = newItem(site, { id: 'a-key', repeatable: true });
  const paused = await pausedAfter(site, writes);
  const first = site.open(paused.data).create(C, item);
  await paused.reached;
  site.time.now += 2_000;
  const second = await created(site.store, { ...item, createdAt: site.time.now });
  paused.go();
  await expect(first).rejects.toThrow();
  expect(await site.store.get(C, second.id)).toEqual(second);
  await expectExactLater(site);
});

test.each(points(4))('completes or undoes a deletion that died: %j', async (point) => {
  const site = await startSite();
  const item = await created(site.store, newItem(site, { unique: 'value' }));
  await site
    .open(site.dying(point))
    .remove(C, item)
    .catch(() => undefined);
  await expectExactLater(site);
  await site.store.remove(C, item);
  await created(site.store, newItem(site, { unique: 'value' }));
  await expectExact(site);
});

test.each(points(3))('completes or undoes a change that died: %j', async (point) => {
  const site = await startSite();
  const item = await created(site.store, newItem(site));
  await site
    .open(site.dying(point))
    .update(C, item, { ...change, at: 1 })
    .catch(() => undefined);
  await expectExactLater(site);
});

test('keeps a call that was given up on from writing its item', async () => {
  const site = await startSite();
  const item = await created(site.store, newItem(site));
  // The calls stop after they announced the change, and continue after they were given up on.
  const paused = await pausedAfter(site, 1);
  const creation = site.open(paused.data).create(C, newItem(site));
  await paused.reached;
  site.time.now += 60_001;
  await site.store.state(C);
  paused.go();
  await expect(creation).rejects.toThrow();
  const again = await pausedAfter(site, 1);
  const update = site.open(again.data).update(C, item, { ...change, at: 1 });
  await again.reached;
  site.time.now += 60_001;
  await site.store.state(C);
  again.go();
  expect(await update).toBeUndefined();
  await expectExact(site);
});

test('counts one of two deletions of an item, even if the other one dies', async () => {
  const site = await startSite();
  const item = await created(site.store, newItem(site));
  const second = await pausedAfter(site, 0);
  const third = await pausedAfter(site, 0, 1);
  const removals = [second, third].map(({ data }) => site.open(data).remove(C, item));
  // They have read the item, and have announced nothing.
  await Promise.all([second.reached, third.reached]);
  expect(await site.store.remove(C, item)).toBe(true);
  second.go();
  expect(await removals[0]).toBe(false);
  third.go();
  await expect(removals[1]).rejects.toThrow(Crash);
  await expectExactLater(site);
});

test('is exact if items are created, changed and deleted at the same time', async () => {
  const site = await startSite();
  const items = await Promise.all(
    Array.from({ length: 30 }, (_, i) => created(site.store, newItem(site, { unique: String(i % 40) }))),
  );
  const results = await Promise.allSettled(
    items.flatMap((item) => [
      site.store.remove(C, item),
      site.store.update(C, item, { ...change, at: 2 }),
      site.store.remove(C, item),
      site.store.create(C, newItem(site, { unique: 'one', most: 40 })),
    ]),
  );
  const isTrue = (one: PromiseSettledResult<unknown>) => one.status === 'fulfilled' && one.value === true;
  expect(results.filter(isTrue).length).toBeGreaterThanOrEqual(25);
  await expectExact(site);
});

test.each([
  ['full', { most: 3 }, {}],
  ['site_full', {}, { items: 3 }],
  ['site_full', {}, { bytes: 48 }],
  ['too_many_today', {}, { creationsPerDay: 3 }],
])('refuses more than there is room for, of 12 at once: %s', async (refusal, more, bounds) => {
  const site = await startSite(bounds);
  const results = await Promise.all(Array.from({ length: 12 }, () => site.store.create(C, newItem(site, more))));
  expect(results.filter((one) => one === refusal)).toHaveLength(9);
  await expectExact(site);
});

test('counts the creations of a day, and forgets those of others', async () => {
  const site = await startSite({ creationsPerDay: 1 });
  await created(site.store, newItem(site));
  expect(await site.store.create(C, newItem(site))).toBe('too_many_today');
  site.time.now += 3 * 86_400_000;
  await created(site.store, newItem(site));
  const state = await site.read('state');
  expect(Object.keys(state ?? {}).filter((name) => name.startsWith('day:'))).toEqual(['day:2026-11-27']);
});

test('creates one item of a unique value, of 12 at once', async () => {
  const site = await startSite();
  const results = await Promise.all(
    Array.from({ length: 12 }, () => site.store.create(C, newItem(site, { unique: 'a@example.org' }))),
  );
  expect(results.filter((one) => one === 'duplicate')).toHaveLength(11);
  const stored = JSON.stringify(await site.contents());
  expect(stored).not.toContain('a@example.org');
  await expectExact(site);
});

test('creates one item of a key, of 12 at once, and none within a day after its deletion', async () => {
  const site = await startSite();
  const item = newItem(site, { id: 'key', repeatable: true, most: 1 });
  const results = await Promise.all(Array.from({ length: 12 }, () => site.store.create(C, item)));
  const ids = results.flatMap((one) => (typeof one === 'string' ? [] : [one.id]));
  expect(new Set(ids).size).toBe(1);
  expect(results.filter((one) => typeof one === 'string' && one !== 'in_progress')).toEqual([]);
  await site.store.remove(C, { id: ids[0] ?? '' });
  site.time.now += 80_000_000;
  expect(await site.store.create(C, item)).toMatchObject({ id: ids[0], fields: item.fields });
  expect((await site.store.list(C, { limit: 10, shownOnly: true })).items).toEqual([]);
  await expectExact(site);
});

test('lists what is behind hundreds of deleted items', async () => {
  const site = await startSite({ creationsPerDay: 1_000 });
  const make = () => {
    site.time.now += 1;
    return created(site.store, newItem(site));
  };
  const kept = [await make(), await make(), await make()].map(({ id }) => id).reverse();
  for (let i = 0; i < 300; i++) await site.store.remove(C, await make());
  const idsOf = ({ items }: ItemPage) => items.map(({ id }) => id);
  const first = await site.store.list(C, { limit: 2, shownOnly: false });
  expect(idsOf(first)).toEqual(kept.slice(0, 2));
  const rest = await site.store.list(C, { limit: 2, before: String(first.next), shownOnly: false });
  expect([idsOf(rest), rest.next]).toEqual([kept.slice(2), undefined]);
});

test('ends items and sites', async () => {
  const site = await startSite();
  const { now } = site.time;
  await created(site.store, newItem(site, { endsAt: now + 1_000, unique: 'value' }));
  await site.data.putRules(site.site, 'hash', '{}');
  site.time.now += 1_000;
  expect(await site.store.list(C, { limit: 10, shownOnly: true })).toEqual({ items: [] });
  const { items } = await site.data.ended('a');
  expect(items).toHaveLength(1);
  for (const item of items) await site.data.removeEnded(item);
  await created(site.store, newItem(site, { unique: 'value' }));
  await expectExact(site);
  for (let i = 0; i < 60; i++) await created(site.store, newItem(site));
  await site.data.endSite(site.site, site.time.now);
  expect((await site.data.ended('a')).sites).toEqual([]);
  site.time.now += 600_000;
  expect((await site.data.ended('a')).sites).toEqual([site.site]);
  expect(await site.data.deleteAll(site.site, 25)).toBe(false);
  expect(await site.data.deleteAll(site.site, 1_000)).toBe(true);
  expect(await site.contents()).toEqual([]);
});

/** Returns a table for a call that pauses after its nth write, or after its first read, and may die after a later write. */
async function pausedAfter({ db, table, time }: Started, write: number, diesAfter = Infinity) {
  let writes = 0;
  let paused = false;
  const reached = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  const send = async (command: { constructor: { name: string } }) => {
    const output = await db.send(command as never);
    if (/^(Put|Update|Delete)Command$/.test(command.constructor.name)) writes++;
    if (writes >= diesAfter) throw new Crash();
    if (!paused && writes >= write) {
      paused = true;
      reached.resolve();
      await going.promise;
    }
    return output;
  };
  const bounds = { items: 100, bytes: 1_000_000, creationsPerDay: 1_000 };
  return {
    data: new SiteDataTable({ db: { send } as never, table, clock: () => time.now }, bounds),
    reached: reached.promise,
    go: () => going.resolve(),
  };
}
