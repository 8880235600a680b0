/** A measured figure and its bound. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** As printed, such as `≤ 1.4`; `-` for a figure that is only printed. */
  readonly bound: string;
  readonly ok: boolean;
  readonly raw?: Raw;
}

/** The two values of a ratio; medians if there were several rounds. */
export interface Raw {
  readonly own: number;
  readonly other: number;
  readonly unit: string;
}

/** Creates a figure that must equal `right`. */
export function exactly(name: string, value: number, right: number): Figure {
  return { name, value, bound: `= ${right}`, ok: value === right };
}

/** Creates a figure that must not exceed a limit. */
export function atMost(name: string, value: number, limit: number): Figure {
  return { name, value, bound: `≤ ${limit}`, ok: value <= limit };
}

/** Returns a percentile of the samples; `p` is between 0 and 1. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Returns a figure as a line of the report: verdict, name, value, bound, and the values behind a ratio. */
export function lineOf({ name, value, bound, ok, raw }: Figure, nameWidth: number): string {
  const measured = numberText(value).padStart(8);
  const behind = raw ? `   ${numberText(raw.own)} / ${numberText(raw.other)} ${raw.unit}` : '';
  return `${ok ? 'ok  ' : 'MISS'}  ${name.padEnd(nameWidth)}  ${measured}   ${bound.padEnd(7)}${behind}`.trimEnd();
}

/** Formats a value for the report. */
export function numberText(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 });
}
