import type { Duration } from '../contract/generate.ts';
import type { Generation } from './generation.ts';

const MINUTE = 60_000;

/** The longest that a generation takes, and its number of repairs. */
export const DEPTHS: Readonly<Record<Duration, { readonly limitMs: number; readonly repairs: number }>> = {
  auto: { limitMs: 6 * MINUTE, repairs: 1 },
  '5min': { limitMs: 5 * MINUTE, repairs: 2 },
  '10min': { limitMs: 10 * MINUTE, repairs: 3 },
};

/** Time to write the end of a generation. */
const ENDING_MS = 3_000;

/**
 * Maximum number of attempts of a generation: a provider that breaks off after every few lines would be paid for its input each
 * time, and fill the item of the generation with their ends.
 */
export const MOST_ATTEMPTS = 100;

/** An attempt that has less time than this part of a round is not begun. */
export const LEAST_PART = 1 / 6;

/**
 * Returns how many milliseconds the attempts of a generation may still take.
 * @param roundMs how long a round may take; a stage with slow models may configure more than the duration
 */
export function timeLeft({ duration, createdAt }: Generation, now: number, roundMs: number): number {
  const { limitMs } = DEPTHS[duration];
  return createdAt + Math.max(limitMs - ENDING_MS, roundMs) - now;
}
