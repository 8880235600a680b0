import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { DATA_INDEXES } from '../../platform/env.ts';
import type { Item, ItemPage, ListRequest } from '../../sites/data/store.ts';
import { isEnded, toStored } from './items.ts';
import { authorKey, itemKey, parseItemKey } from './keys.ts';
import type { Attributes, SiteTable } from './site-table.ts';

/** The most queries of a page, if tombstones or ended items are in the way. */
const QUERIES = 5;

/** The items that each later query reads: a visitor who may delete can put thousands of tombstones in the way. */
const TOMBSTONES = 1_000;

/**
 * Returns a page of items, newest first. It is read consistently: the revision that was read before it would otherwise be that of
 * items that it does not have.
 */
export async function listItems(
  table: SiteTable,
  collection: string,
  { limit, before, author, shownOnly }: ListRequest,
): Promise<ItemPage> {
  const order = orderOf(collection, author, shownOnly);
  const items: Item[] = [];
  let last = before;
  for (let queries = 0; queries < QUERIES; queries++) {
    const most = queries === 0 || order.index !== undefined ? limit + 1 : TOMBSTONES;
    const { found, more } = await query(table, order, last, most);
    for (const attributes of found) {
      const item = toStored(attributes)?.item;
      if (item && items.length === limit) return { items, ...(last !== undefined && { next: last }) };
      last = idOf(attributes) ?? last;
      if (item && !isEnded(item, table.now) && (item.shown || !shownOnly)) items.push(item);
    }
    if (!more) return { items };
    // After 1 MB.
    if (items.length > 0) break;
  }
  return { items, ...(last !== undefined && { next: last }) };
}

const idOf = ({ key }: Attributes) => parseItemKey(String(key))?.id;

/** Where items of a list are sorted: in an index, or in the table. */
interface Order {
  readonly index?: string;
  readonly sortKey: string;
  readonly prefix: string;
  /** Returns the key at which an item is. */
  readonly keyOf: (id: string) => Attributes;
}

function orderOf(collection: string, author: string | undefined, shownOnly: boolean): Order {
  if (author !== undefined) {
    const { name: index, sortKey } = DATA_INDEXES.author;
    const keyOf = (id: string) => ({
      key: itemKey(collection, id),
      [sortKey]: authorKey(collection, author, id),
    });
    return { index, sortKey, prefix: authorKey(collection, author, ''), keyOf };
  }
  const prefix = itemKey(collection, '');
  if (!shownOnly) return { sortKey: 'key', prefix, keyOf: (id) => ({ key: prefix + id }) };
  const { name: index, sortKey } = DATA_INDEXES.shown;
  return { index, sortKey, prefix, keyOf: (id) => ({ key: prefix + id, [sortKey]: prefix + id }) };
}

async function query(
  { table: { db, table }, site }: SiteTable,
  { index, sortKey, prefix, keyOf }: Order,
  before: string | undefined,
  limit: number,
): Promise<{ readonly found: readonly Attributes[]; readonly more: boolean }> {
  const { Items = [], LastEvaluatedKey } = await db.send(
    new QueryCommand({
      TableName: table,
      ...(index !== undefined && { IndexName: index }),
      KeyConditionExpression: 'site = :site AND begins_with(#sort, :prefix)',
      ExpressionAttributeNames: { '#sort': sortKey },
      ExpressionAttributeValues: { ':site': site, ':prefix': prefix },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
      ...(before !== undefined && { ExclusiveStartKey: { site, ...keyOf(before) } }),
    }),
  );
  return { found: Items, more: LastEvaluatedKey !== undefined };
}
