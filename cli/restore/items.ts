import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** An item as DynamoDB stores it, so that a copy is exact. */
export type Item = Record<string, AttributeValue>;

/** Returns all items of a table, or those that match a filter. Reads consistently, page by page. */
export async function* allItems(
  db: DynamoDBDocumentClient,
  TableName: string,
  filter: Pick<ScanCommandInput, 'FilterExpression' | 'ExpressionAttributeNames'> = {},
): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const scan = new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey, ...filter });
    const { Items = [], LastEvaluatedKey } = await db.send(scan);
    yield* Items;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** Reports whether a table has an item with an attribute. */
export async function hasItemWith(
  db: DynamoDBDocumentClient,
  table: string,
  attribute: string,
): Promise<boolean> {
  const filter = {
    FilterExpression: 'attribute_exists(#name)',
    ExpressionAttributeNames: { '#name': attribute },
  };
  const { done } = await allItems(db, table, filter).next();
  return !done;
}

/** Writes to a table of the stack. */
export class TargetTable {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #keys: readonly string[];

  private constructor(db: DynamoDBDocumentClient, table: string, keys: readonly string[]) {
    this.#db = db;
    this.#table = table;
    this.#keys = keys;
  }

  static async open(db: DynamoDBDocumentClient, TableName: string): Promise<TargetTable> {
    const { Table } = await db.send(new DescribeTableCommand({ TableName }));
    const keys = Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
    return new TargetTable(db, TableName, keys);
  }

  /** Returns the stack's item with the same key, or undefined. */
  async find(item: Item): Promise<Item | undefined> {
    const Key = Object.fromEntries(this.#keys.map((name) => [name, item[name] as AttributeValue]));
    const get = new GetItemCommand({ TableName: this.#table, Key, ConsistentRead: true });
    return (await this.#db.send(get)).Item;
  }

  /** Adds an item. @returns false if the stack has an item with the same key */
  async add(item: Item): Promise<boolean> {
    const [key = ''] = this.#keys;
    const put = new PutItemCommand({
      TableName: this.#table,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': key },
    });
    try {
      await this.#db.send(put);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async replace(item: Item): Promise<void> {
    await this.#db.send(new PutItemCommand({ TableName: this.#table, Item: item }));
  }
}
