import { type Figure, median, type Raw } from './figure.ts';

/** Returns one sample in milliseconds. */
export type Sample = () => number | Promise<number>;

/** The limit of a ratio; a ratio without one is only printed. */
export type Bound = { readonly atMost: number } | { readonly atLeast: number } | 'none';

export interface Effort {
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

function figureOf(name: string, bound: Bound, value: number, raw: Raw): Figure {
  return { name, value, bound: textOf(bound), ok: keeps(value, bound), raw };
}

function textOf(bound: Bound): string {
  if (bound === 'none') return '-';
  return 'atMost' in bound ? `≤ ${bound.atMost}` : `≥ ${bound.atLeast}`;
}

function keeps(value: number, bound: Bound): boolean {
  if (bound === 'none') return true;
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
}

/** A sign test: if the median were the bound, n/2 ± √n/2 of `n` rounds would be within it. */
function isDecided(ratios: readonly number[], bound: Bound): boolean {
  const within = ratios.filter((value) => keeps(value, bound)).length;
  return Math.abs(within - ratios.length / 2) >= Math.sqrt(ratios.length);
}
