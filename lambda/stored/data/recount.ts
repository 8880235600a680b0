import { type DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
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
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await db.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'site = :site AND begins_with(#key, :items)',
        ExpressionAttributeNames: { '#key': 'key' },
        ExpressionAttributeValues: { ':site': site, ':items': 'item#' },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    for (const stored of (page.Items ?? []).map(toStored)) {
      if (!stored) continue;
      const { collection, bytes, item } = stored;
      collections.add(collection);
      add('items', 1);
      add('bytes', bytes);
      add(`items:${collection}`, 1);
      if (!item.shown) add(`waiting:${collection}`, 1);
      if (item.tally !== undefined) add(`tally:${collection}:${item.tally}`, 1);
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const Key = { site, key: STATE_KEY };
  const { Item = {} } = await db.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  const known = Object.keys(Item).filter((name) => COUNTED.test(name));
  const revisions = [...collections].map((name) => [`revision:${name}`, Number(Item[`revision:${name}`] ?? 0) + 1]);
  const changes = [...new Set([...known, ...Object.keys(counts)])].map((name) => [name, counts[name] ?? 0]);
  const all = [...changes, ...revisions] as [string, number][];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    await db.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: `SET ${some.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(some.map(([name], i) => [`#n${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(some.map(([, value], i) => [`:v${i}`, value])),
      }),
    );
  }
}
