import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { OWNER_INDEX } from '../../lambda/platform/env.ts';

const require = createRequire(import.meta.url);
const database = require('dynalite/db') as { create(options: { createTableMs: number }): unknown };
const validations = require('dynalite/validations') as {
  checkTypes(data: unknown, types: unknown): Record<string, unknown>;
  checkValidations(data: unknown, attributes: unknown, custom: unknown, store: unknown): void;
};

type Done = (error: unknown, output?: Record<string, unknown>) => void;
type Action = (store: unknown, data: unknown, done: Done) => void;

/** The actions of DynamoDB by the commands of the document client. */
const ACTIONS: Readonly<Record<string, string>> = {
  GetCommand: 'getItem',
  PutCommand: 'putItem',
  UpdateCommand: 'updateItem',
  DeleteCommand: 'deleteItem',
  QueryCommand: 'query',
  ScanCommand: 'scan',
  BatchGetCommand: 'batchGetItem',
  BatchWriteCommand: 'batchWriteItem',
};

/** The indexes of a table, and the attributes that only they have. */
export interface MemoryIndexes {
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly LocalSecondaryIndexes?: readonly object[];
  readonly GlobalSecondaryIndexes?: readonly object[];
}

/**
 * Starts an in-memory DynamoDB with one table. It runs in this process, without HTTP and signatures, which would take most of the
 * time of tests. Its indexes are up to date at once.
 */
export async function startMemoryDynamoDB(
  table: string,
  hash: string,
  range?: string,
  { attributes = [], ...indexes }: Partial<MemoryIndexes> = {},
) {
  const store = database.create({ createTableMs: 0 });
  const keys = range === undefined ? [hash] : [hash, range];
  await perform(store, 'createTable', {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: [...keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })), ...attributes],
    ...indexes,
  });
  // A table is created in the next turn of the event loop.
  while ((await statusOf(store, table)) !== 'ACTIVE') await setImmediate();
  const send = async (command: { input: object; constructor: { name: string } }) => {
    const action = ACTIONS[command.constructor.name];
    if (action === undefined) throw new Error(`${command.constructor.name} is not supported`);
    return unmarshallOutput(await perform(store, action, marshallInput(command.input)));
  };
  // Paginators want an instance.
  const db: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send });
  return { db, table };
}

/** Makes each call of a client through a function, such as one that counts them or loses their responses. */
export function intercept(
  db: DynamoDBDocumentClient,
  around: (call: () => Promise<unknown>, command: { input: object; constructor: { name: string } }) => Promise<unknown>,
): void {
  const send = db.send.bind(db) as (command: unknown) => Promise<unknown>;
  db.send = ((command: Parameters<typeof around>[1]) => around(() => send(command), command)) as never;
}

/** Returns the index by owner, as the infrastructure defines it. @param owner the attribute with the owner */
export function indexBy(owner: string) {
  return {
    attributes: [
      { AttributeName: owner, AttributeType: 'S' },
      { AttributeName: OWNER_INDEX.sortKey, AttributeType: 'N' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: OWNER_INDEX.name,
        KeySchema: [
          { AttributeName: owner, KeyType: 'HASH' },
          { AttributeName: OWNER_INDEX.sortKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  } as const;
}

async function statusOf(store: unknown, TableName: string): Promise<unknown> {
  const { Table } = await perform(store, 'describeTable', { TableName });
  return (Table as { TableStatus: unknown }).TableStatus;
}

/** @throws Error with the name of the exception of DynamoDB */
async function perform(store: unknown, action: string, input: object): Promise<Record<string, unknown>> {
  const { types, validations: attributes, custom } = require(`dynalite/validations/${action}`);
  try {
    const data = validations.checkTypes(input, types);
    validations.checkValidations(data, attributes, custom, store);
    const run = require(`dynalite/actions/${action}`) as Action;
    return await new Promise((resolve, reject) => {
      run(store, data, (error, output = {}) => (error ? reject(error) : resolve(output)));
    });
  } catch (error) {
    throw exceptionOf(error);
  }
}

function exceptionOf(error: unknown): unknown {
  const { body, statusCode } = error as {
    body?: { __type: string; message?: string; Message?: string };
    statusCode: number;
  };
  if (body === undefined) return error;
  const name = body.__type.slice(body.__type.indexOf('#') + 1);
  const message = body.message ?? body.Message ?? name;
  const $metadata = { httpStatusCode: statusCode };
  if (name === 'ConditionalCheckFailedException') return new ConditionalCheckFailedException({ message, $metadata });
  return Object.assign(new Error(message), { name, $metadata });
}

/** The parts of inputs with values, and of outputs. */
const ITEMS = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

function marshallInput(input: object): object {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        if (ITEMS.includes(name)) return [name, marshallItem(value)];
        if (name !== 'RequestItems') return [name, value];
        return [name, mapValues(value, (request) => marshallRequest(request as Record<string, unknown>))];
      }),
  );
}

/** Marshalls what a batch reads from a table, or writes to it. */
function marshallRequest(requests: Record<string, unknown> | readonly object[]): object {
  if (Array.isArray(requests))
    return requests.map((request) => mapValues(request, (one) => marshallInput(one as object)));
  const { Keys, ...request } = requests as Record<string, unknown>;
  return { ...request, Keys: (Keys as object[]).map(marshallItem) };
}

function unmarshallOutput(output: Record<string, unknown>): Record<string, unknown> {
  return mapValues(output, (value, name) => {
    if (/^(?:Item|Attributes|LastEvaluatedKey)$/.test(name)) return unmarshallItem(value as object);
    if (name === 'Items') return (value as object[]).map(unmarshallItem);
    if (name === 'Responses') return mapValues(value as object, (items) => (items as object[]).map(unmarshallItem));
    return value;
  });
}

function mapValues(value: object, change: (value: unknown, name: string) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]));
}

function marshallItem(item: object): Record<string, unknown> {
  const defined = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, marshall(value)]));
}

function marshall(value: unknown): object {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) {
    const members = [...value];
    if (members[0] instanceof Uint8Array) return { BS: members.map((one) => Buffer.from(one).toString('base64')) };
    return typeof members[0] === 'number' ? { NS: members.map(String) } : { SS: members };
  }
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(marshall) };
  return { M: marshallItem(value as object) };
}

function unmarshallItem(item: object): Record<string, unknown> {
  return mapValues(item, (value) => unmarshall(value as Record<string, unknown>));
}

function unmarshall(value: Record<string, unknown>): unknown {
  const [[type, content] = ['NULL', true]] = Object.entries(value);
  switch (type) {
    case 'N':
      return Number(content);
    case 'B':
      return Buffer.from(content as string, 'base64');
    case 'NULL':
      return null;
    case 'BS':
      return new Set((content as string[]).map((one) => Buffer.from(one, 'base64')));
    case 'SS':
      return new Set(content as string[]);
    case 'NS':
      return new Set((content as string[]).map(Number));
    case 'L':
      return (content as Record<string, unknown>[]).map(unmarshall);
    case 'M':
      return unmarshallItem(content as object);
    default:
      return content;
  }
}
