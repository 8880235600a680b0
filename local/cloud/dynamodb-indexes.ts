import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Index, Table } from './account.ts';

/** The lag of an index behind its table. On AWS, usually a fraction of a second. */
const LAG_MS = 100;

type Item = Readonly<Record<string, unknown>>;
type Done = (error?: unknown) => void;

/** A table as dynalite stores it. */
export interface StoredTable {
  readonly TableName: string;
  readonly TableStatus: string;
  readonly AttributeDefinitions: Table['attributes'];
  readonly CreationDateTime?: number;
  readonly RestoreSummary?: object;
  readonly TableArn: string;
  readonly KeySchema: Table['keySchema'];
  readonly GlobalSecondaryIndexes?: readonly Index[] | undefined;
  readonly LocalSecondaryIndexes?: readonly Index[] | undefined;
}

/** The parts of dynalite's store that hold indexes. */
export interface IndexedStore {
  readonly tableDb: {
    get(name: string, done: (error: unknown, table?: StoredTable) => void): void;
    put(name: string, table: StoredTable, done: Done): void;
  };
  getItemDb(table: string): { createValueStream(): AsyncIterable<Item> };
  deleteIndexDb(type: 'Global' | 'Local', table: string, index: string, done: Done): void;
}

type UpdateIndexes = (
  store: IndexedStore,
  table: StoredTable,
  before: Item | undefined,
  after: Item | undefined,
  done: Done,
) => void;

const dynalite: { updateIndexes: UpdateIndexes } = createRequire(import.meta.url)('dynalite/db');
const updateAtOnce = dynalite.updateIndexes;
const updateIndexes = promisify(updateAtOnce);

const indexesOf = new WeakMap<IndexedStore, Indexes>();

/** Is called for every write, before the item is written. */
type Written = (table: StoredTable, before: Item | undefined, after: Item | undefined) => void;

// dynalite calls this with every write, before it writes the item, and waits for it.
dynalite.updateIndexes = (store, table, before, after, done) => {
  const indexes = indexesOf.get(store);
  if (!indexes) return updateAtOnce(store, table, before, after, done);
  indexes.written(table, before, after);
  indexes.update(table, before, after);
  updateAtOnce(store, { ...table, GlobalSecondaryIndexes: undefined }, before, after, done);
};

/**
 * The indexes of a store. As on AWS, local ones have a write when it is responded to, and global ones are eventually consistent:
 * a write reaches them some time after its response, in the order of the writes. `create` makes up for writes that had not reached
 * them when the process ended.
 */
export class Indexes {
  readonly #store: IndexedStore;
  readonly #lagMs: number;
  readonly written: Written;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(store: IndexedStore, written: Written, lagMs = LAG_MS) {
    this.#store = store;
    this.written = written;
    this.#lagMs = lagMs;
    indexesOf.set(store, this);
  }

  /** Creates the indexes of an existing table from its items. */
  async create({ name, attributes, indexes = [], localIndexes = [] }: Table): Promise<void> {
    const { tableDb } = this.#store;
    const table = await promisify(tableDb.get)(name);
    if (!table) throw new Error(`There is no table ${name}`);
    const described = (all: readonly Index[], more: object) => {
      const withArns = all.map((index) => ({
        ...index,
        IndexArn: `${table.TableArn}/index/${index.IndexName}`,
        ...more,
      }));
      return withArns.length > 0 ? withArns : undefined;
    };
    const indexed = {
      ...table,
      AttributeDefinitions: attributes,
      GlobalSecondaryIndexes: described(indexes, { IndexStatus: 'ACTIVE' }),
      LocalSecondaryIndexes: described(localIndexes, {}),
    };
    await promisify(tableDb.put)(name, indexed);
    const deleteIndex = promisify(this.#store.deleteIndexDb);
    for (const { IndexName } of indexes) await deleteIndex('Global', name, IndexName);
    for (const { IndexName } of localIndexes) await deleteIndex('Local', name, IndexName);
    if (indexes.length + localIndexes.length === 0) return;
    for await (const item of this.#store.getItemDb(name).createValueStream())
      await updateIndexes(this.#store, indexed, undefined, item);
  }

  update(table: StoredTable, before: Item | undefined, after: Item | undefined): void {
    if (!table.GlobalSecondaryIndexes) return;
    const due = sleep(this.#lagMs, undefined, { ref: false });
    this.#last = Promise.all([this.#last, due])
      .then(() => (this.#closed ? undefined : updateIndexes(this.#store, globalOnly(table), before, after)))
      .catch((error: unknown) => void (this.#closed || console.error(error)));
  }

  /** Drops the writes that have not reached the indexes. */
  close(): void {
    this.#closed = true;
  }
}

const globalOnly = (table: StoredTable): StoredTable => ({ ...table, LocalSecondaryIndexes: undefined });
