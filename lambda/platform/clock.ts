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
