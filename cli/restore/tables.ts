import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Output } from '../../terminal/program.ts';
import {
  allItems,
  becomesPrivate,
  type Copied,
  type Item,
  isRecordOfRequest,
  keepingDecisions,
  type RestoredName,
  SiteDataRestore,
  TargetTable,
  withoutTenants,
} from './items.ts';
import { type Names, ObjectRestore, objectOfAsset, objectsOfDeployment } from './objects.ts';
import type { Plan } from './plan.ts';
import { each, Progress } from './progress.ts';

/** How the items of a table are copied. */
interface Rules {
  /** Whether items expire at `expiresAt` (Unix seconds). */
  readonly expires?: true;
  /** The bucket of the objects that items reference. */
  readonly bucket?: RestoredName;
  readonly names?: (item: Item) => Names;
  /** Whether `--overwrite` replaces items. Keys are not replaced, so that revoked ones stay revoked. */
  readonly replaceable?: true;
}

const RULES: Partial<Record<RestoredName, Rules>> = {
  usage: { expires: true },
  assets: { expires: true, bucket: 'asset-files', names: objectOfAsset, replaceable: true },
  deployments: { expires: true, bucket: 'archives', names: objectsOfDeployment, replaceable: true },
  data: { expires: true, replaceable: true },
};

interface CopyOptions {
  readonly overwrite: boolean;
  /** Ids of deployments and assets; all by default. */
  readonly only: ReadonlySet<string> | undefined;
}

/** Copies the items of a table, each after the objects that it references. An interrupted copy can be repeated. */
class TableCopy {
  /** The ids of public pages that are private again. */
  readonly closed: string[] = [];
  readonly #plan: Plan;
  readonly #copied: Copied;
  readonly #rules: Rules;
  readonly #options: CopyOptions;
  readonly #target: TargetTable;
  readonly #objects: ObjectRestore | undefined;
  readonly #progress: Progress;
  /** Defined for the table of data only. */
  readonly #siteData: SiteDataRestore | undefined;

  constructor(
    plan: Plan,
    copied: Copied,
    options: CopyOptions,
    target: TargetTable,
    objects: ObjectRestore | undefined,
    stderr: Output,
    siteData?: SiteDataRestore,
  ) {
    this.#siteData = siteData;
    this.#plan = plan;
    this.#copied = copied;
    this.#rules = RULES[copied.name as RestoredName] ?? {};
    this.#options = options;
    this.#target = target;
    this.#objects = objects;
    this.#progress = new Progress(copied.name, stderr);
  }

