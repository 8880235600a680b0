import * as z from 'zod';
import { dayParameter } from './days.ts';
import type { usage, usageResponse } from './responses/usage.ts';

/** Days in one response: by default, and at most. */
export const USAGE_DAYS = { standard: 30, most: 400 } as const;

/** Query of `GET /api/v1/usage`. */
export const usageQuery = z.object({
  from: dayParameter('from').describe('First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`.'),
  to: dayParameter('to').describe('Last day, inclusive. Default: today.'),
});

export type UsageQuery = z.output<typeof usageQuery>;

/** Counters of calls. */
export type Usage = z.output<typeof usage>;

/** Response of `GET /api/v1/usage`. */
export type UsageResponse = z.output<typeof usageResponse>;
