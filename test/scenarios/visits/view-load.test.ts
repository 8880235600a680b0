import { estimatedVisitors } from '../../../lambda/stored/views.ts';
import { PAGE, startViewsTable, viewOf } from '../../unit/visits/views/views-table.ts';

let views: Awaited<ReturnType<typeof startViewsTable>>;
beforeEach(async () => {
  views = await startViewsTable();
});

/** Returns numbers from 0 to 1 that are the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

test('writes at most once per 20 views under load that is spread over many pages', async () => {
  const instance = views.instance();
  let i = 0;
  await views.visits(instance, 1_500, 20, () => viewOf({ page: `page${String(i++ % 40).padStart(8, '0')}` }));
  expect(views.state.writes).toBeLessThanOrEqual(75);
});

test('loses at most 24 views of each page when an instance stops', async () => {
  const pages = ['a', 'b', 'c'].map((letter) => letter.repeat(12));
  const sent = new Map<string, number>();
  const random = randomNumbers(7);
  const stops = 8;
  for (let stop = 1; stop <= stops; stop++) {
    const instance = views.instance();
    await views.visits(instance, Math.floor(random() * 200), random() * 500, () => {
      const page = pages[Math.floor(random() ** 2 * 3)] ?? PAGE;
      sent.set(page, (sent.get(page) ?? 0) + 1);
      return viewOf({ page });
    });
    for (const page of pages) {
      const lost = (sent.get(page) ?? 0) - (await views.read(page)).views;
      expect(lost).toBeGreaterThanOrEqual(0);
      expect(lost).toBeLessThanOrEqual(24 * stop);
    }
  }
});

test('samples visitors when there are many', async () => {
  const instances = [views.instance(), views.instance(), views.instance()];
  let i = 0;
  const next = () => viewOf({ address: `address ${i++}`, names: [] });
  for (let round = 0; round < 12; round++)
    for (const instance of instances) await views.visits(instance, 50, 100, next);
  const { visitors, level } = await views.read();
  expect(level).toBeGreaterThan(0);
  expect(visitors.size).toBeLessThan(1_100);
  expect(Math.abs(estimatedVisitors(visitors, level) / i - 1)).toBeLessThan(0.15);
});
