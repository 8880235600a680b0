import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** How often the status of a table is polled, in milliseconds. A restore takes at least ten minutes on AWS, and none locally. */
const POLL_MS = { local: 50, aws: 15_000 };

/** Returns the name of the temporary table with the state of a table at a time. It is the same for each run. */
export function recoveredName(table: string, at: Date): string {
  return `${table}-at-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
}

/**
 * Restores the state of tables at a time to temporary tables, in parallel, and waits for them. Temporary tables of an interrupted run
 * are reused. Indexes are omitted, which makes the restore faster.
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
  say(
    `Waiting for DynamoDB to restore ${tables.length} tables to temporary ones, which may take an hour ...`,
  );
  for (const table of tables) await waitUntilActive(recoveredName(table, at), db, isLocal);
}

function request(SourceTableName: string, TargetTableName: string, RestoreDateTime: Date) {
  return {
    SourceTableName,
    TargetTableName,
    RestoreDateTime,
    BillingModeOverride: 'PAY_PER_REQUEST' as const,
    GlobalSecondaryIndexOverride: [],
  };
}

async function waitUntilActive(name: string, db: DynamoDBDocumentClient, isLocal: boolean): Promise<void> {
  for (;;) {
    const status = await statusOf(name, db);
    if (status === 'ACTIVE') return;
    if (status !== 'CREATING')
      throw new Error(`The table ${name} is ${status ?? 'gone'}: run the command again`);
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
export async function temporaryTables(
  tables: readonly string[],
  db: DynamoDBDocumentClient,
): Promise<string[]> {
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
