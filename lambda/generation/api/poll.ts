import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { retryUntil } from '../../platform/unreachable.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const GROWTH = 1.2;

/**
 * Calls `poll` until it returns a value. The pauses grow from 100 ms to 1 s, so that a short generation is returned quickly
 * and a long one costs few reads. A poll that cannot reach AWS is retried, because the generation continues regardless.
 * @param deadline Unix milliseconds
 * @returns undefined when the deadline has passed
 * @throws the error of the last poll if AWS is still unreachable at the deadline; any other error at once
 */
export async function pollUntil<T>(
  deadline: number,
  poll: () => Promise<T | undefined>,
  clock: Clock,
): Promise<T | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, LONGEST_PAUSE_MS)) {
    const result = await retryUntil(deadline, poll, clock);
    const left = deadline - clock();
    if (result !== undefined || left <= 0) return result;
    await setTimeout(Math.min(pause, left));
  }
}
