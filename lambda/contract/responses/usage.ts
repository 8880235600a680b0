import * as z from 'zod';
import { LIMITS } from '../limits.ts';

/** Counters of calls. */
export const usage = z.strictObject({
  calls: z.int().describe('Number of calls.'),
  statuses: z.record(z.string(), z.int()).readonly().describe('Number of calls by HTTP status.'),
  tokens: z
    .int()
    .describe(`Estimated tokens of prompts and output, at ${LIMITS.charactersPerToken} characters per token.`),
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

const period = {
  from: z.string().describe('First day of the period, as `YYYY-MM-DD` in UTC.'),
  to: z.string().describe('Last day, inclusive.'),
};

/** Body of `GET /api/v1/usage`. */
export const usageResponse = z.strictObject({
  ...period,
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

const counts = {
  views: z.int().describe('Pages that people opened.'),
  visitors: z
    .int()
    .describe(
      'People, as far as their addresses and browsers differ. Exact up to 1,024 a day, then an estimate with a standard error of 3 to 4.5 %.',
    ),
  bots: z.int().describe('Pages that programs opened, by their user agents. They are in no other number.'),
};
const views = z.int().describe('Number of views.');

/** Body of `GET /api/v1/deployments/{id}/views`. */
export const viewsResponse = z.strictObject({
  counted: z.boolean().describe('Whether the service counts views.'),
  reason: z.string().optional().describe('Why it does not.'),
  ...period,
  totals: z
    .strictObject({
      ...counts,
      visitors: z
        .int()
        .describe('The sum of the days: who comes on two days counts twice, since nobody is recognized the next day.'),
    })
    .describe('Totals of the period.'),
  days: z
    .array(z.strictObject({ date: z.string().describe('`YYYY-MM-DD` in UTC.'), ...counts }))
    .readonly()
    .describe('All days of the period, earliest first.'),
  paths: z
    .array(
      z.strictObject({
        path: z.string().describe('Path on the page, beginning with `/`, without a query.'),
        views,
      }),
    )
    .readonly()
    .describe('The paths with most views, at most 50.'),
  referrers: z
    .array(z.strictObject({ host: z.string().describe('Host of the site, without `www.`.'), views }))
    .readonly()
    .describe('The sites that visitors came from, at most 50. Many browsers and apps name none.'),
  other: z
    .strictObject({
      paths: z.int().describe('Views of all other paths.'),
      referrers: z.int().describe('Views that came from all other sites.'),
    })
    .describe('Views that the lists lack. A day counts 50 paths of pages, 25 other paths and 50 sites by name.'),
  statuses: z
    .record(z.string(), z.int())
    .readonly()
    .describe('Number of views by HTTP status: 404 is the page for errors of the site.'),
});
