import * as z from 'zod';
import { quote } from './messages.ts';
import type { usage, usageResponse } from './responses/usage.ts';

/** Days in one response: by default, and at most. */
export const USAGE_DAYS = { standard: 30, most: 400 } as const;

/** Query of `GET /api/v1/usage`. */
export const usageQuery = z.object({
  from: day('from').describe('First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`.'),
  to: day('to').describe('Last day, inclusive. Default: today.'),
});

export type UsageQuery = z.output<typeof usageQuery>;

function day(name: string) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `${name} must be a day as YYYY-MM-DD, such as 2026-11-01, not ${quote(input)}`;
  return z.iso
    .date({ error })
    .refine((text) => text >= '1970', { error })
    .optional();
}

/** Counters of calls. */
export type Usage = z.output<typeof usage>;

/** Response of `GET /api/v1/usage`. */
export type UsageResponse = z.output<typeof usageResponse>;

/** UTC days as `YYYY-MM-DD`, both inclusive. */
export type Period = Pick<UsageResponse, 'from' | 'to'>;
