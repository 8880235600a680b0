import * as z from 'zod';
import { LOOK_WIDTHS } from './looks.ts';
import { oneOf, quote } from './messages.ts';
import type { usage, usageResponse, viewsResponse } from './responses/usage.ts';

/** UTC days as `YYYY-MM-DD`, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Returns the schema of an optional query parameter that is a day. */
function dayParameter(name: string) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `${name} must be a day as YYYY-MM-DD, such as 2026-11-01, not ${quote(input)}`;
  return z.iso
    .date({ error })
    .refine((text) => text >= '1970', { error })
    .optional();
}

/** Items on a page of a list: by default, and at most, which is also the most that DynamoDB reads at once. */
export const PAGE = { standard: 20, most: 100 } as const;

/** A query has strings only. */
const toNumber = (sent: unknown) => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent);

/** Returns the schema of the number of items on a page. */
export function pageLimit(most: number) {
  const error: z.core.$ZodErrorMap = ({ input }) =>
    `limit must be a whole number from 1 to ${most}, not ${quote(input)}`;
  return z.preprocess(toNumber, z.int({ error }).min(1, { error }).max(most, { error }));
}

/** Query of the operations that list resources. */
export const listQuery = z.object({
  limit: pageLimit(PAGE.most)
    .default(PAGE.standard)
    .describe(`Maximum number of items on the page, 1 to ${PAGE.most}. Default: \`${PAGE.standard}\`.`),
  cursor: z
    .string()
    .optional()
    .describe('`nextCursor` of the previous page. Without it, the list begins with the newest item.'),
});

export type ListQuery = z.output<typeof listQuery>;

/** Days in one response: by default, and at most. */
export const USAGE_DAYS = { standard: 30, most: 400 } as const;

const period = {
  from: dayParameter('from').describe('First day, `YYYY-MM-DD` in UTC. Default: 29 days before `to`.'),
  to: dayParameter('to').describe('Last day, inclusive. Default: today.'),
};

/** Query of `GET /api/v1/usage`. */
export const usageQuery = z.object(period);

export type UsageQuery = z.output<typeof usageQuery>;

/** Counters of calls. */
export type Usage = z.output<typeof usage>;

/** Response of `GET /api/v1/usage`. */
export type UsageResponse = z.output<typeof usageResponse>;

/** The most paths and hosts in a response; others are counted together. */
export const LISTED_NAMES = 50;

/** Query of `GET /api/v1/deployments/{id}/views`. */
export const viewsQuery = z.object(period);

/** Response of `GET /api/v1/deployments/{id}/views`. */
export type ViewsResponse = z.output<typeof viewsResponse>;

const attemptError: z.core.$ZodErrorMap = ({ input }) =>
  `attempt must be the number of an attempt, from 1, not ${quote(input)}`;

const width = z
  .preprocess(toNumber, z.literal(LOOK_WIDTHS, oneOf('width', LOOK_WIDTHS.map(String))))
  .default(1280)
  .describe(`Width of the page in CSS pixels, ${LOOK_WIDTHS.join(' or ')}. Default: \`1280\`.`);

/** Query of `GET /api/v1/deployments/{id}/screenshot`. */
export const versionScreenshotQuery = z.object({
  width,
  version: z.string().optional().describe('One of the deployment’s `versions`. Default: the live one.'),
});

/** Query of `GET /api/v1/generations/{id}/screenshot`. */
export const screenshotQuery = z.object({
  width,
  attempt: z
    .preprocess(toNumber, z.int({ error: attemptError }).min(1, { error: attemptError }))
    .optional()
    .describe('Number of the attempt after which the picture was taken. Default: that of `look`.'),
});
