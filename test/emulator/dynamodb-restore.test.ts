import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../local/cloud/account.ts';
import { type Backend, startBackend } from '../../local/cloud/backend-server.ts';
import { nextSecond } from '../support/next-second.ts';
import { account, allow, apiError, dynamoDbAs, role, temporaryFolder } from '../support/test-backend.ts';

const table = (name: string, recoverable: boolean): Table => ({
  name,
  recoverable,
  keySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  attributes: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  indexes: [
    {
      IndexName: 'ByOwner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
});
const operator = role('Operator', allow('dynamodb:*', '*'));
const TABLES = [table('items', true), table('others', false)];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let backend: Backend;
let db: DynamoDBClient;

async function start(): Promise<void> {
  const settings = { backendPort: 0, stateDir: folder.path, restoreLagMs: 0 };
  backend = await startBackend(account([operator], [], TABLES), settings);
  db = dynamoDbAs(backend.url, operator);
}
beforeAll(async () => {
  folder = await temporaryFolder();
  await start();
});
afterAll(async () => {
  await backend.close();
  await folder.remove();
});

const put = (id: string, value: string) =>
  db.send(
    new PutItemCommand({ TableName: 'items', Item: { id: { S: id }, v: { S: value }, owner: { S: 'me' } } }),
  );
const change = (id: string, value: string) =>
  db.send(
    new UpdateItemCommand({
      TableName: 'items',
      Key: { id: { S: id } },
      UpdateExpression: 'SET v = :v',
      ExpressionAttributeValues: { ':v': { S: value } },
    }),
  );
const remove = (id: string) => db.send(new DeleteItemCommand({ TableName: 'items', Key: { id: { S: id } } }));

const restore = (to: string, RestoreDateTime: Date, SourceTableName = 'items') =>
  db.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName,
      TargetTableName: to,
      RestoreDateTime,
      BillingModeOverride: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexOverride: [],
    }),
  );

async function restored(to: string, at: Date): Promise<Record<string, string>> {
  const { TableDescription } = await restore(to, at);
  expect(TableDescription?.TableStatus).toBe('CREATING');
  while ((await db.send(new DescribeTableCommand({ TableName: to }))).Table?.TableStatus !== 'ACTIVE')
    await sleep(2);
  const { Items = [] } = await db.send(new ScanCommand({ TableName: to }));
  return Object.fromEntries(Items.map(({ id, v }) => [id?.S, v?.S]));
}

it('creates a table with the state of another one at a time, even after a restart', async () => {
  await put('kept', 'one');
  await put('changed', 'one');
  await put('deleted', 'one');
  const first = await nextSecond();
  await put('changed', 'two');
  await remove('deleted');
  await put('added', 'one');
  const second = await nextSecond();
  await change('changed', 'three');
  await remove('added');
  await put('deleted', 'again');
  const before = { kept: 'one', changed: 'one', deleted: 'one' };
  expect(await restored('first', first)).toEqual(before);
  expect(await restored('second', second)).toEqual({ kept: 'one', changed: 'two', added: 'one' });
  await backend.close();
  await start();
  expect(await restored('again', first)).toEqual(before);
  const { Table: description } = await db.send(new DescribeTableCommand({ TableName: 'again' }));
  expect(description).toMatchObject({ RestoreSummary: { RestoreDateTime: first } });
  expect(description?.GlobalSecondaryIndexes).toBeUndefined();
  await db.send(new DeleteTableCommand({ TableName: 'again' }));
  // As on AWS, a table that is being deleted is still listed.
  const names = async () => (await db.send(new ListTablesCommand())).TableNames ?? [];
  while ((await names()).includes('again')) await sleep(20);
  expect(await names()).toEqual(['first', 'items', 'others', 'second']);
});

it.each([
  ['InvalidRestoreTimeException', () => restore('x', new Date(Date.now() - 3_600_000))],
  ['InvalidRestoreTimeException', () => restore('x', new Date(Date.now() + 3_600_000))],
  ['PointInTimeRecoveryUnavailableException', () => restore('x', new Date(), 'others')],
  ['TableNotFoundException', () => restore('x', new Date(), 'missing')],
  ['TableAlreadyExistsException', () => restore('others', new Date())],
])('responds with %s', async (name, call) => {
  await expect(call()).rejects.toMatchObject(apiError(400, name));
});
