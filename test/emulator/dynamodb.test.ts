import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../local/cloud/account.ts';
import { startBackend } from '../../local/cloud/backend-server.ts';
import { closeAtEnd, emptyFolder } from '../support/at-end.ts';
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

const require = createRequire(import.meta.url);
const arn = (table: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${table}`;
const table = (name: string): Table => ({
  name,
  keySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  attributes: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
  ],
});
const owner = role('Owner', allow('dynamodb:*', '*'));
const reader = role('Reader', allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem'], arn('items')));

const TableName = 'items';
const item = (sk: number, more = {}) => ({ pk: { S: 'a' }, sk: { N: String(sk) }, ...more });

const backend = closeAtEnd(await startTestBackend(account([owner, reader], [], [table('items'), table('sites')])));
const owned = dynamoDbAs(backend.url, owner);
const readOnly = dynamoDbAs(backend.url, reader);
const log = jest.spyOn(console, 'log').mockReturnValue();

const put = (Item: PutItemCommand['input']['Item'], more = {}) =>
  owned.send(new PutItemCommand({ TableName, Item, ...more }));

describe('the tables of the account', () => {
  test('reject items over 400 KB', async () => {
    await put(item(3, { data: { S: 'x'.repeat(400 * 1024 - 20) } }));
    const large = put(item(3, { data: { S: 'x'.repeat(400 * 1024) } }));
    await expect(large).rejects.toMatchObject(apiError(400, 'ValidationException'));
  });

  test('do not grow over 400 KB, in UTF-8', async () => {
    await put(item(3, { data: { S: 'ü'.repeat(200 * 1024 - 20) } }));
    const grow = (bytes: number) =>
      owned.send(
        new UpdateItemCommand({
          TableName,
          Key: item(3),
          UpdateExpression: 'SET more = :more',
          ExpressionAttributeValues: { ':more': { S: 'x'.repeat(bytes) } },
        }),
      );
    await expect(grow(1)).resolves.toBeDefined();
    await expect(grow(100)).rejects.toMatchObject(apiError(400, 'ValidationException'));
  });

  test('reject expressions over 4 KB', async () => {
    const update = (attributes: number) =>
      owned.send(
        new UpdateItemCommand({
          TableName,
          Key: item(3),
          UpdateExpression: `REMOVE ${Array.from({ length: attributes }, (_, i) => `a${i}`).join(', ')}`,
        }),
      );
    await expect(update(500)).resolves.toBeDefined();
    await expect(update(1_000)).rejects.toMatchObject(apiError(400, 'ValidationException'));
  });
});

describe('a caller', () => {
  test.each([
    ['another action', () => readOnly.send(new PutItemCommand({ TableName, Item: item(6) })), 'PutItem', 'items'],
    [
      'another table',
      () => readOnly.send(new GetItemCommand({ TableName: 'sites', Key: item(6) })),
      'GetItem',
      'sites',
    ],
    [
      'a batch that touches another table',
      () => {
        const RequestItems = { items: { Keys: [item(5)] }, sites: { Keys: [item(5)] } };
        return readOnly.send(new BatchGetItemCommand({ RequestItems }));
      },
      'BatchGetItem',
      'sites',
    ],
    [
      'an index',
      () => readOnly.send(new QueryCommand({ TableName, IndexName: 'byTime', KeyConditionExpression: 'pk = :pk' })),
      'Query',
      'items/index/byTime',
    ],
  ])('is denied %s, with the message of AWS', async (_, call, action, resource) => {
    await expect(call()).rejects.toMatchObject({
      ...apiError(400, 'AccessDeniedException'),
      message: expect.stringContaining(
        `User: ${reader.arn} is not authorized to perform: dynamodb:${action} on resource: ${arn(resource)}`,
      ),
    });
    expect(log).toHaveBeenLastCalledWith(
      expect.stringContaining(`AccessDenied Reader may not dynamodb:${action} on ${arn(resource)}`),
    );
  });

  test.each([
    ['a wrong secret', { ...owner, secretAccessKey: 'guess' }, 'InvalidSignatureException'],
    ['an unknown key id', { ...owner, name: 'Nobody' }, 'UnrecognizedClientException'],
  ])('with %s is rejected', async (_, principal, name) => {
    const client = dynamoDbAs(backend.url, principal);
    await expect(client.send(new ListTablesCommand())).rejects.toMatchObject(apiError(400, name));
  });
});

describe('an index', () => {
  const indexed: Table = {
    ...table('indexed'),
    attributes: [
      ...table('indexed').attributes,
      { AttributeName: 'owner', AttributeType: 'S' },
      { AttributeName: 'made', AttributeType: 'N' },
    ],
    indexes: [
      {
        IndexName: 'ByOwner',
        KeySchema: [
          { AttributeName: 'owner', KeyType: 'HASH' },
          { AttributeName: 'made', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };
  const owned = (at: number) => ({ owner: { S: 'me' }, made: { N: String(at) } });

  /** Opens a backend of `state`, with clients of it. */
  async function open(stateDir: string, tables: Table[], indexLagMs?: number) {
    const started = await startBackend(account([owner, reader], [], tables), {
      backendPort: 0,
      stateDir,
      ...(indexLagMs === undefined ? {} : { indexLagMs }),
    });
    const db = dynamoDbAs(started.url, owner);
    const TableName = 'indexed';
    const listed = async (more = {}) => {
      const { Items = [] } = await db.send(
        new QueryCommand({
          TableName,
          IndexName: 'ByOwner',
          KeyConditionExpression: '#owner = :me',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':me': { S: 'me' } },
          ScanIndexForward: false,
          ...more,
        }),
      );
      return Items;
    };
    return {
      db,
      listed,
      close: started.close,
      put: (sk: number, more = {}) =>
        db.send(new PutItemCommand({ TableName, Item: item(sk, { ...more, text: { S: 'long' } }) })),
      remove: (sk: number) => db.send(new DeleteItemCommand({ TableName, Key: item(sk) })),
    };
  }

  const folder = emptyFolder();

  test('is eventually consistent', async () => {
    const { put, listed, db, close } = await open(folder, [indexed], 3_600_000);
    await put(1, owned(1));
    expect(await listed()).toEqual([]);
    const Item = { TableName: 'indexed', Key: item(1), ConsistentRead: true };
    expect((await db.send(new GetItemCommand(Item))).Item).toMatchObject(owned(1));
    await expect(listed({ ConsistentRead: true })).rejects.toMatchObject(apiError(400, 'ValidationException'));
    await close();
  });

  test('makes up for writes that it missed when the process ended', async () => {
    const before = await open(folder, [indexed], 3_600_000);
    await before.put(1, owned(1));
    await before.close();
    const after = await open(folder, [indexed], 1);
    expect(await after.listed()).toHaveLength(1);
    await after.remove(1);
    while ((await after.listed()).length > 0);
    await after.close();
  });

  test('is added to a table that has items, and removed', async () => {
    const before = await open(folder, [table('indexed')]);
    await before.put(1, owned(1));
    await before.put(2);
    await expect(before.listed()).rejects.toMatchObject(apiError(400, 'ValidationException'));
    await before.close();
    const added = await open(folder, [indexed]);
    expect(await added.listed()).toEqual([item(1, owned(1))]);
    await added.close();
    const removed = await open(folder, [table('indexed')]);
    await expect(removed.listed()).rejects.toMatchObject(apiError(400, 'ValidationException'));
    await removed.close();
  });
});

describe('rejects what it does not support, by name:', () => {
  test.each([['TransactWriteItems', () => owned.send(new TransactWriteItemsCommand({ TransactItems: [] }))]])(
    '%s',
    async (operation, call) => {
      await expect(call()).rejects.toMatchObject({
        ...apiError(400, 'UnknownOperationException'),
        message: expect.stringContaining(operation),
      });
    },
  );

  test('a parameter', async () => {
    const put7 = put(item(7), { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    await expect(put7).rejects.toMatchObject({
      ...apiError(400, 'ValidationException'),
      message: expect.stringContaining('ReturnValuesOnConditionCheckFailure'),
    });
    const { Item } = await owned.send(new GetItemCommand({ TableName, Key: item(7) }));
    expect(Item).toBeUndefined();
  });

  test('a table that is not in the template', async () => {
    const get = owned.send(new GetItemCommand({ TableName: 'nobodys', Key: item(1) }));
    await expect(get).rejects.toMatchObject(apiError(400, 'ResourceNotFoundException'));
  });
});

describe('an existing database', () => {
  const stateDir = emptyFolder();
  const start = (...tables: Table[]) => startBackend(account([owner], [], tables), { backendPort: 0, stateDir });

  test('gets a table whose creation was interrupted', async () => {
    const store = require('dynalite/db').create({ path: join(stateDir, 'dynamodb') });
    await promisify(store.tableDb.put)('items', { TableName: 'items', TableStatus: 'CREATING' });
    await store.lifecycleManager.gracefulClose();
    const started = await start(table('items'));
    const client = dynamoDbAs(started.url, owner);
    await expect(client.send(new PutItemCommand({ TableName, Item: item(1) }))).resolves.toBeDefined();
    await started.close();
  });

  test('is rejected when a table has other keys than in the template', async () => {
    await (await start(table('items'))).close();
    const [hash] = table('items').keySchema;
    const changed = { ...table('items'), keySchema: hash ? [hash] : [] };
    await expect(start(changed)).rejects.toThrow('--fresh');
  });
});
