import type { ViewsResponse } from '../../../client/client.ts';
import { DayAxis, DayBars, formatDay, formatNumber, highest } from './day-bars.tsx';

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
  return (
    <figure class="usage">
      <figcaption>
        {`${counted(totals.views, 'view')} by ${counted(totals.visitors, 'visitor')} from ${formatDay(from)} to ${formatDay(to)}`}
        {totals.bots > 0 && `, and ${counted(totals.bots, 'view')} by programs`}
      </figcaption>
      <DayBars days={bars} kind="visitors" />
      <DayAxis from={from} to={to} note={`at most ${formatNumber(highest(bars))} a day, visitors in blue`} />
      <details>
        <summary>Days, pages and sites</summary>
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
      </details>
    </figure>
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
              <td key={names[at + 1]}>{formatNumber(Number(number))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
