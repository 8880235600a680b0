import { LISTS } from '../../../lambda/stored/views.ts';
import type { ViewCounter } from '../../../lambda/visits/views/view-counter.ts';
import { startViewsTable, viewOf } from '../../unit/visits/views/views-table.ts';

let views: Awaited<ReturnType<typeof startViewsTable>>;
beforeEach(async () => {
  views = await startViewsTable();
});

const namesOf = (unit: string, i: number) =>
  [
    ['fallbacks', `/${i}${unit}`],
    ['referrers', `${i}${unit}.example`],
  ] as const;

async function flood(instance: ViewCounter, count: number, addresses: number, unit = '') {
  for (let i = 0; i < count; i++) {
    views.state.now += 10;
    await instance.writeOverdue();
    await instance.count(viewOf({ address: `10.0.${i % addresses}`, names: namesOf(unit, i) }));
  }
}

test('keeps room for the names of others when an address invents names, from the first minute of a day', async () => {
  const instance = views.instance();
  await flood(instance, 1_000, 1);
  for (let i = 0; i < 40; i++) {
    const names = [
      ['pages', `/page-${i}`],
      ['referrers', `site-${i % 20}.example`],
    ] as const;
    views.state.now += 3_000;
    await instance.count(viewOf({ address: `192.0.2.${i}`, names }));
  }
  views.state.now += 60_000;
  await instance.writeOverdue();
  const { lists, views: all } = await views.read();
  const pages = [...lists.pages.keys()].filter((name) => name.startsWith('/page-'));
  const sites = [...lists.referrers.keys()].filter((name) => name.startsWith('site-'));
  expect(pages).toHaveLength(40);
  expect(sites).toHaveLength(20);
  expect(all).toBe(1_040);
  expect(lists.referrers.get('')).toBeGreaterThan(900);
});

test('does not replace the names of others that have more views', async () => {
  const instance = views.instance();
  for (let i = 0; i < 60; i++) {
    views.state.now += 3_000;
    await instance.count(viewOf({ address: `192.0.2.${i % 12}`, names: [['referrers', `site-${i % 12}.example`]] }));
  }
  await flood(instance, 800, 200);
  const { lists } = await views.read();
  for (let i = 0; i < 12; i++) expect(lists.referrers.get(`site-${i}.example`)).toBe(5);
});

test('shows a path that becomes popular after the list was full', async () => {
  const instance = views.instance();
  for (let i = 0; i < 60; i++) {
    views.state.now += 3_000;
    await instance.count(viewOf({ address: `192.0.2.${i}`, names: [['pages', `/${i}`]] }));
  }
  expect((await views.read()).lists.pages.has('/new')).toBe(false);
  for (let i = 0; i < 30; i++) {
    views.state.now += 3_000;
    await instance.writeOverdue();
    await instance.count(viewOf({ address: `198.51.100.${i}`, names: [['pages', '/new']] }));
  }
  views.state.now += 60_000;
  await instance.writeOverdue();
  const { pages } = (await views.read()).lists;
  expect(pages.get('/new')).toBe(30);
  expect([...pages.values()].reduce((sum, one) => sum + one, 0)).toBe(90);
});

test('bounds the item of a day, whatever many addresses send to many instances', async () => {
  const instances = Array.from({ length: 6 }, () => views.instance());
  await Promise.all(instances.map((instance) => flood(instance, 300, 150, 'x'.repeat(80))));
  const { lists, names, visitors, introduced } = await views.read();
  // Each introduction adds at most a name and an attribute of its address.
  expect(names).toBeLessThanOrEqual(300);
  expect(introduced.size).toBeLessThanOrEqual(300);
  for (const list of ['fallbacks', 'referrers'] as const)
    expect(lists[list].size).toBeLessThanOrEqual(LISTS[list].room + 1);
  expect(visitors.size).toBeLessThanOrEqual(1_024 + 6 * 25);
  // A unit is 4 KB of an item, of which DynamoDB stores 400 KB.
  expect(await views.readUnits()).toBeLessThanOrEqual(25);
});
