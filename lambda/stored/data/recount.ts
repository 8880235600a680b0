import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { Table } from '../../platform/dynamodb.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import { toStored } from './items.ts';
import { STATE_KEY } from './keys.ts';

/** The attributes of a state that follow from the items of a site. */
const COUNTED = /^(items|bytes|items:.*|waiting:.*|tally:.*)$/s;

/** The most attributes that one update changes: an expression has at most 4 KB. */
const AT_ONCE = 100;

/**
 * Sets the state of a site to what it has, after items were added that nobody announced. Visitors must not change them at the same
 * time. Readers get new revisions.
 */
export async function recount(site: string, db: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const counts: Record<string, number> = { items: 0, bytes: 0 };
  const collections = new Set<string>();
  const add = (name: string, amount: number) => {
    counts[name] = (counts[name] ?? 0) + amount;
  };
  const pages = paginateQuery(
    { client: db },
    {
      TableName,
      KeyConditionExpression: 'site = :site AND begins_with(#key, :items)',
      ExpressionAttributeNames: { '#key': 'key' },
      ExpressionAttributeValues: { ':site': site, ':items': 'item#' },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages)
    for (const stored of Items.map(toStored)) {
      if (!stored) continue;
      const { collection, bytes, item } = stored;
      collections.add(collection);
      add('items', 1);
      add('bytes', bytes);
      add(`items:${collection}`, 1);
      if (!item.shown) add(`waiting:${collection}`, 1);
      if (item.tally !== undefined) add(`tally:${collection}:${item.tally}`, 1);
    }
  const table = new Table(db, TableName);
  const state = { site, key: STATE_KEY };
  const before = (await table.get(state)) ?? {};
  const known = Object.keys(before).filter((name) => COUNTED.test(name));
  const revisions = [...collections].map((name) => [`revision:${name}`, Number(before[`revision:${name}`] ?? 0) + 1]);
  const changes = [...new Set([...known, ...Object.keys(counts)])].map((name) => [name, counts[name] ?? 0]);
  const all = [...changes, ...revisions] as [string, number][];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const update = new ItemUpdate();
    for (const [name, value] of all.slice(at, at + AT_ONCE)) update.set(name, value);
    await table.update(state, update.input);
  }
}
