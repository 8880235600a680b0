/** Returns Unix time in milliseconds. */
export type Clock = () => number;

export const DAY_MS = 86_400_000;

/** Returns the UTC day of a time in Unix milliseconds, as `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
