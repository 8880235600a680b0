const DAY_MS = 86_400_000;

/** Returns when the UTC day of a time ends, both in Unix milliseconds. */
export function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}

/**
 * Returns until when an item of the table of rate limits is needed, in Unix seconds: to the end of its windows and of the UTC
 * day, whose bytes it has as well.
 */
export function keptUntil(now: number, windowSeconds: number): number {
  return Math.ceil(endOfDay(now) / 1000) + windowSeconds * 2;
}
