import * as z from 'zod';

/** The retention periods that CloudWatch Logs supports. */
const DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

export const logsConfig = z
  .strictObject({
    /** How many days log groups keep their lines. */
    days: z.literal(DAYS, `must be a retention period of CloudWatch Logs: ${DAYS.join(', ')}`).default(30),
    /** Whether CloudFront logs the requests to the distributions; in us-east-1 only. */
    edge: z.boolean().default(true),
    /** Whether API Gateway logs requests. It needs a role of the whole account and region, which the stack then sets. */
    api: z.boolean().default(false),
  })
  .prefault({});
