import { setTimeout } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { isUnreachable } from './unreachable.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Makes a call, again and again while AWS is unreachable. */
export type Retry = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Retries `call` with exponential backoff (100 ms to 1 s) while AWS is unreachable; any other error is thrown at once.
 * `call` must be idempotent: a write may have taken effect although its response was lost.
 * @param deadline Unix milliseconds after which no retry begins
 */
export async function retryUntil<T>(deadline: number, call: () => Promise<T>, clock: Clock): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error) || clock() + pause > deadline) throw error;
      await setTimeout(pause);
    }
  }
}
