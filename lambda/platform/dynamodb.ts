import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { OWNER_INDEX } from './env.ts';

type Key = Readonly<Record<string, unknown>>;
/** A command of the client, without the table and the item that it is for. */
type Change<Input> = Omit<Input, 'TableName' | 'Key' | 'Item'>;

/** One table, with the calls of single items. Reads are consistent unless a call says otherwise. */
export class Table {
  readonly db: DynamoDBDocumentClient;
  readonly name: string;

  constructor(db: DynamoDBDocumentClient, name: string) {
    this.db = db;
    this.name = name;
  }

  async get<Item = Record<string, unknown>>(Key: Key, ConsistentRead = true): Promise<Item | undefined> {
    const { Item } = await this.db.send(new GetCommand({ TableName: this.name, Key, ConsistentRead }));
    return Item as Item | undefined;
  }

  async put(Item: object, change: Change<PutCommandInput> = {}): Promise<true> {
    await this.db.send(new PutCommand({ TableName: this.name, Item, ...change }));
    return true;
  }

  /** @returns the attributes that `ReturnValues` asks for */
  async update(Key: Key, change: Change<UpdateCommandInput>): Promise<Record<string, unknown>> {
    const { Attributes } = await this.db.send(new UpdateCommand({ TableName: this.name, Key, ...change }));
    return Attributes ?? {};
  }

  async delete(Key: Key, change: Change<DeleteCommandInput> = {}): Promise<true> {
    await this.db.send(new DeleteCommand({ TableName: this.name, Key, ...change }));
    return true;
  }
}

/** Where an item is in its owner's list. */
export interface Position {
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

export interface PageRequest {
  readonly owner: string;
  /** At most 100, the most that one `BatchGetItem` reads. */
  readonly limit: number;
  /** The position of the previous page's last item; undefined for the first page. */
  readonly after: Position | undefined;
}

export interface ItemPage<Item> {
  readonly items: readonly Item[];
  /** `after` of the next page; undefined if there is none. */
  readonly next: Position | undefined;
}

type Item = Readonly<Record<string, unknown>>;

const MAX_READS = 6;
const FIRST_PAUSE_MS = 25;

/** The items of a table by owner, newest first. */
export class OwnedItems {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #names: { readonly id: string; readonly owner: string };

  /** @param names the table's key, and the attribute with the owner: an item without it is in no list */
  constructor(db: DynamoDBDocumentClient, table: string, names: { id: string; owner: string }) {
    this.#db = db;
    this.#table = table;
    this.#names = names;
  }

  /**
   * Returns a page with one query of the index and one consistent read of its items. The index may lag behind the table:
   * new items can be missing, and items that have left the list are omitted, so that a page can be shorter than its limit.
   * @param since excludes items that were created before, in Unix milliseconds
   */
  async page({ owner, limit, after }: PageRequest, since = 0): Promise<ItemPage<Item>> {
    const { id, owner: ownerName } = this.#names;
    // DynamoDB rejects a start key outside the range.
    if (after && after.createdAt < since) return { items: [], next: undefined };
    const { Items = [] } = await this.#db.send(
      new QueryCommand({
        TableName: this.#table,
        IndexName: OWNER_INDEX.name,
        KeyConditionExpression: '#owner = :owner AND #createdAt >= :since',
        ExpressionAttributeNames: { '#owner': ownerName, '#createdAt': OWNER_INDEX.sortKey },
        ExpressionAttributeValues: { ':owner': owner, ':since': since },
        ScanIndexForward: false,
        // One more, to know whether there is another page.
        Limit: limit + 1,
        ...(after && {
          ExclusiveStartKey: { [ownerName]: owner, [OWNER_INDEX.sortKey]: after.createdAt, [id]: after.id },
        }),
      }),
    );
    const listed = Items.slice(0, limit).map(
      (item): Position => ({ createdAt: item[OWNER_INDEX.sortKey], id: item[id] }),
    );
    const items = await this.#read(listed.map((position) => position.id));
    return {
      items: items.filter((item) => item[ownerName] === owner),
      next: Items.length > limit ? listed.at(-1) : undefined,
    };
  }

  /** Reads items in the order of their ids, and omits those that do not exist. */
  async #read(ids: readonly string[]): Promise<Item[]> {
    const found = new Map<unknown, Item>();
    let Keys: Record<string, unknown>[] = ids.map((id) => ({ [this.#names.id]: id }));
    // A response has at most 16 MB, and throttling can shorten it.
    for (let reads = 0; Keys.length > 0; reads++) {
      if (reads === MAX_READS)
        throw Object.assign(new Error('DynamoDB left keys unprocessed'), { name: 'ThrottlingException' });
      if (reads > 0) await sleep(FIRST_PAUSE_MS * 2 ** reads);
      const { Responses, UnprocessedKeys } = await this.#db.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[this.#table] ?? []) found.set(item[this.#names.id], item);
      Keys = UnprocessedKeys?.[this.#table]?.Keys ?? [];
    }
    return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
  }
}

/** Resolves to the result of a conditional write, or to undefined if its condition fails. */
export async function unlessConditionFails<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
