import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../local/cloud/account.ts';
import type { Backend } from '../../local/cloud/backend-server.ts';
import { Throughput } from '../../local/cloud/dynamodb-metering.ts';
import {
  ACCOUNT_ID,
  account,
  allow,
  apiError,
  dynamoDbAs,
  REGION,
  role,
  startTestBackend,
} from '../support/test-backend.ts';

const TableName = 'items';
const ARN = `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${TableName}`;

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
const get = (pk: string) => new GetItemCommand({ TableName, Key: key(pk), ConsistentRead: true });
const put = (pk: string) => new PutItemCommand({ TableName, Item: key(pk) });
const batch = (...keys: string[]) =>
  new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(key) } } });
const query = new QueryCommand({
  TableName,
  IndexName: 'ByOwner',
  KeyConditionExpression: '#owner = :me',
  ExpressionAttributeNames: { '#owner': 'owner' },
  ExpressionAttributeValues: { ':me': { S: 'me' } },
});

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

  const metric = (name: string, more = {}) => ({
    namespace: 'AWS/DynamoDB',
    name,
    dimensions: { TableName, ...more },
  });
  const throttled = (reason: string, resource = ARN) => ({
    ...apiError(400, 'ThrottlingException'),
    message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
    throttlingReasons: [{ reason, resource }],
  });

  it('throttles writes, not reads, after a write that used them up', async () => {
    await start([{ kind: 'Write', unitsPerSecond: UNITS }]);
    await db.send(put('a'));
    await expect(db.send(put('b'))).rejects.toMatchObject(
      throttled('TableWriteMaxOnDemandThroughputExceeded'),
    );
    await db.send(get('a'));
    expect(metrics).toEqual([[metric('WriteThrottleEvents'), 1]]);
  });

  it('throttles reads, and counts every item of a batch', async () => {
    await start([{ kind: 'Read', unitsPerSecond: UNITS }]);
    await db.send(get('a'));
    const error = throttled('TableReadMaxOnDemandThroughputExceeded');
    await expect(db.send(batch('a', 'b', 'c'))).rejects.toMatchObject(error);
    await db.send(put('a'));
    // An index has its own maximum.
    await db.send(query);
    expect(metrics).toEqual([[metric('ReadThrottleEvents'), 3]]);
  });

  it('throttles reads of an index', async () => {
    await start([{ kind: 'Read', index: 'ByOwner', unitsPerSecond: UNITS }]);
    await db.send(query);
    await expect(db.send(query)).rejects.toMatchObject(
      throttled('IndexReadMaxOnDemandThroughputExceeded', `${ARN}/index/ByOwner`),
    );
    await db.send(get('a'));
    const index = { GlobalSecondaryIndexName: 'ByOwner' };
    expect(metrics).toEqual([[metric('ReadThrottleEvents', index), 1]]);
  });

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
  const admitted = () =>
    Array.from({ length: 20 }, () => throughput.take([write])).filter((one) => !one).length;
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
