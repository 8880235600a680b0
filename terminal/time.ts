import * as z from 'zod';
import { UsageError } from './program.ts';

const MINUTE_MS = 60_000;
const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** Returns `90d`, `24h` or `30m` in milliseconds, or undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS_MS[unit] ?? 0);
}

/** Returns `--grace 24h` in milliseconds. @throws UsageError unless it is a duration */
export function graceMs(text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`Invalid --grace ${text}: expected a duration such as 24h, 30m or 7d`);
}

/**
 * Returns the time of `--expires 90d` or `--expires 2027-01-31` in Unix milliseconds. A date means the end of that day
 * in UTC.
 * @throws UsageError for anything else, and for a time in the past
 */
export function expiry(text: string, now: number): number {
  const length = durationMs(text);
  if (length === undefined && !z.iso.date().safeParse(text).success)
    throw new UsageError(
      `Invalid --expires ${text}: expected a duration such as 90d, 24h or 30m, or a date such as 2027-01-31`,
    );
  const at = length === undefined ? Date.parse(text) + 24 * 60 * MINUTE_MS : now + length;
  if (at <= now) throw new UsageError(`Invalid --expires ${text}: it is in the past`);
  return at;
}

/** Returns a time in ISO 8601 in UTC, without milliseconds. */
export function timestamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+/, '');
}
