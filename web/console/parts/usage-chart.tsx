import type { UsageResponse } from '../../../client/client.ts';
import { knownDollars } from '../../../lambda/contract/dollars.ts';
import { type UsageDay, usageDays } from './usage-days.ts';

const HEIGHT = 100;
/** Of a day, with the gap to the next one. */
const STEP = 12;
const BAR = 9;

const formatDay = (day: string) =>
  new Date(day).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const number = (value: number) => value.toLocaleString('en');

/** Calls per day as bars, and all numbers as a table. */
export function UsageChart({ report }: { readonly report: UsageResponse }) {
  const days = usageDays(report);
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <figure class="usage">
      <figcaption>
        {`${number(total)} ${total === 1 ? 'call' : 'calls'} from ${formatDay(report.from)} to ${formatDay(report.to)}`}
        {report.totals.cost.usd + report.totals.cost.unpriced > 0 &&
          `, models: ${knownDollars(report.totals.cost)}`}
      </figcaption>
      <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, at) => (
          <Bar key={day.day} day={day} x={at * STEP} most={most} />
        ))}
      </svg>
      <div class="usage-axis" aria-hidden="true">
        <span>{formatDay(report.from)}</span>
        <span>{`at most ${number(most)} a day, failed calls in red`}</span>
        <span>{formatDay(report.to)}</span>
      </div>
      <details>
        <summary>As a table</summary>
        <Table days={days.filter(({ calls, cost }) => calls + cost.usd + cost.unpriced > 0)} />
      </details>
    </figure>
  );
}

function Bar({ day, x, most }: { day: UsageDay; x: number; most: number }) {
  const height = (day.calls / most) * HEIGHT;
  const failed = (day.failed / most) * HEIGHT;
  return (
    <g>
      <title>{`${formatDay(day.day)}: ${number(day.calls)} calls, ${number(day.failed)} failed`}</title>
      <rect class="usage-day" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect class="usage-calls" x={x} y={HEIGHT - height} width={BAR} height={height} />
      <rect class="usage-failed" x={x} y={HEIGHT - failed} width={BAR} height={failed} />
    </g>
  );
}

function Table({ days }: { days: readonly UsageDay[] }) {
  return (
    <table>
      <thead>
        <tr>
          {['Day', 'Calls', 'Failed', 'Tokens', 'Files', 'Cost'].map((name) => (
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
            <td>{number(calls)}</td>
            <td>{number(failed)}</td>
            <td>{number(tokens)}</td>
            <td>{number(files)}</td>
            <td>{knownDollars(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
