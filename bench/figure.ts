/** One measured number beside the bound it is held to. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** As a person reads it, such as `≤ 250 ms`. */
  readonly bound: string;
  readonly ok: boolean;
}

/** A figure that must not be over its bound. */
export function atMost(name: string, value: number, limit: number, unit: string): Figure {
  return { name, value, unit, bound: `≤ ${limit} ${unit}`.trim(), ok: value <= limit };
}

/** The value below which the share `p` of the samples lies. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}
