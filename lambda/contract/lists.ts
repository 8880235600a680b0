import * as z from 'zod';
import { quote } from './messages.ts';

/** Items on a page of a list: by default, and at most, which is also the most that DynamoDB reads at once. */
export const PAGE = { standard: 20, most: 100 } as const;

const error: z.core.$ZodErrorMap = ({ input }) =>
  `limit must be a whole number from 1 to ${PAGE.most}, not ${quote(input)}`;

/** Query of the operations that list resources. */
export const listQuery = z.object({
  limit: z
    .preprocess(
      (sent) => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent),
      z.int({ error }).min(1, { error }).max(PAGE.most, { error }),
    )
    .default(PAGE.standard)
    .describe(`Maximum number of items on the page, 1 to ${PAGE.most}. Default: \`${PAGE.standard}\`.`),
  cursor: z
    .string()
    .optional()
    .describe('`nextCursor` of the previous page. Without it, the list begins with the newest item.'),
});

export type ListQuery = z.output<typeof listQuery>;
