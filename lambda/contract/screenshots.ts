import * as z from 'zod';
import { LOOK_WIDTHS } from './looks.ts';
import { oneOf, quote } from './messages.ts';

/** A query has strings only. */
const toNumber = (sent: unknown) =>
  typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent;

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
