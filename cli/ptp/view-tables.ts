import type { ViewsResponse } from '../../client/client.ts';
import type { Table } from '../../terminal/table.ts';

const BARS = '▁▂▃▄▅▆▇█';

/** Returns one character for each number, as high as its share of the largest. */
export function sparkline(numbers: readonly number[]): string {
  const most = Math.max(1, ...numbers);
  return numbers.map((one) => BARS[Math.round((one / most) * (BARS.length - 1))]).join('');
}

/** Returns the days that have views, with the totals. */
export function dayTable({ days, totals }: ViewsResponse): Table {
  return {
    header: ['DAY', 'VIEWS', 'VISITORS', 'BOTS'],
    rows: days
      .filter(({ views, bots }) => views + bots > 0)
      .map(({ date, views, visitors, bots }) => [date, views, visitors, bots]),
    totals: ['total', totals.views, totals.visitors, totals.bots],
  };
}

/** Returns the paths with most views. */
export function pathTable({ paths, other }: ViewsResponse): Table {
  const rows = paths.map(({ path, views }) => [path, views]);
  return { header: ['PATH', 'VIEWS'], rows: [...rows, ...others(other.paths)] };
}

/** Returns the sites that visitors came from. */
export function referrerTable({ referrers, other }: ViewsResponse): Table {
  const rows = referrers.map(({ host, views }) => [host, views]);
  return { header: ['FROM', 'VIEWS'], rows: [...rows, ...others(other.referrers)] };
}

const others = (views: number) => (views > 0 ? [['(other)', views]] : []);
