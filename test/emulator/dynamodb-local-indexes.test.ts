import {
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  RestoreTableToPointInTimeCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../local/cloud/account.ts';
import { startBackend } from '../../local/cloud/backend-server.ts';
import { emptyFolder } from '../support/at-end.ts';
import { nextSecond } from '../support/next-second.ts';
import { account, allow, apiError, dynamoDbAs, role } from '../support/test-backend.ts';

const TableName = 'items';
const owner = role('Owner', allow('dynamodb:*', '*'));
const table: Table = {
  name: TableName,
  recoverable: true,
  keySchema: [
    { AttributeName: 'site', KeyType: 'HASH' },
    { AttributeName: 'key', KeyType: 'RANGE' },
  ],
  attributes: [
    { AttributeName: 'site', AttributeType: 'S' },
    { AttributeName: 'key', AttributeType: 'S' },
    { AttributeName: 'author', AttributeType: 'S' },
  ],
  localIndexes: [
    {
      IndexName: 'ByAuthor',
      KeySchema: [
        { AttributeName: 'site', KeyType: 'HASH' },
        { AttributeName: 'author', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
};

const stateDir = emptyFolder();

async function open(tables = [table]) {
  const backend = await startBackend(account([owner], [], tables), {
    backendPort: 0,
    stateDir,
    restoreLagMs: 0,
    // Global indexes would not have a write during the test.
    indexLagMs: 3_600_000,
  });
  const db = dynamoDbAs(backend.url, owner);
  const Key = (key: string) => ({ site: { S: 's' }, key: { S: key } });
  return {
    db,
    close: backend.close,
    put: (key: string, author?: string) => {
      const Item = {
        ...Key(key),
        text: { S: 'text' },
        ...(author !== undefined && { author: { S: author } }),
      };
      return db.send(new PutItemCommand({ TableName, Item }));
    },
    removeAuthor: (key: string) =>
      db.send(new UpdateItemCommand({ TableName, Key: Key(key), UpdateExpression: 'REMOVE author' })),
    remove: (key: string) => db.send(new DeleteItemCommand({ TableName, Key: Key(key) })),
    list: async () => {
      const { Items = [] } = await db.send(
        new QueryCommand({
          TableName,
          IndexName: 'ByAuthor',
          ConsistentRead: true,
          KeyConditionExpression: 'site = :site AND begins_with(author, :author)',
          ExpressionAttributeValues: { ':site': { S: 's' }, ':author': { S: 'ann' } },
          ScanIndexForward: false,
        }),
      );
      return Items.map(({ key, text }) => [key?.S, text?.S]);
    },
  };
}

test('has every write at once, and after a restart', async () => {
  const { put, removeAuthor, remove, list, close } = await open();
  await put('1', 'ann#1');
  await put('2', 'ann#2');
  await put('3', 'ann#3');
  await put('4', 'bob#4');
  await put('5');
  expect(await list()).toEqual([
    ['3', 'text'],
    ['2', 'text'],
    ['1', 'text'],
  ]);
  await removeAuthor('2');
  await remove('3');
  expect(await list()).toEqual([['1', 'text']]);
  await close();
  const again = await open();
  expect(await again.list()).toEqual([['1', 'text']]);
  await again.close();
});

test('can only be created with its table', async () => {
  const { localIndexes: _, attributes, ...others } = table;
  const plain = { ...others, attributes: attributes.slice(0, 2) };
  await (await open([plain])).close();
  await expect(open()).rejects.toThrow('exists with other keys or local indexes');
});

test('is restored unless the request says so', async () => {
  const { db, put, close } = await open();
  await put('1', 'ann#1');
  const RestoreDateTime = await nextSecond();
  const request = {
    SourceTableName: TableName,
    RestoreDateTime,
    BillingModeOverride: 'PAY_PER_REQUEST' as const,
    GlobalSecondaryIndexOverride: [],
  };
  const whole = new RestoreTableToPointInTimeCommand({ ...request, TargetTableName: 'whole' });
  await expect(db.send(whole)).rejects.toMatchObject(apiError(400, 'ValidationException'));
  const { TableDescription } = await db.send(
    new RestoreTableToPointInTimeCommand({
      ...request,
      TargetTableName: 'restored',
      LocalSecondaryIndexOverride: [],
    }),
  );
  expect(TableDescription?.LocalSecondaryIndexes).toBeUndefined();
  await close();
});
