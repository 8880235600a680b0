import type { UsageResponse } from '../../../client/client.ts';
import { knownDollars } from '../../../lambda/contract/dollars.ts';
import { DayAxis, DayBars, formatDay, formatNumber, highest } from './day-bars.tsx';
import { type UsageDay, usageDays } from './usage-days.ts';

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
  return (
    <figure class="usage">
      <figcaption>
        {`${formatNumber(total)} ${total === 1 ? 'call' : 'calls'} from ${formatDay(report.from)} to ${formatDay(report.to)}`}
        {report.totals.cost.usd + report.totals.cost.unpriced > 0 &&
          `, models: ${knownDollars(report.totals.cost)}`}
      </figcaption>
      <DayBars days={bars} kind="failed" />
      <DayAxis
        from={report.from}
        to={report.to}
        note={`at most ${formatNumber(highest(bars))} a day, failed calls in red`}
      />
      <details>
        <summary>As a table</summary>
        <Table days={days.filter(({ calls, cost }) => calls + cost.usd + cost.unpriced > 0)} />
      </details>
    </figure>
  );
}

function Table({ days }: { days: readonly UsageDay[] }) {
  return (
    <table>
      <thead>
        <tr>
          {['Day', 'Calls', 'Failed', 'Est. tokens', 'Files', 'Cost'].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ day, calls, failed, tokens, files, cost }) => (
          <tr key={day}>
            <th scope="row">{formatDay(day)}</th>
            <td>{formatNumber(calls)}</td>
            <td>{formatNumber(failed)}</td>
            <td>{formatNumber(tokens)}</td>
            <td>{formatNumber(files)}</td>
            <td>{knownDollars(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
