import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { allItems, restoredIn } from '../../cli/restore/items.ts';
import { openStage, type Stage } from '../../cli/stage.ts';
import { nextSecond } from './next-second.ts';

/** Waits for the next second, and returns it in the format of `--at`. */
export async function nextRestoreTime(): Promise<string> {
  return (await nextSecond()).toISOString().replace('.000', '');
}

/** Deletes every item and object of the stack that a restore recovers. */
export async function loseEverything(stateDir: string): Promise<void> {
  using stage = await openStage(undefined, { STATE_DIR: stateDir });
  const {
    ids: _,
    tokens: __,
    archives = '',
    'asset-files': files = '',
    ...tables
  } = restoredIn(await stage.resources(stage.stackName));
  for (const table of Object.values(tables)) await emptyTable(table, stage);
  for (const bucket of [archives, files]) await emptyBucket(bucket, stage);
}

async function emptyTable(TableName: string, { db }: Stage): Promise<void> {
  const { Table } = await db.send(new DescribeTableCommand({ TableName }));
  const names = Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
  for await (const item of allItems(db, TableName)) {
    const Key = Object.fromEntries(names.map((name) => [name, item[name] ?? { NULL: true }]));
    await db.send(new DeleteItemCommand({ TableName, Key }));
  }
}

/** Deletes the objects of a bucket without deleting versions, as functions do. */
export async function emptyBucket(Bucket: string, { s3 }: Stage, Prefix = ''): Promise<void> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  if (Contents.length === 0) return;
  const Objects = Contents.map(({ Key }) => ({ Key }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}

/** Copies the retained tables, buckets and secrets of a deleted stack into the state folder of another one. */
export function leaveBehind(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const left = ['dynamodb', 'dynamodb-journal', 's3', 'secrets.json', 'account.json', 'operator.json'];
  for (const name of left)
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true });
}
