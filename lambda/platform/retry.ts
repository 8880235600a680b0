import { setTimeout } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { isUnreachable } from './unreachable.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Calls `call` again while AWS cannot be reached, 100 ms to 1 s apart. Any other error is thrown at once. A write may have
 * taken effect although its response was lost, so `call` must be safe to repeat.
 * @param deadline Unix milliseconds after which no further call begins
 * @throws the error of the last call
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
