import { createRequire } from 'node:module';
import type { IndexedStore, StoredTable } from './dynamodb-indexes.ts';
import type { Item } from './dynamodb-journal.ts';

export type Parameters = Readonly<Record<string, unknown>>;
export type Result = Record<string, unknown>;

/** dynalite without its HTTP server: the store and the operations. */
interface Dynalite {
  create(options: { path: string; createTableMs: number; deleteTableMs: number }): Store;
  createKey(item: Item, table: StoredTable): string;
  checkTypes(parameters: Parameters, types: object): Parameters;
  checkValidations(parameters: Parameters, types: object, custom: unknown, store: Store): void;
}

export interface Store extends IndexedStore {
  getItemDb(table: string): ReturnType<IndexedStore['getItemDb']> & {
    put(key: string, item: Item, done: (error?: unknown) => void): void;
  };
  readonly db: { open(): Promise<void> };
  readonly tableDb: IndexedStore['tableDb'] & {
    awsAccountId: string;
    awsRegion: string;
    del(name: string, done: (error: unknown) => void): void;
  };
  readonly lifecycleManager: { gracefulClose(): Promise<void> };
}

export interface Operation {
  readonly types: Readonly<Record<string, unknown>>;
  readonly custom: unknown;
  readonly run: (store: Store, parameters: Parameters, done: (error: unknown, result: Result) => void) => void;
}

const require = createRequire(import.meta.url);
countInUtf8(require('dynalite/db'));
export const dynalite: Dynalite = { ...require('dynalite/db'), ...require('dynalite/validations') };

function operation(name: string): Operation {
  const { types, custom } = require(`dynalite/validations/${name}`);
  return { types, custom, run: require(`dynalite/actions/${name}`) };
}

/** Returns an operation with parameters that dynalite does not support. */
function withTypes({ types, ...others }: Operation, more: Operation['types']): Operation {
  return { ...others, types: { ...types, ...more } };
}

/** The supported operations. dynalite does not have the others, such as transactions. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  GetItem: operation('getItem'),
  PutItem: operation('putItem'),
  UpdateItem: operation('updateItem'),
  DeleteItem: operation('deleteItem'),
  Query: operation('query'),
  // Reads of tables are always consistent.
  Scan: withTypes(operation('scan'), { ConsistentRead: { type: 'Boolean' } }),
  BatchGetItem: operation('batchGetItem'),
  BatchWriteItem: operation('batchWriteItem'),
  ListTables: operation('listTables'),
  DescribeTable: operation('describeTable'),
  DeleteTable: operation('deleteTable'),
};
export const createTable = operation('createTable');

type ItemSize = (item: object, ...options: unknown[]) => number;

/**
 * Makes dynalite count texts and names as DynamoDB does: in bytes of UTF-8, not in UTF-16 code units. Its size of an
 * item is otherwise right, and decides about the limit of 400 KB.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
function countInUtf8(dynalite: { itemSize: ItemSize }): void {
  const { itemSize } = dynalite;
  dynalite.itemSize = (item, ...options) => itemSize(inBytes(item) as object, ...options);
}

/** Returns a value with one character for each byte of its texts. */
function inBytes(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(inBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [inBytes(name), inBytes(member)]);
  return Object.fromEntries(entries);
}
