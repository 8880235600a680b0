import * as z from 'zod';
import type { Duration } from '../contract/generate.ts';
import type { Generation } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

const MINUTE = 60_000;

interface Depth {
  /** The longest that a generation takes. */
  readonly limitMs: number;
  readonly repairs: number;
  /** Whether the page is compared with the request, once. */
  readonly isReviewed: boolean;
}

export const DEPTHS: Readonly<Record<Duration, Depth>> = {
  auto: { limitMs: 6 * MINUTE, repairs: 1, isReviewed: false },
  '5min': { limitMs: 5 * MINUTE, repairs: 2, isReviewed: true },
  '10min': { limitMs: 10 * MINUTE, repairs: 3, isReviewed: true },
};

/** Time to write the end of a generation. */
const ENDING_MS = 3_000;

/**
 * Maximum number of attempts of a generation: a provider that breaks off after every few lines would be paid for its
 * input each time, and fill the item of the generation with their ends.
 */
export const MOST_ATTEMPTS = 100;

/** A review that leaves less time than this part of a round for a repair is not begun. */
export const LEAST_REVIEW_PART = 1 / 3;

/** An attempt that has less time than this part of a round is not begun. */
export const LEAST_PART = 1 / 6;

/** The longest time from the request to the first attempt, which may wait for its turn. */
const LONGEST_START_MS = 3 * MINUTE;

/**
 * Returns how many milliseconds the attempts of a generation may still take.
 * @param now by the clock of the function that makes the attempts
 * @param roundMs how long a round may take; a stage with slow models may configure more than the duration
 */
export function timeLeft(generation: Generation, now: number, roundMs: number): number {
  const { limitMs } = DEPTHS[generation.duration];
  return begunAt(generation) + Math.max(limitMs - ENDING_MS, roundMs) - now;
}

/**
 * Returns when a generation began. If the API's time cannot be right, its clock and that of the attempts differ, and
 * the first attempt counts: a generation would otherwise end before its time, or long after.
 */
function begunAt(generation: Generation): number {
  const { createdAt } = generation;
  const first = attemptsOf(generation)[0]?.startedAt ?? createdAt;
  const waitedMs = first - createdAt;
  return waitedMs >= 0 && waitedMs <= LONGEST_START_MS ? createdAt : first;
}

const seconds = z.number();

/** The timeouts of a stage's configuration. */
export const timeouts = z.object({
  providerTimeoutSeconds: seconds,
  firstTokenSeconds: seconds,
  stallSeconds: seconds,
});

/** Timeouts of a provider, in milliseconds. */
export interface Deadlines {
  /** From the start to the last event. */
  readonly totalMs: number;
  /** From the start to the first event. */
  readonly firstMs: number;
  /** From one event to the next. */
  readonly stallMs: number;
}

/** Returns the deadlines of the attempts of a stage. */
export function deadlinesOf(configured: z.output<typeof timeouts>): Deadlines {
  const { providerTimeoutSeconds, firstTokenSeconds, stallSeconds } = configured;
  return {
    // A little less, so that the attempt has logged its outcome in time. The state machine's own timeout has another
    // 30 s, in which what was written is built.
    totalMs: providerTimeoutSeconds * 1000 - Math.min(3_000, providerTimeoutSeconds * 100),
    firstMs: firstTokenSeconds * 1000,
    stallMs: stallSeconds * 1000,
  };
}
