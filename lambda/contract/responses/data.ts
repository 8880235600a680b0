import * as z from 'zod';

const ROLES = ['visitor', 'author', 'owner'] as const;

const role = (does: string) => z.enum(ROLES).describe(`Who may ${does}.`);

/** The rules of a collection, as `_data.json` has them. */
const rules = z.strictObject({
  create: role('create items'),
  read: role('read items'),
  update: role('change items'),
  delete: role('delete items'),
  count: role('count items'),
  unique: z.string().optional().describe('What no two items have in common.'),
  most: z.int().optional().describe('The most items.'),
  tally: z.string().optional().describe('The field whose values are counted.'),
  private: z.array(z.string()).readonly().optional().describe('The fields that only the author and the owner see.'),
  review: z.boolean().describe('Whether visitors see an item only once it is approved.'),
  keepDays: z.int().optional().describe('After how many days items are deleted.'),
});

/** Body of `GET /api/v1/deployments/{id}/data`. */
export const collectionList = z.strictObject({
  collections: z
    .array(
      z.strictObject({
        name: z.string().describe('Name of the collection.'),
        items: z.int().describe('Number of items, with those that wait for approval.'),
        waiting: z.int().describe('Number of items that wait for approval.'),
        tally: z
          .record(z.string(), z.int())
          .readonly()
          .optional()
          .describe('Number of items by the value of the field that is tallied.'),
        rules: rules
          .optional()
          .describe('The rules in force; absent if `_data.json` does not declare the collection any more.'),
        fields: z.array(z.string()).readonly().describe('Names of the fields that the schema declares, in its order.'),
      }),
    )
    .readonly()
    .describe('The collections, in the order of `_data.json`.'),
  items: z.int().describe('Number of items of all collections.'),
  bytes: z.int().describe('Size of all items in bytes.'),
  limits: z
    .strictObject({
      collections: z.int().describe('The most collections.'),
      items: z.int().describe('The most items of all collections.'),
      bytes: z.int().describe('The most bytes of all items.'),
      itemBytes: z.int().describe('The most bytes of an item.'),
    })
    .describe('What the data of a site may have.'),
  linkable: z
    .boolean()
    .describe(
      'Whether `POST …/data/link` makes a link with which a browser becomes that of the owner. It needs an origin of the site’s own.',
    ),
});

/** An item as its owner sees it: fields of the service, and those of the schema beside them. */
export const dataItem = z.looseObject({
  id: z.string().describe('Id of the item.'),
  createdAt: z.iso.datetime().describe('When it was created.'),
  updatedAt: z.iso.datetime().describe('When it was changed last.'),
  waiting: z.literal(true).optional().describe('Whether it waits for approval; absent if it does not.'),
});

/** Body of `GET /api/v1/deployments/{id}/data/{collection}`. */
export const dataPage = z.strictObject({
  items: z
    .array(dataItem)
    .readonly()
    .describe('The items, newest first. A page can have fewer than `limit` items, although there are more.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('`cursor` of the next page; null on the last one. `Link` with `rel="next"` is its URL.'),
});

const backupsUntil = z
  .int()
  .describe('Unix time in milliseconds until which backups of the service keep what was deleted.');

/** Response of `DELETE /api/v1/deployments/{id}/data/{collection}/{item}`. */
export const deletedItem = z.strictObject({
  id: dataItem.shape.id,
  status: z.literal('deleted').describe('Always `deleted`.'),
  backupsUntil,
});

/** Response of `DELETE /api/v1/deployments/{id}/data/{collection}`. */
export const clearedCollection = z.strictObject({
  deleted: z.int().describe('Number of items that this request deleted.'),
  complete: z.boolean().describe('`false` if items are left: send the request again.'),
  backupsUntil,
});

/** Response of `POST /api/v1/deployments/{id}/data/link`. */
export const dataLink = z.strictObject({
  url: z.string().describe('Open it in a browser, which may do from then on what the owner may. Do not pass it on.'),
  expiresAt: z.int().describe('Unix time in milliseconds from which the link opens nothing.'),
});
