import { DAY, PAGE, startViewsTable, viewOf } from './views-table.ts';

let views: Awaited<ReturnType<typeof startViewsTable>>;
beforeEach(async () => {
  views = await startViewsTable();
});

const SECOND = 1_000;
test('writes the first view of a page at once, with all that is shown of it', async () => {
  const names = [
    ['pages', '/about'],
    ['referrers', 'news.example'],
  ] as const;
  await views.instance().count(viewOf({ names }));
  expect(await views.stored()).toMatchObject({
    page: PAGE,
    day: DAY,
    views: 1,
    's:200': 1,
    'p:/about': 1,
    'r:news.example': 1,
    expiresAt: Date.parse(`2027-02-23T00:00:00Z`) / SECOND,
  });
  expect((await views.read()).visitors.size).toBe(1);
});

test('keeps neither the address nor the user agent', async () => {
  const instance = views.instance();
  await instance.count(viewOf({ address: '192.0.2.77', userAgent: 'rare browser' }));
  expect(JSON.stringify(await views.stored())).not.toMatch(/192\.0|rare/);
});

test('writes at most once per 20 views under load, and loses none of them while it runs', async () => {
  const instance = views.instance();
  await views.visits(instance, 500, 20);
  expect(views.state.writes).toBeLessThanOrEqual(25);
  expect((await views.read()).views).toBeGreaterThan(500 - 25);
  views.state.now += 60 * SECOND;
  await instance.writeOverdue();
  expect((await views.read()).views).toBe(500);
});

test('writes the views of a quiet page with the next visit of any page', async () => {
  const instance = views.instance();
  await instance.count(viewOf());
  await instance.count(viewOf());
  expect((await views.read()).views).toBe(1);
  await instance.writeOverdue();
  expect((await views.read()).views).toBe(1);
  views.state.now += SECOND;
  await instance.writeOverdue();
  expect((await views.read()).views).toBe(2);
});

test('counts bots apart, with nothing else', async () => {
  await views.instance().count(viewOf({ isBot: true }));
  const { bots, views: people, visitors, lists, statuses } = await views.read();
  expect({ bots, people, visitors: visitors.size, paths: lists.pages.size, statuses: statuses.size }).toEqual({
    bots: 1,
    people: 0,
    visitors: 0,
    paths: 0,
    statuses: 0,
  });
});

test('counts a visitor of several instances once, and per page', async () => {
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2'])
    for (const page of [PAGE, 'z'.repeat(12)]) await views.instance().count(viewOf({ address, page }));
  await views.instance().count(viewOf({ userAgent: 'another browser' }));
  const [one, other] = [await views.read(), await views.read('z'.repeat(12))];
  expect(one).toMatchObject({ views: 4 });
  expect(one.visitors.size).toBe(3);
  expect(other.visitors.size).toBe(2);
  expect([...one.visitors].some((hash) => other.visitors.has(hash))).toBe(false);
});

test('repeats a write whose response was lost, and counts it once', async () => {
  const instance = views.instance();
  views.state.afterSend = async () => {
    throw new Error('The connection was reset');
  };
  await instance.count(viewOf());
  expect((await views.read()).views).toBe(1);
  views.state.afterSend = async () => {};
  await instance.count(viewOf({ address: '192.0.2.2' }));
  views.state.now += 10 * SECOND;
  await instance.writeOverdue();
  expect((await views.read()).views).toBe(1);
  views.state.now += 10 * SECOND;
  await instance.writeOverdue();
  expect(await views.read()).toMatchObject({ views: 2 });
  expect((await views.read()).visitors.size).toBe(2);
});

test('keeps views while the table cannot be reached', async () => {
  let isDown = true;
  const call = async <T>(perform: () => Promise<T>) => {
    if (isDown) throw new Error('No connection');
    return perform();
  };
  const instance = views.instance({ call });
  await views.visits(instance, 200, SECOND);
  isDown = false;
  await views.visits(instance, 0, 0);
  for (let i = 0; i < 3; i++) {
    views.state.now += 60 * SECOND;
    await instance.writeOverdue();
  }
  expect(await views.read()).toMatchObject({ views: 200, statuses: new Map([['200', 200]]) });
});

test('begins a new item with the day, and still writes the last one', async () => {
  const instance = views.instance();
  await views.visits(instance, 2, 10);
  views.state.now = Date.parse('2026-11-25T00:00:01Z');
  await instance.writeOverdue();
  await instance.count(viewOf());
  const [before, after] = [await views.read(), await views.read(PAGE, '2026-11-25')];
  expect([before.views, after.views]).toEqual([2, 1]);
  // The salt is another one.
  expect([...before.visitors].some((hash) => after.visitors.has(hash))).toBe(false);
});
