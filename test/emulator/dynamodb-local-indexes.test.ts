import { RestoreTableToPointInTimeCommand } from '@aws-sdk/client-dynamodb';
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
  return { db, close: backend.close };
}

test('can only be created with its table', async () => {
  const { localIndexes: _, attributes, ...others } = table;
  const plain = { ...others, attributes: attributes.slice(0, 2) };
  await (await open([plain])).close();
  await expect(open()).rejects.toThrow('exists with other keys or local indexes');
});

test('is restored unless the request says so', async () => {
  const { db, close } = await open();
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
