/** A measured figure and its bound. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The bound as it is printed, such as `≤ 1.4`. */
  readonly bound: string;
  readonly ok: boolean;
  readonly raw?: Raw;
}

/** The two values of a ratio; medians if there were several rounds. */
interface Raw {
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
function percentile(samples: readonly number[], p: number): number {
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

/** Returns one sample in milliseconds. */
type Sample = () => number | Promise<number>;

/** The limit of a ratio. */
export interface Bound {
  readonly atMost: number;
}

interface Effort {
  /** The minimum of rounds. */
  readonly rounds?: number;
  /** After this time, an undecided measurement ends. */
  readonly seconds?: number;
}

/**
 * Samples `own` and `other` alternately and returns the median of their ratio as a figure. Each round samples both, so
 * that other load affects both. A busy machine takes more rounds: the measurement ends when the share of rounds within
 * the bound is two standard deviations from one half.
 */
export async function ratio(
  name: string,
  bound: Bound,
  own: Sample,
  other: Sample,
  { rounds = 15, seconds = 8 }: Effort = {},
): Promise<Figure> {
  const samples = { own: [] as number[], other: [] as number[] };
  const ratios: number[] = [];
  const end = performance.now() + seconds * 1_000;
  // The first calls load modules, compile and connect.
  await own();
  await other();
  do {
    const [a, b] = [await own(), await other()];
    samples.own.push(a);
    samples.other.push(b);
    ratios.push(a / b);
  } while (ratios.length < rounds || (performance.now() < end && !isDecided(ratios, bound)));
  const raw = { own: median(samples.own), other: median(samples.other), unit: 'ms' };
  return figureOf(name, bound, median(ratios), raw);
}

/** Creates the figure of a ratio of two known values. */
export function share(name: string, bound: Bound, own: number, other: number, unit: string): Figure {
  return figureOf(name, bound, own / other, { own, other, unit });
}

/** Returns the duration of `perform` in milliseconds. */
export async function measureMs(perform: () => unknown): Promise<number> {
  const before = performance.now();
  await perform();
  return performance.now() - before;
}

function figureOf(name: string, { atMost: limit }: Bound, value: number, raw: Raw): Figure {
  return { ...atMost(name, value, limit), raw };
}

/** A sign test: if the median were the bound, n/2 ± √n/2 of `n` rounds would be within it. */
function isDecided(ratios: readonly number[], { atMost: limit }: Bound): boolean {
  const within = ratios.filter((value) => value <= limit).length;
  return Math.abs(within - ratios.length / 2) >= Math.sqrt(ratios.length);
}
