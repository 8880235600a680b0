import type { ComponentChildren } from 'preact';
import type { UsageResponse, ViewsResponse } from '../../../client/client.ts';
import { knownDollars } from '../../../lambda/contract/dollars.ts';
import { usageDays } from './rows.ts';

const HEIGHT = 100;
/** The width of a day, with the gap to the next one. */
const STEP = 12;
const BAR = 9;

/** A day of a chart: a number, and a part of it that has another color. */
interface BarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly title: string;
  readonly all: number;
  readonly part: number;
}

const formatDay = (day: string) =>
  new Date(day).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const formatNumber = (value: number) => value.toLocaleString('en');

/** Returns the highest bar, at least 1. */
const highest = (days: readonly BarDay[]) => Math.max(1, ...days.map(({ all }) => all));

function DayBars({ days, kind }: { days: readonly BarDay[]; kind: ChartProps['kind'] }) {
  const scale = HEIGHT / highest(days);
  return (
    <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {days.map(({ day, title, all, part }, at) => (
        <g key={day}>
          <title>{`${formatDay(day)}: ${title}`}</title>
          <rect class="day-space" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
          <rect class="day-all" x={at * STEP} y={HEIGHT - all * scale} width={BAR} height={all * scale} />
          <rect class={`day-${kind}`} x={at * STEP} y={HEIGHT - part * scale} width={BAR} height={part * scale} />
        </g>
      ))}
    </svg>
  );
}

interface ChartProps {
  readonly caption: string;
  readonly bars: readonly BarDay[];
  /** The class of the colored part of the bars. */
  readonly kind: 'failed' | 'visitors';
  /** The meaning of the colored part, in words. */
  readonly part: string;
  readonly period: { readonly from: string; readonly to: string };
  /** The title of the tables with all numbers. */
  readonly tables: string;
  readonly children: ComponentChildren;
}

/** Days as bars, with all numbers as tables. */
function Chart({ caption, bars, kind, part, period: { from, to }, tables, children }: ChartProps) {
  return (
    <figure class="usage">
      <figcaption>{caption}</figcaption>
      <DayBars days={bars} kind={kind} />
      <div class="day-axis" aria-hidden="true">
        <span>{formatDay(from)}</span>
        <span>{`at most ${formatNumber(highest(bars))} a day, ${part}`}</span>
        <span>{formatDay(to)}</span>
      </div>
      <details>
        <summary>{tables}</summary>
        {children}
      </details>
    </figure>
  );
}

const counted = (number: number, noun: string) => `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;

/** Views and visitors per day as bars, and all numbers as tables. */
export function ViewsChart({ report }: { readonly report: ViewsResponse }) {
  const { totals, days, from, to, paths, referrers, other } = report;
  const bars = days.map(({ date, views, visitors }) => ({
    day: date,
    title: `${counted(views, 'view')} by ${counted(visitors, 'visitor')}`,
    all: views,
    part: Math.min(visitors, views),
  }));
  const programs = totals.bots > 0 ? `, and ${counted(totals.bots, 'view')} by programs` : '';
  return (
    <Chart
      caption={`${counted(totals.views, 'view')} by ${counted(totals.visitors, 'visitor')} from ${formatDay(from)} to ${formatDay(to)}${programs}`}
      bars={bars}
      kind="visitors"
      period={report}
      part="visitors in blue"
      tables="Days, pages and sites"
    >
      <Table
        names={['Day', 'Views', 'Visitors', 'Programs']}
        rows={days
          .filter(({ views, bots }) => views + bots > 0)
          .map(({ date, views, visitors, bots }) => [formatDay(date), views, visitors, bots])}
      />
      <Table
        names={['Page', 'Views']}
        rows={[...paths.map(({ path, views }) => [path, views]), ...others(other.paths)]}
      />
      <Table
        names={['From', 'Views']}
        rows={[...referrers.map(({ host, views }) => [host, views]), ...others(other.referrers)]}
      />
    </Chart>
  );
}

const others = (views: number) => (views > 0 ? [['Others', views]] : []);

type Row = readonly (string | number)[];

function Table({ names, rows }: { names: readonly string[]; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name = '', ...numbers]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {numbers.map((number, at) => (
              <td key={names[at + 1]}>{typeof number === 'number' ? formatNumber(number) : number}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Calls per day as bars, and all numbers as a table. */
export function UsageChart({ report }: { readonly report: UsageResponse }) {
  const days = usageDays(report);
  const bars = days.map(({ day, calls, failed }) => ({
    day,
    title: `${formatNumber(calls)} calls, ${formatNumber(failed)} failed`,
    all: calls,
    part: failed,
  }));
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  const { from, to, totals } = report;
  const costs = totals.cost.usd + totals.cost.unpriced > 0 ? `, models: ${knownDollars(totals.cost)}` : '';
  return (
    <Chart
      caption={`${counted(total, 'call')} from ${formatDay(from)} to ${formatDay(to)}${costs}`}
      bars={bars}
      kind="failed"
      period={report}
      part="failed calls in red"
      tables="As a table"
    >
      <Table
        names={['Day', 'Calls', 'Failed', 'Est. tokens', 'Files', 'Cost']}
        rows={days
          .filter(({ calls, cost }) => calls + cost.usd + cost.unpriced > 0)
          .map(({ day, calls, failed, tokens, files, cost }) => [
            formatDay(day),
            calls,
            failed,
            tokens,
            files,
            knownDollars(cost),
          ])}
      />
    </Chart>
  );
}
