import * as z from 'zod';
import { quote } from './messages.ts';

/** How many days one answer covers: when the query does not say, and at most. */
export const USAGE_DAYS = { standard: 30, most: 400 } as const;

/** Query of `GET /api/v1/usage`. */
export const usageQuery = z.object({
  from: day('from').describe('First day, `YYYY-MM-DD` in UTC; 30 days up to `to` when it is missing.'),
  to: day('to').describe('Last day, included; today when it is missing.'),
});

function day(name: string) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `${name} must be a day as YYYY-MM-DD, such as 2026-11-01, not ${quote(input)}`;
  return z.iso.date({ error }).optional();
}

/** What calls amount to. */
export interface Usage {
  readonly calls: number;
  /** Calls by HTTP status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Tokens that generations used, prompts included. */
  readonly tokens: number;
  /** Files that were generated or deployed. */
  readonly files: number;
  /** Size of those files. */
  readonly bytes: number;
  /** Milliseconds that the calls took. */
  readonly ms: number;
}

/** UTC days as `YYYY-MM-DD`, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Answer of `GET /api/v1/usage`. */
export interface UsageResponse extends Period {
  readonly totals: Usage;
  /** The days with calls, the earliest first. */
  readonly days: readonly { readonly day: string; readonly operations: Readonly<Record<string, Usage>> }[];
}
