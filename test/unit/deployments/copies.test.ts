import {
  copiesUntil,
  InvalidationBudget,
  type NeededInvalidations,
} from '../../../lambda/deployments/copies/edge-copies.ts';
import { startWorld } from '../../support/deployments.ts';
import { testRows } from '../../support/rows.ts';

testRows([
  [0, 60],
  [30, 60],
  [600, 600],
])('copies may be seen for edgeSeconds, and for a minute at least', (edgeSeconds, seconds) => {
  expect(copiesUntil(1_000_000, edgeSeconds)).toBe(1_000_000 + seconds * 1_000);
});

const world = await startWorld();

const OF_KEY: NeededInvalidations = { owner: 'key:a', deployer: undefined, count: 1, isUrgent: false };
const ANONYMOUS = { ...OF_KEY, owner: 'anonymous' };

/** Returns how many of 50 requests at the same time are granted, on three instances that share 40 a month. */
async function granted(date: string, needed: NeededInvalidations): Promise<number> {
  const instances = Array.from({ length: 3 }, () => new InvalidationBudget(world.db, world.table, 40));
  const taken = await Promise.all(
    Array.from({ length: 50 }, (_, i) => instances[i % 3]?.take(Date.parse(date), needed)),
  );
  return taken.filter(Boolean).length;
}

it('has as many invalidations a month as configured, for all instances together', async () => {
  const all = async (date: string) => {
    const numbers: number[] = [];
    for (const { owner } of [ANONYMOUS, OF_KEY])
      for (const isUrgent of [false, true]) numbers.push(await granted(date, { ...OF_KEY, owner, count: 1, isUrgent }));
    return numbers;
  };
  const [anonymous, keys] = [
    [3, 1],
    [27, 9],
  ] as const;
  expect(await all('2026-11-30T23:59:59.999Z')).toEqual([...anonymous, ...keys]);
  expect(await all('2026-12-01T00:00:00.000Z')).toEqual([...anonymous, ...keys]);
  expect(await all('2026-12-31T00:00:00.000Z')).toEqual([0, 0, 0, 0]);
});

it('takes none of the invalidations of keys for pages without an owner, whatever these need', async () => {
  const date = '2027-02-01';
  expect(await granted(date, { ...ANONYMOUS, isUrgent: true })).toBe(4);
  expect(await granted(date, { ...OF_KEY, isUrgent: true })).toBe(36);
});

it('gives one address a fifth of those without an owner, so that it cannot use them up', async () => {
  const date = '2027-03-01';
  expect(await granted(date, { ...ANONYMOUS, deployer: 'a', isUrgent: true })).toBe(1);
  expect(await granted(date, { ...ANONYMOUS, deployer: 'b', isUrgent: true })).toBe(1);
  expect(await granted(date, { ...OF_KEY, deployer: 'a', isUrgent: true })).toBe(36);
});

it('takes one write, and none once the month is known to be used up', async () => {
  const budget = new InvalidationBudget(world.db, world.table, 1);
  const now = Date.parse('2027-01-15');
  world.calls();
  expect([await budget.take(now, ANONYMOUS), world.calls()]).toEqual([true, 1]);
  expect([await budget.take(now, ANONYMOUS), world.calls()]).toEqual([false, 1]);
  expect([await budget.take(now, ANONYMOUS), world.calls()]).toEqual([false, 0]);
});

it('of zero allows none', async () => {
  const budget = new InvalidationBudget(world.db, world.table, 0);
  expect(await Promise.all([budget.take(0, ANONYMOUS), budget.take(0, OF_KEY)])).toEqual([false, false]);
});
