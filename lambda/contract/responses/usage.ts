import * as z from 'zod';
import { LIMITS } from '../limits.ts';

/** What calls amount to. */
export const usage = z.strictObject({
  calls: z.int().describe('Number of calls.'),
  statuses: z.record(z.string(), z.int()).readonly().describe('Number of calls by HTTP status.'),
  tokens: z
    .int()
    .describe(
      `Tokens that generations used, prompts included: ${LIMITS.charactersPerToken} characters count as one.`,
    ),
  files: z.int().describe('Files that were generated or deployed.'),
  bytes: z.int().describe('Size of those files.'),
  ms: z.int().describe('Milliseconds that the calls took.'),
});

/** Of `GET /api/v1/usage`. */
export const usageResponse = z.strictObject({
  from: z.string().describe('First day of the period, as `YYYY-MM-DD` in UTC.'),
  to: z.string().describe('Last day, included.'),
  totals: usage.describe('All calls of the period.'),
  days: z
    .array(
      z.strictObject({
        day: z.string().describe('`YYYY-MM-DD` in UTC.'),
        operations: z
          .record(z.string(), usage)
          .readonly()
          .describe(
            'By operation, each with the fields of `totals`; operations are called as in the addresses of this reference, such as `getUsage`.',
          ),
      }),
    )
    .readonly()
    .describe('The days on which there was something, the earliest first.'),
});
