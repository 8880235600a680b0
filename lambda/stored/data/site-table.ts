import type {
  DeleteCommandInput,
  DynamoDBDocumentClient,
  PutCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../platform/clock.ts';
import { Table, unlessConditionFails } from '../../platform/dynamodb.ts';

export type Attributes = Readonly<Record<string, unknown>>;

export interface DataTable {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
}

/** The items of one site in the table of data. */
export class SiteTable {
  readonly site: string;
  readonly table: DataTable;
  readonly #items: Table;

  constructor(table: DataTable, site: string) {
    this.table = table;
    this.site = site;
    this.#items = new Table(table.db, table.table);
  }

  get now(): number {
    return this.table.clock();
  }

  /** Reads consistently. */
  get(key: string): Promise<Attributes | undefined> {
    return this.#items.get(this.#keyOf(key));
  }

  /** @returns false if the condition fails */
  async put(Item: Attributes, condition: Omit<PutCommandInput, 'TableName' | 'Item'>): Promise<boolean> {
    return (await unlessConditionFails(this.#items.put(Item, condition))) ?? false;
  }

  /** @returns the item after the update, or undefined if the condition fails */
  update(key: string, update: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<Attributes | undefined> {
    return unlessConditionFails(this.#items.update(this.#keyOf(key), { ReturnValues: 'ALL_NEW', ...update }));
  }

  /** @returns false if the condition fails */
  async delete(key: string, condition: Omit<DeleteCommandInput, 'TableName' | 'Key'>): Promise<boolean> {
    return (await unlessConditionFails(this.#items.delete(this.#keyOf(key), condition))) ?? false;
  }

  #keyOf(key: string) {
    return { site: this.site, key };
  }
}

/** The error of a change that lost too many races: its request is to be repeated. */
export function contended(what: string): Error {
  return Object.assign(new Error(`${what} is being changed by too many`), { name: 'ThrottlingException' });
}
