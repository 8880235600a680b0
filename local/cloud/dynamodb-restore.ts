import { promisify } from 'node:util';
import * as z from 'zod';
import { dynalite, type Store } from './dynalite.ts';
import type { StoredTable } from './dynamodb-indexes.ts';
import type { Item, Journal } from './dynamodb-journal.ts';

/** The time between the latest restorable time and now: "typically 5 minutes", according to AWS. */
const LAG_MS = 300_000;

/** A restore without indexes, which is faster; others are not supported. */
const Request = z.strictObject({
  SourceTableName: z.string(),
  TargetTableName: z.string(),
  /** Unix seconds. */
  RestoreDateTime: z.number(),
  BillingModeOverride: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexOverride: z.tuple([]),
  /** Without it, DynamoDB restores local indexes. */
  LocalSecondaryIndexOverride: z.tuple([]).optional(),
});

/** The parameters of RestoreTableToPointInTime that are supported. */
export const RESTORE_PARAMETERS = Request.shape;

/** Makes an error of the DynamoDB API. */
type ErrorOf = (type: string, message: string) => Error;

/**
 * RestoreTableToPointInTime: creates a table with the former state of another one. It is `CREATING` until it has all
 * items.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_RestoreTableToPointInTime.html
 */
export class Restores {
  readonly #store: Store;
  readonly #journal: Journal;
  readonly #errorOf: ErrorOf;
  readonly #lagMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, journal: Journal, errorOf: ErrorOf, lagMs = LAG_MS) {
    this.#store = store;
    this.#journal = journal;
    this.#errorOf = errorOf;
    this.#lagMs = lagMs;
  }

  /** Starts a restore. @returns the description of the new table */
  async start(parameters: unknown): Promise<{ TableDescription: object }> {
    const parsed = Request.safeParse(parameters);
    if (!parsed.success) throw this.#errorOf('ValidationException', z.prettifyError(parsed.error));
    const { SourceTableName, TargetTableName, RestoreDateTime, LocalSecondaryIndexOverride } = parsed.data;
    const source = await this.#described(SourceTableName);
    if (source?.LocalSecondaryIndexes && !LocalSecondaryIndexOverride)
      throw this.#errorOf('ValidationException', 'The local cloud does not restore local secondary indexes');
    if (!source) throw this.#errorOf('TableNotFoundException', `Table not found: ${SourceTableName}`);
    if (await this.#described(TargetTableName))
      throw this.#errorOf('TableAlreadyExistsException', `Table already exists: ${TargetTableName}`);
    if (!this.#journal.has(SourceTableName))
      throw this.#errorOf(
        'PointInTimeRecoveryUnavailableException',
        `Point in time recovery is not enabled for table ${SourceTableName}`,
      );
    this.#requireTime(SourceTableName, RestoreDateTime);
    const table = restoredTable(source, TargetTableName, RestoreDateTime);
    await promisify(this.#store.tableDb.put)(TargetTableName, table);
    this.#last = this.#copy(source, table, RestoreDateTime * 1000).catch(console.error);
    return { TableDescription: table };
  }

  /** Waits for running restores. */
  async close(): Promise<void> {
    await this.#last;
    this.#journal.close();
  }

  #requireTime(table: string, seconds: number): void {
    const latest = Math.floor((Date.now() - this.#lagMs) / 1000);
    const earliest = Math.ceil(this.#journal.earliest(table) / 1000);
    if (seconds >= earliest && seconds <= latest) return;
    const at = (time: number) => new Date(time * 1000).toISOString();
    throw this.#errorOf(
      'InvalidRestoreTimeException',
      `An invalid restore time was specified: it must be between ${at(earliest)} and ${at(latest)}`,
    );
  }

  async #copy(source: StoredTable, table: StoredTable, at: number): Promise<void> {
    const items = this.#store.getItemDb(table.TableName);
    const put = promisify(items.put.bind(items));
    const current: Item[] = [];
    for await (const item of this.#store.getItemDb(source.TableName).createValueStream()) current.push(item);
    // Read after the items, so that the journal has every item that changed in between.
    const changed = this.#journal.itemsAt(source.TableName, at);
    const unchanged = current.filter((item) => !changed.has(this.#journal.keyOf(source, item)));
    const former = [...changed.values()].filter((item) => item !== null);
    for (const item of [...unchanged, ...former]) await put(dynalite.createKey(item, table), item);
    await promisify(this.#store.tableDb.put)(table.TableName, { ...table, TableStatus: 'ACTIVE' });
  }

  async #described(name: string): Promise<StoredTable | undefined> {
    return promisify(this.#store.tableDb.get)(name);
  }
}

function restoredTable(source: StoredTable, name: string, at: number): StoredTable {
  const keys = source.KeySchema.map(({ AttributeName }) => AttributeName);
  const { GlobalSecondaryIndexes: _, LocalSecondaryIndexes: _local, ...others } = source;
  return {
    ...others,
    AttributeDefinitions: source.AttributeDefinitions.filter(({ AttributeName }) => keys.includes(AttributeName)),
    TableName: name,
    TableArn: source.TableArn.replace(/[^/]+$/, name),
    TableStatus: 'CREATING',
    CreationDateTime: Date.now() / 1000,
    RestoreSummary: {
      SourceTableArn: source.TableArn,
      RestoreDateTime: at,
      RestoreInProgress: true,
    },
  };
}
