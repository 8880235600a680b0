import * as z from 'zod';
import { LIMITS } from '../limits.ts';

/** Counters of calls. */
export const usage = z.strictObject({
  calls: z.int().describe('Number of calls.'),
  statuses: z.record(z.string(), z.int()).readonly().describe('Number of calls by HTTP status.'),
  tokens: z
    .int()
    .describe(
      `Estimated tokens of prompts and output, at ${LIMITS.charactersPerToken} characters per token.`,
    ),
  files: z.int().describe('Number of files generated or deployed.'),
  bytes: z.int().describe('Size of those files in bytes.'),
  cost: z
    .strictObject({
      usd: z.number().describe('US dollars, as far as the prices of the models are known.'),
      unpriced: z
        .int()
        .describe('Number of generations that used a model without a known price: `usd` lacks its calls.'),
    })
    .describe('Cost of the calls of models.'),
  ms: z.int().describe('Total duration of the calls in milliseconds.'),
});

/** Body of `GET /api/v1/usage`. */
export const usageResponse = z.strictObject({
  from: z.string().describe('First day of the period, as `YYYY-MM-DD` in UTC.'),
  to: z.string().describe('Last day, inclusive.'),
  totals: usage.describe('Totals of the period.'),
  days: z
    .array(
      z.strictObject({
        day: z.string().describe('`YYYY-MM-DD` in UTC.'),
        operations: z
          .record(z.string(), usage)
          .readonly()
          .describe(
            'Usage by operation, each with the fields of `totals`. Operations are named as in the links of this reference, such as `getUsage`.',
          ),
      }),
    )
    .readonly()
    .describe('Days with usage, earliest first.'),
});
