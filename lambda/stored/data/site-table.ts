import {
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import { unlessConditionFails } from '../../platform/dynamodb.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** The table of data. */
export interface DataTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

/** The items of one site in the table of data. */
export class SiteTable {
  readonly site: string;
  readonly table: DataTable;

  constructor(table: DataTable, site: string) {
    this.table = table;
    this.site = site;
  }

  get now(): number {
    return this.table.clock();
  }

  /** Reads consistently. */
  async get(key: string): Promise<Attributes | undefined> {
    const { db, table } = this.table;
    const get = new GetCommand({ TableName: table, Key: this.keyOf(key), ConsistentRead: true });
    return (await db.send(get)).Item;
  }

  /** @returns false if the condition fails */
  async put(Item: Attributes, condition: Omit<PutCommandInput, 'TableName' | 'Item'>): Promise<boolean> {
    const { db, table } = this.table;
    const put = new PutCommand({ TableName: table, Item, ...condition });
    return (await unlessConditionFails(db.send(put))) !== undefined;
  }

  /** @returns the item after the update, or undefined if the condition fails */
  async update(key: string, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<Attributes | undefined> {
    const { db, table } = this.table;
    const command = new UpdateCommand({
      TableName: table,
      Key: this.keyOf(key),
      ReturnValues: 'ALL_NEW',
      ...update,
    });
    return (await unlessConditionFails(db.send(command)))?.Attributes;
  }

  /** @returns false if the condition fails */
  async delete(key: string, condition: Omit<DeleteCommandInput, 'TableName' | 'Key'>): Promise<boolean> {
    const { db, table } = this.table;
    const command = new DeleteCommand({ TableName: table, Key: this.keyOf(key), ...condition });
    return (await unlessConditionFails(db.send(command))) !== undefined;
  }

  keyOf(key: string): { readonly site: string; readonly key: string } {
    return { site: this.site, key };
  }
}

/** The error of a change that lost too many races: its request is to be repeated. */
export function contended(what: string): Error {
  return Object.assign(new Error(`${what} is being changed by too many`), { name: 'ThrottlingException' });
}
