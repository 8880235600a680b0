import * as z from 'zod';
import { UsageError } from './command.ts';

const MINUTE_MS = 60_000;
const UNITS_MS: Record<string, number> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

/** `90d`, `24h` or `30m` in milliseconds; undefined for anything else. */
export function duration(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNITS_MS[unit] ?? 0);
}

/**
 * When `--expires 90d` or `--expires 2027-01-31` is, in Unix milliseconds; a day counts to its end in UTC.
 * @throws UsageError for anything else, and for a time that is over
 */
export function expiry(text: string, now: number): number {
  const length = duration(text);
  if (length === undefined && !z.iso.date().safeParse(text).success)
    throw new UsageError('--expires is a time from now such as 90d, 24h or 30m, or a day such as 2027-01-31');
  const at = length === undefined ? Date.parse(text) + 24 * 60 * MINUTE_MS : now + length;
  if (at <= now) throw new UsageError(`--expires ${text} is over already`);
  return at;
}

/** A time for people and scripts: ISO 8601 in UTC, in seconds. */
export function timestamp(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+/, '');
}