  /** @returns a line with the counts of its outcomes */
  async run(): Promise<string> {
    const { source, at } = this.#plan;
    const table = at ? recoveredName(this.#copied.from, at) : this.#copied.from;
    await each(allItems(source.db, table), async (item) => {
      if (!this.#isWanted(item) || (await this.#siteData?.isWanted(item)) === false) return;
      await this.#copy(item);
      this.#siteData?.note(item);
    });
    await this.#siteData?.finish();
    return this.#progress.text;
  }

  #isWanted(item: Item): boolean {
    const { only } = this.#options;
    if (only) return only.has(item.site?.S?.split('#')[0] ?? item.id?.S ?? item.asset_id?.S ?? '');
    const ends = Number(item.expiresAt?.N ?? Number.POSITIVE_INFINITY);
    const isOver = this.#rules.expires === true && ends * 1_000 <= Date.now();
    return !isOver && !(this.#copied.name === 'deployments' && isRecordOfRequest(item));
  }

  async #copy(item: Item): Promise<void> {
    const present = await this.#target.find(item);
    const replaces = this.#options.overwrite && this.#rules.replaceable === true;
    if (present && !replaces) return this.#progress.count('kept');
    const { isOther } = this.#plan;
    const own = isOther && this.#copied.name === 'deployments' ? withoutTenants(item) : item;
    if (this.#objects && this.#rules.names) {
      const { prefix, objects } = this.#rules.names(item);
      const { copied } = await this.#objects.bringBack(prefix, objects);
      if (copied > 0) this.#progress.count('objects', copied);
    }
    if (!present) return this.#progress.count((await this.#target.add(own)) ? 'copied' : 'kept');
    await this.#target.replace(keepingDecisions(own, present));
    if (becomesPrivate(own, present)) this.closed.push(item.id?.S ?? '');
    this.#progress.count('replaced');
  }
}

/** Returns the copies of a plan's tables, in their order. */
export async function tableCopies(
  plan: Plan,
  options: CopyOptions,
  target: { readonly db: Plan['source']['db']; readonly s3: Plan['source']['s3'] },
  stderr: Output,
): Promise<TableCopy[]> {
  const tables = plan.copied.filter(({ kind }) => kind === 'table');
  return Promise.all(
    tables.map(async (copied) => {
      const bucket = plan.copied.find(({ name }) => name === RULES[copied.name as RestoredName]?.bucket);
      const objects =
        bucket && new ObjectRestore({ s3: plan.source.s3, name: bucket.from }, { s3: target.s3, name: bucket.to });
      const table = await TargetTable.open(target.db, copied.to);
      const siteData = copied.name === 'data' ? siteDataRestore(plan, copied, target.db) : undefined;
      return new TableCopy(plan, copied, options, table, objects, stderr, siteData);
    }),
  );
}

function siteDataRestore({ copied }: Plan, { to }: Copied, db: DynamoDBDocumentClient): SiteDataRestore | undefined {
  const deployments = copied.find(({ name }) => name === 'deployments')?.to;
  return deployments === undefined ? undefined : new SiteDataRestore({ db, table: to, deployments });
}

/**
 * How often the status of a table is polled, in milliseconds. A restore takes at least ten minutes on AWS, and none
 * locally.
 */
const POLL_MS = { local: 50, aws: 15_000 };

/** Returns the name of the temporary table with the state of a table at a time. It is the same for each run. */
export function recoveredName(table: string, at: Date): string {
  return `${table}-at-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
}

/**
 * Restores the state of tables at a time to temporary tables, in parallel, and waits for them. Temporary tables of an
 * interrupted run are reused. Indexes are omitted, which makes the restore faster.
 * @throws Error of DynamoDB, such as for a time that is too long ago
 */
export async function recoverTables(
  tables: readonly string[],
  at: Date,
  { db, isLocal }: { readonly db: DynamoDBDocumentClient; readonly isLocal: boolean },
  say: (line: string) => void,
): Promise<void> {
  for (const table of tables) {
    const name = recoveredName(table, at);
    if (await statusOf(name, db)) say(`Reusing ${name}, which already exists`);
    else await db.send(new RestoreTableToPointInTimeCommand(request(table, name, at)));
  }
  say(`Waiting for DynamoDB to restore ${tables.length} tables to temporary ones, which may take an hour ...`);
  for (const table of tables) await waitUntilActive(recoveredName(table, at), db, isLocal);
}

function request(SourceTableName: string, TargetTableName: string, RestoreDateTime: Date) {
  return {
    SourceTableName,
    TargetTableName,
    RestoreDateTime,
    BillingModeOverride: 'PAY_PER_REQUEST' as const,
    GlobalSecondaryIndexOverride: [],
    LocalSecondaryIndexOverride: [],
  };
}

async function waitUntilActive(name: string, db: DynamoDBDocumentClient, isLocal: boolean): Promise<void> {
  for (;;) {
    const status = await statusOf(name, db);
    if (status === 'ACTIVE') return;
    if (status !== 'CREATING') throw new Error(`The table ${name} is ${status ?? 'gone'}: run the command again`);
    await sleep(isLocal ? POLL_MS.local : POLL_MS.aws);
  }
}

async function statusOf(TableName: string, db: DynamoDBDocumentClient): Promise<string | undefined> {
  try {
    const { Table } = await db.send(new DescribeTableCommand({ TableName }));
    return Table?.TableStatus;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Returns the names of the temporary tables of some tables. */
export async function temporaryTables(tables: readonly string[], db: DynamoDBDocumentClient): Promise<string[]> {
  const names: string[] = [];
  let ExclusiveStartTableName: string | undefined;
  do {
    const list = new ListTablesCommand({ ExclusiveStartTableName });
    const { TableNames = [], LastEvaluatedTableName } = await db.send(list);
    names.push(...TableNames);
    ExclusiveStartTableName = LastEvaluatedTableName;
  } while (ExclusiveStartTableName !== undefined);
  return names.filter((name) => tables.some((table) => isTemporary(name, table)));
}

function isTemporary(name: string, table: string): boolean {
  return name.startsWith(`${table}-at-`) && /^\d{8}T\d{6}Z$/.test(name.slice(table.length + 4));
}

export async function deleteTable(TableName: string, db: DynamoDBDocumentClient): Promise<void> {
  await db.send(new DeleteTableCommand({ TableName }));
}
