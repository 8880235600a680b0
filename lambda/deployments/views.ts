import { LISTED_NAMES, type Period, type ViewsResponse } from '../contract/queries.ts';
import { DAY_MS, dayOf } from '../platform/clock.ts';
import { type Counts, type DayViews, estimatedVisitors, OTHER } from '../stored/views.ts';

/** Returns the report about a period. @param uncounted why nothing is counted now */
export function viewsReport(stored: readonly DayViews[], { from, to }: Period, uncounted?: string): ViewsResponse {
  const byDay = new Map(stored.map((day) => [day.day, day]));
  const days = daysOf({ from, to }).map((date) => {
    const { views = 0, bots = 0, visitors = [], level = 0 } = byDay.get(date) ?? {};
    return { date, views, visitors: estimatedVisitors(visitors, level), bots };
  });
  const total = (of: (day: (typeof days)[number]) => number) => days.reduce((sum, day) => sum + of(day), 0);
  const paths = listed(stored.flatMap(({ lists }) => [lists.pages, lists.fallbacks]));
  const referrers = listed(stored.map(({ lists }) => lists.referrers));
  return {
    counted: uncounted === undefined,
    ...(uncounted === undefined ? {} : { reason: uncounted }),
    from,
    to,
    totals: {
      views: total(({ views }) => views),
      visitors: total(({ visitors }) => visitors),
      bots: total(({ bots }) => bots),
    },
    days,
    paths: paths.first.map(([path, views]) => ({ path, views })),
    referrers: referrers.first.map(([host, views]) => ({ host, views })),
    other: { paths: paths.other, referrers: referrers.other },
    statuses: Object.fromEntries(sumOf(stored.map(({ statuses }) => statuses))),
  };
}

function daysOf({ from, to }: Period): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, i) => dayOf(Date.parse(from) + i * DAY_MS));
}

/** Returns the names with most views, and the views of all others. */
function listed(counts: readonly Counts[]): { first: [string, number][]; other: number } {
  const { [OTHER]: others = 0, ...named } = Object.fromEntries(sumOf(counts));
  const sorted = Object.entries(named).sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(LISTED_NAMES).reduce((sum, [, views]) => sum + views, others);
  return { first: sorted.slice(0, LISTED_NAMES), other: rest };
}

function sumOf(counts: readonly Counts[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [name, views] of counts.flatMap((one) => [...one])) sums.set(name, (sums.get(name) ?? 0) + views);
  return sums;
}
