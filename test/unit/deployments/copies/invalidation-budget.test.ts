import { InvalidationBudget } from '../../../../lambda/deployments/copies/edge-copies.ts';
import { startWorld, type World } from '../../../support/deployments.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

it('has as many invalidations a month as configured, for all instances together', async () => {
  const instances = Array.from({ length: 3 }, () => new InvalidationBudget(world.db, world.table, 10));
  const takeFifteen = async (date: string) => {
    const taken = await Promise.all(
      Array.from({ length: 15 }, (_, i) => instances[i % 3]?.take(Date.parse(date))),
    );
    return taken.filter(Boolean).length;
  };
  expect(await takeFifteen('2026-11-30T23:59:59.999Z')).toBe(10);
  expect(await takeFifteen('2026-12-01T00:00:00.000Z')).toBe(10);
  expect(await takeFifteen('2026-12-31T00:00:00.000Z')).toBe(0);
});

it('takes one write, and none once the month is known to be used up', async () => {
  const budget = new InvalidationBudget(world.db, world.table, 1);
  const now = Date.parse('2027-01-15');
  world.calls();
  expect([await budget.take(now), world.calls()]).toEqual([true, 1]);
  expect([await budget.take(now), world.calls()]).toEqual([false, 1]);
  expect([await budget.take(now), world.calls()]).toEqual([false, 0]);
});

it('of zero allows none', async () => {
  expect(await new InvalidationBudget(world.db, world.table, 0).take(0)).toBe(false);
});
