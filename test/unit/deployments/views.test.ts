import { viewsReport } from '../../../lambda/deployments/views.ts';
import { hashBytes, toDayViews } from '../../../lambda/stored/views.ts';

const PERIOD = { from: '2026-11-22', to: '2026-11-24' };
const day = (date: string, item: Record<string, unknown>) => toDayViews({ day: date, ...item });

test('has every day of the period, with its sums', () => {
  const visitors = new Set([1, 2, 3].map(hashBytes));
  const report = viewsReport(
    [
      day('2026-11-22', { views: 5, bots: 2, visitors, 's:200': 4, 's:404': 1, 'p:/': 4, 'f:/nope': 1 }),
      day('2026-11-24', {
        views: 40,
        visitors,
        level: 3,
        's:200': 40,
        'p:/': 30,
        'p:': 10,
        'r:news.example': 2,
      }),
    ],
    PERIOD,
  );
  expect(report).toEqual({
    counted: true,
    ...PERIOD,
    totals: { views: 45, visitors: 27, bots: 2 },
    days: [
      { date: '2026-11-22', views: 5, visitors: 3, bots: 2 },
      { date: '2026-11-23', views: 0, visitors: 0, bots: 0 },
      // Each hash of the sample stands for eight visitors.
      { date: '2026-11-24', views: 40, visitors: 24, bots: 0 },
    ],
    paths: [
      { path: '/', views: 34 },
      { path: '/nope', views: 1 },
    ],
    referrers: [{ host: 'news.example', views: 2 }],
    other: { paths: 10, referrers: 0 },
    statuses: { 200: 44, 404: 1 },
  });
});

test('lists 50 names, and counts the others together', () => {
  const paths = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`p:/${i}`, i + 1]));
  const { paths: listed, other } = viewsReport([day('2026-11-22', { ...paths, 'f:': 7 })], PERIOD);
  expect(listed).toHaveLength(50);
  expect(listed[0]).toEqual({ path: '/59', views: 60 });
  expect(other.paths).toBe(55 + 7);
});

test('adds up a path that was a file and a fallback on the same day', () => {
  const { paths } = viewsReport([day('2026-11-22', { 'p:/a': 1, 'f:/a': 2 })], PERIOD);
  expect(paths).toEqual([{ path: '/a', views: 3 }]);
});

test('says why nothing is counted', () => {
  expect(viewsReport([], PERIOD, 'It is off')).toMatchObject({ counted: false, reason: 'It is off' });
});
