/** Returns Unix time in milliseconds. */
export type Clock = () => number;

/**
 * How far the clocks of two functions may be apart, in milliseconds. AWS refuses requests that are signed with a greater
 * difference to its own clock.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_aws-signing.html
 */
export const CLOCKS_APART_MS = 5 * 60_000;

export const DAY_MS = 86_400_000;

/** Returns the UTC day of a time in Unix milliseconds, as `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns when the UTC day of a time ends, both in Unix milliseconds. */
export function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

const TICK_MS = 25;

/** The most that a tick counts. A later one means that this process, and on a laptop the service as well, had no processor. */
const MOST_MS = 2 * TICK_MS;

/** Calls a function after a time in which this process could run, unless the returned function is called before. */
export function afterRunning(milliseconds: number, expire: () => void): () => void {
  let left = milliseconds;
  let last = performance.now();
  const ticks = setInterval(() => {
    const now = performance.now();
    left -= Math.min(now - last, MOST_MS);
    last = now;
    if (left > 0) return;
    clearInterval(ticks);
    expire();
  }, TICK_MS);
  return () => clearInterval(ticks);
}
