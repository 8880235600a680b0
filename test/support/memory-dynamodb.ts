import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { CreateTableCommand, type CreateTableCommandInput, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../../lambda/platform/aws.ts';
import { OWNER_INDEX } from '../../lambda/platform/env.ts';

const require = createRequire(import.meta.url);
const database = require('dynalite/db') as { create(options: { createTableMs: number }): unknown };
const validations = require('dynalite/validations') as {
  checkTypes(data: unknown, types: unknown): Record<string, unknown>;
  checkValidations(data: unknown, attributes: unknown, custom: unknown, store: unknown): void;
  toLowerFirst(name: string): string;
};

type Action = (store: unknown, data: unknown, done: (error: unknown, output?: object) => void) => void;

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
  const db = clientOf(database.create({ createTableMs: 0 }));
  const keys = range === undefined ? [hash] : [hash, range];
  const definition = {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: [...keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })), ...attributes],
    ...indexes,
  } as CreateTableCommandInput;
  await db.send(new CreateTableCommand(definition));
  // A table is created in the next turn of the event loop.
  const status = async () => (await db.send(new DescribeTableCommand({ TableName: table }))).Table?.TableStatus;
  while ((await status()) !== 'ACTIVE') await setImmediate();
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

/** Returns a client whose requests a store performs. */
function clientOf(store: unknown): DynamoDBDocumentClient {
  const handle = async ({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) => {
    const action = validations.toLowerFirst(headers['x-amz-target']?.split('.')[1] ?? '');
    const { statusCode = 200, body: answer } = await perform(store, action, new TextDecoder().decode(body));
    return { response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(answer)) } };
  };
  return documentClient({
    endpoint: 'http://memory',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    signer: { sign: async (request: unknown) => request },
    maxAttempts: 1,
    requestHandler: { handle },
  } as never);
}

interface Answer {
  /** Of an error. */
  readonly statusCode?: number;
  readonly body: unknown;
}

async function perform(store: unknown, action: string, input: string): Promise<Answer> {
  const { types, validations: attributes, custom } = require(`dynalite/validations/${action}`);
  try {
    const data = validations.checkTypes(JSON.parse(input), types);
    validations.checkValidations(data, attributes, custom, store);
    const run = require(`dynalite/actions/${action}`) as Action;
    const { promise, resolve, reject } = Promise.withResolvers<object | undefined>();
    run(store, data, (error, output) => (error ? reject(error) : resolve(output)));
    return { body: (await promise) ?? {} };
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'body' in error) return error as Answer;
    throw error;
  }
}
