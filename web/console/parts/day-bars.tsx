const HEIGHT = 100;
/** Of a day, with the gap to the next one. */
const STEP = 12;
const BAR = 9;

/** A day of a chart: a number, and a part of it that has another color. */
export interface BarDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly title: string;
  readonly all: number;
  readonly part: number;
}

export const formatDay = (day: string) =>
  new Date(day).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export const formatNumber = (value: number) => value.toLocaleString('en');

/** Returns the highest bar, at least 1. */
export const highest = (days: readonly BarDay[]) => Math.max(1, ...days.map(({ all }) => all));

/** Days as bars. What they show is also in a table beside them. @param kind the class of the colored part */
export function DayBars({ days, kind }: { days: readonly BarDay[]; kind: 'failed' | 'visitors' }) {
  const scale = HEIGHT / highest(days);
  return (
    <svg viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {days.map(({ day, title, all, part }, at) => (
        <g key={day}>
          <title>{`${formatDay(day)}: ${title}`}</title>
          <rect class="day-space" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
          <rect class="day-all" x={at * STEP} y={HEIGHT - all * scale} width={BAR} height={all * scale} />
          <rect
            class={`day-${kind}`}
            x={at * STEP}
            y={HEIGHT - part * scale}
            width={BAR}
            height={part * scale}
          />
        </g>
      ))}
    </svg>
  );
}

/** The first day, a note about the bars, and the last day. */
export function DayAxis({ from, to, note }: { from: string; to: string; note: string }) {
  return (
    <div class="day-axis" aria-hidden="true">
      <span>{formatDay(from)}</span>
      <span>{note}</span>
      <span>{formatDay(to)}</span>
    </div>
  );
}
