import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { OWNER_INDEX } from '../../lambda/platform/env.ts';
import { intercept } from './memory-dynamodb.ts';

type Item = Readonly<Record<string, unknown>> | undefined;

/**
 * Counts the writes to a table's index by owner that DynamoDB bills for the writes of items: one for an item that enters or
 * leaves the index, two for one whose keys change, and none if the keys, which are all that is projected, stay the same.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 * @param names the table's key, and the attribute with the owner
 * @returns a function that returns the writes since its last call
 */
export function countIndexWrites(
  db: DynamoDBDocumentClient,
  table: string,
  names: { readonly id: string; readonly owner: string },
): () => number {
  let writes = 0;
  const entry = (item: Item) => {
    const keys = [item?.[names.owner], item?.[OWNER_INDEX.sortKey]];
    return keys.includes(undefined) ? undefined : JSON.stringify(keys);
  };
  intercept(db, async (call, command) => {
    if (!/^(Put|Update|Delete)/.test(command.constructor.name)) return call();
    const { Key, Item } = command.input as { Key?: Item; Item?: Item };
    const id = String((Key ?? Item)?.[names.id]);
    const get = new GetCommand({ TableName: table, Key: { [names.id]: id }, ConsistentRead: true });
    const before = entry((await db.send(get)).Item);
    try {
      return await call();
    } finally {
      const after = entry((await db.send(get)).Item);
      if (before !== after) writes += Number(before !== undefined) + Number(after !== undefined);
    }
  });
  return () => {
    const counted = writes;
    writes = 0;
    return counted;
  };
}
