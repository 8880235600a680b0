import type { Averages } from '../measured.ts';

/** Returns after how many milliseconds a provider is raced, by its averages. */
export type HedgeAfterMs = (averages: Averages | undefined) => number | undefined;

/** A provider is raced by the next one after so many times its usual time to the first token. */
const SLOWER = 3;
/** Shorter waits are usual even for fast providers. */
const LEAST_MS = 3_000;

/** The reason of an attempt that was stopped because another provider answered first. */
export const OUTPACED = 'Another provider answered first';

/**
 * Returns after how many milliseconds without text a provider is raced by the next one; undefined if its usual time to the first
 * token is not known.
 */
export function hedgeAfterMs(averages: Averages | undefined): number | undefined {
  const usual = averages?.firstTokenMs;
  return usual === undefined ? undefined : Math.max(LEAST_MS, usual * SLOWER);
}
