import type { Period } from '../contract/days.ts';
import { VIEWS_DAYS } from '../contract/limits.ts';
import { LISTED_NAMES, type ViewsResponse } from '../contract/views.ts';
import { periodOf } from '../http/input.ts';
import { type Route, route } from '../http/router.ts';
import { type Clock, DAY_MS, dayOf } from '../platform/clock.ts';
import { type Counts, type DayViews, OTHER } from '../stored/views/day-views.ts';
import { estimatedVisitors } from '../stored/views/visitors.ts';
import type { DeployPorts } from './deploy.ts';
import { requireLive } from './manage.ts';
import { requireDeployment } from './resource-response.ts';

export interface ViewsPorts {
  /** Returns the days of a page that have views, earliest first; none if the stage has no table of views. */
  readonly readViews: (page: string, period: Period) => Promise<readonly DayViews[]>;
  /** Why the stage counts no views; undefined if it does. */
  readonly viewsUncounted: string | undefined;
  readonly clock: Clock;
}

/** Returns the route that reports the views of a deployment to its owner. */
export function viewsRoute(ports: ViewsPorts & DeployPorts): Route {
  return route('getDeploymentViews', async ({ request, params, query }) => {
    const deployment = await requireDeployment(params.id, request, ports);
    requireLive(deployment);
    const period = periodOf(query, ports.clock(), VIEWS_DAYS);
    const days = await ports.readViews(deployment.id, period);
    return { statusCode: 200, body: viewsReport(days, period, ports.viewsUncounted) };
  });
}

/** Returns the report about a period. @param uncounted why nothing is counted now */
export function viewsReport(
  stored: readonly DayViews[],
  { from, to }: Period,
  uncounted?: string,
): ViewsResponse {
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
  for (const [name, views] of counts.flatMap((one) => [...one]))
    sums.set(name, (sums.get(name) ?? 0) + views);
  return sums;
}
