import * as z from 'zod';
import { DATA_PAGE } from './limits.ts';
import { quote } from './messages.ts';
import { pageLimit } from './queries.ts';
import type { clearedCollection, collectionList, dataItem, dataLink, dataPage } from './responses/data.ts';

/** For how long backups keep what was deleted: the point-in-time recovery of DynamoDB. */
export const BACKUP_DAYS = 35;

/** Query of `GET /api/v1/deployments/{id}/data/{collection}`. */
export const dataQuery = z.object({
  limit: pageLimit(DATA_PAGE.most)
    .optional()
    .describe(
      `Maximum number of items on the page, 1 to ${DATA_PAGE.most}. Default: \`${DATA_PAGE.standard}\`. Ignored with \`Accept: text/csv\`, which has all items that fit.`,
    ),
  cursor: z
    .string()
    .max(200)
    .optional()
    .describe('`nextCursor` of the previous page. Without it, the list begins with the newest item.'),
});

/** Query of `POST /api/v1/deployments/{id}/data/{collection}/{item}/approve`. */
export const approveQuery = z.object({
  seen: z.iso
    .datetime({
      error: ({ input }) => `seen must be the updatedAt of the item as it was read, not ${quote(input)}`,
    })
    .optional()
    .describe(
      '`updatedAt` of the item as it was read: if its author has changed it since, it is not approved. Without it, the item is approved as it is now.',
    ),
});

export type CollectionList = z.output<typeof collectionList>;
export type DataItem = z.output<typeof dataItem>;
export type DataPage = z.output<typeof dataPage>;
export type ClearedCollection = z.output<typeof clearedCollection>;
export type DataLink = z.output<typeof dataLink>;
