import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../local/cloud/account.ts';
import type { Backend } from '../../local/cloud/backend-server.ts';
import { Throughput } from '../../local/cloud/dynamodb-metering.ts';
import { account, allow, dynamoDbAs, role, startTestBackend } from '../support/test-backend.ts';

const TableName = 'items';
/** A maximum that the first call exceeds. */
const UNITS = 0.001;

const table: Table = {
  name: TableName,
  keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  indexes: [
    {
      IndexName: 'ByOwner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
};
const key = (pk: string) => ({ pk: { S: pk } });
const put = (pk: string) => new PutItemCommand({ TableName, Item: key(pk) });
describe('a table with maxima', () => {
  const owner = role('Owner', allow('dynamodb:*', '*'));
  let backend: Backend;
  let db: DynamoDBClient;
  let metrics: unknown[];

  const start = async (maxima: Table['maxima']) => {
    const putMetric = (...sent: unknown[]) => void metrics.push(sent);
    backend = await startTestBackend(account([owner], [], [{ ...table, maxima } as Table]), {
      putMetric,
      clock: () => 0,
    });
    db = dynamoDbAs(backend.url, owner);
    metrics = [];
  };
  afterEach(() => backend.close());

  it('counts the units of items, and those of writes whose condition fails', async () => {
    await start([{ kind: 'Write', unitsPerSecond: 4 }]);
    const large = { ...key('a'), text: { S: 'x'.repeat(1_500) } };
    const { ConsumedCapacity } = await db.send(
      new PutItemCommand({ TableName, Item: large, ReturnConsumedCapacity: 'TOTAL' }),
    );
    expect(ConsumedCapacity?.CapacityUnits).toBe(2);
    const ConditionExpression = 'attribute_exists(pk)';
    await expect(
      db.send(new UpdateItemCommand({ TableName, Key: key('b'), ConditionExpression })),
    ).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
    await db.send(put('c'));
    await expect(db.send(put('d'))).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('does not throttle requests that are invalid', async () => {
    await start([{ kind: 'Write', unitsPerSecond: UNITS }]);
    await db.send(put('a'));
    const invalid = new UpdateItemCommand({ TableName, Key: key('a'), UpdateExpression: 'SET' });
    await expect(db.send(invalid)).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

it('a maximum allows its units again every second, and no more after a pause', () => {
  let now = 0;
  const maxima = [{ kind: 'Write', unitsPerSecond: 10 }] as const;
  const throughput = new Throughput([{ ...table, maxima }], undefined, () => now);
  const write = { kind: 'Write', table: TableName, items: 1 } as const;
  const admitted = () => Array.from({ length: 20 }, () => throughput.take([write])).filter((one) => !one).length;
  expect(admitted()).toBe(10);
  now += 500;
  expect(admitted()).toBe(5);
  now += 60_000;
  expect(admitted()).toBe(10);
  now += 1_000;
  throughput.take([write]);
  throughput.settle(write, 30);
  now += 2_000;
  expect(admitted()).toBe(0);
});
