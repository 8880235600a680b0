import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Account, Index, Principal, Table } from './account.ts';
import type { AwsReply, AwsRequest } from './aws-http.ts';
import type { PutMetric } from './cloudwatch/metrics.ts';
import {
  createTable,
  dynalite,
  OPERATIONS,
  type Operation,
  type Parameters,
  type Result,
  type Store,
} from './dynalite.ts';
import { Indexes } from './dynamodb-indexes.ts';
import { Journal } from './dynamodb-journal.ts';
import { Metering } from './dynamodb-metering.ts';
import { RESTORE_PARAMETERS, Restores } from './dynamodb-restore.ts';
import { AccessDenied, authorize } from './iam.ts';
import type { AwsService, SignatureFailure, Verification } from './sigv4.ts';

export const TARGET_PREFIX = 'DynamoDB_20120810.';

/** Not an operation of dynalite. */
const RESTORE = 'RestoreTableToPointInTime';

/** An error of the DynamoDB API, with the body of its JSON protocol. */
class DynamoDbError extends Error {
  override readonly name = 'DynamoDbError';
  readonly statusCode: number;
  readonly body: object;

  constructor(type: string, message: string, statusCode = 400, more: object = {}) {
    super(message);
    this.statusCode = statusCode;
    this.body = { __type: type, message, ...more };
  }
}

const CORAL = 'com.amazon.coral.service#';
const MODEL = 'com.amazonaws.dynamodb.v20120810#';

/** DynamoDB's quota for an expression string, which dynalite does not enforce. */
const MAX_EXPRESSION_BYTES = 4_096;

const SIGNATURE_ERRORS: Readonly<Partial<Record<SignatureFailure, string>>> = {
  MissingAuthenticationToken: 'MissingAuthenticationTokenException',
  IncompleteSignature: 'IncompleteSignatureException',
  InvalidAccessKeyId: 'UnrecognizedClientException',
};

/** The condition key with the partition keys that a call accesses. */
const LEADING_KEYS = 'dynamodb:LeadingKeys';

/** Fails every condition on the partition keys of a call whose keys the local cloud does not read. */
const NO_LEADING_KEY = '';

/** Delays, by default as on AWS, and what receives the metrics. */
export interface DynamoDbSettings {
  /** The lag of indexes behind their tables. */
  readonly indexLagMs?: number | undefined;
  /** The time between the latest restorable time of a table and now. */
  readonly restoreLagMs?: number | undefined;
  readonly putMetric?: PutMetric | undefined;
  /** Returns the milliseconds by which maxima are enforced. */
  readonly clock?: (() => number) | undefined;
}

/** DynamoDB with the tables of one account, stored on disk. */
export class DynamoDb implements AwsService {
  readonly signingName = 'dynamodb';
  readonly maxBodyBytes = 16 * 1024 * 1024;
  readonly bodyTooLarge = reply(413, { __type: `${CORAL}RequestEntityTooLargeException` });
  readonly #account: Account;
  readonly #store: Store;
  readonly #indexes: Indexes;
  readonly #restores: Restores;
  readonly #metering: Metering;

  private constructor(account: Account, store: Store, indexes: Indexes, restores: Restores, metering: Metering) {
    this.#account = account;
    this.#store = store;
    this.#indexes = indexes;
    this.#restores = restores;
    this.#metering = metering;
  }

  /** Opens the database and creates missing tables, and all indexes. @throws Error when another process has it open */
  static async open(
    account: Account,
    path: string,
    { indexLagMs, restoreLagMs, putMetric, clock }: DynamoDbSettings = {},
  ): Promise<DynamoDb> {
    const store = dynalite.create({ path, createTableMs: 0, deleteTableMs: 0 });
    store.tableDb.awsAccountId = account.accountId;
    store.tableDb.awsRegion = account.region;
    await store.db.open().catch((error: Error) => {
      throw new Error(`Cannot open ${path}: stop the backend that uses this state, or set STATE_DIR`, {
        cause: error,
      });
    });
    const journal = new Journal(join(path, '..', 'dynamodb-journal'), account.tables);
    const indexes = new Indexes(store, (...write) => journal.record(...write), indexLagMs);
    const errorOf = (type: string, message: string, more?: object) =>
      new DynamoDbError(`${MODEL}${type}`, message, 400, more);
    const restores = new Restores(store, journal, errorOf, restoreLagMs);
    const metering = new Metering(account, errorOf, putMetric, clock);
    const database = new DynamoDb(account, store, indexes, restores, metering);
    await database.#createTables().catch(async (error: Error) => {
      await database.close();
      throw error;
    });
    return database;
  }

  /** Returns the reply to a request, which may be an error of the DynamoDB API. */
  async handle(request: AwsRequest, verification: Verification): Promise<AwsReply> {
    try {
      if ('failure' in verification) {
        const type = SIGNATURE_ERRORS[verification.failure] ?? 'InvalidSignatureException';
        throw new DynamoDbError(`${CORAL}${type}`, verification.message);
      }
      const name = (request.headers['x-amz-target'] ?? '').slice(TARGET_PREFIX.length);
      return reply(200, await this.#call(name, request.body, verification.principal));
    } catch (error) {
      const { statusCode, body } = asApiError(error);
      return reply(statusCode, body);
    }
  }

  async close(): Promise<void> {
    this.#indexes.close();
    await this.#restores.close();
    await this.#store.lifecycleManager.gracefulClose();
  }

  async #call(name: string, body: Buffer, principal: Principal): Promise<Result> {
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (!operation && name !== RESTORE) {
      throw new DynamoDbError(`${CORAL}UnknownOperationException`, `${name} is not supported locally`);
    }
    const parameters = parse(body);
    const context = this.#context(name, parameters);
    for (const resource of this.#resources(parameters)) {
      authorize({ principal, action: `dynamodb:${name}`, resource, context });
    }
    const known = operation?.types ?? RESTORE_PARAMETERS;
    const unknown = Object.keys(parameters).filter((parameter) => !Object.hasOwn(known, parameter));
    if (unknown.length > 0) {
      // dynalite would silently ignore them.
      const message = `The local cloud does not support ${unknown.join(', ')} of DynamoDB ${name}`;
      throw new DynamoDbError('com.amazon.coral.validate#ValidationException', message);
    }
    if (!operation) return this.#restores.start(parameters);
    for (const [parameter, value] of Object.entries(parameters)) {
      if (!parameter.endsWith('Expression') || String(value).length <= MAX_EXPRESSION_BYTES) continue;
      const message = `Invalid ${parameter}: Expression size has exceeded the maximum allowed size`;
      throw new DynamoDbError('com.amazon.coral.validate#ValidationException', message);
    }
    return 'ReturnConsumedCapacity' in operation.types
      ? this.#metering.run(name, parameters, {
          check: (asked) => this.#checked(operation, asked),
          run: (checked) => this.#run(operation, checked),
        })
      : this.#run(operation, this.#checked(operation, parameters));
  }

  /** Returns the ARNs of the tables or the index that a call accesses. */
  #resources({ TableName, SourceTableName, IndexName, RequestItems }: Parameters): string[] {
    const { region, accountId } = this.#account;
    const tables = RequestItems instanceof Object ? Object.keys(RequestItems) : [TableName ?? SourceTableName ?? '*'];
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return tables.map((table) => `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index}`);
  }

  /**
   * Returns the condition keys of a call for one item. Locally, policies for other calls cannot use them.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  #context(name: string, { TableName, Key, Item }: Parameters): Record<string, string[]> {
    if (!/^(Get|Put|Update|Delete)Item$/.test(name)) return { [LEADING_KEYS]: [NO_LEADING_KEY] };
    const table = this.#account.tables.find((one) => one.name === TableName);
    const hash = table?.keySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
    const key = ((Key ?? Item) as Record<string, Record<string, string>> | undefined)?.[hash] ?? {};
    return { [LEADING_KEYS]: Object.values(key) };
  }

  /** Returns the parameters of an operation as it expects them. */
  #checked({ types, custom }: Operation, parameters: Parameters): Parameters {
    const checked = dynalite.checkTypes(parameters, types);
    dynalite.checkValidations(checked, types, custom, this.#store);
    return checked;
  }

  #run({ run }: Operation, checked: Parameters): Promise<Result> {
    return new Promise((resolve, reject) => {
      run(this.#store, checked, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  async #createTables(): Promise<void> {
    for (const table of this.#account.tables) {
      await this.#createTable(table);
      await this.#indexes.create(table);
    }
    await this.#deleteUnfinished();
  }

  /** Deletes tables whose restore was interrupted by the end of the process. */
  async #deleteUnfinished(): Promise<void> {
    const { tableDb } = this.#store;
    const { TableNames } = await this.#run(OPERATIONS.ListTables as Operation, {});
    for (const name of TableNames as string[])
      if ((await promisify(tableDb.get)(name))?.TableStatus === 'CREATING') await promisify(tableDb.del)(name);
  }

  async #createTable({ name, keySchema, attributes, localIndexes = [] }: Table): Promise<void> {
    const { tableDb } = this.#store;
    const stored = promisify(tableDb.get);
    const table = await stored(name);
    if (table?.TableStatus === 'ACTIVE') {
      const isSame =
        isDeepStrictEqual(table.KeySchema, keySchema) &&
        isDeepStrictEqual(definitions(table.LocalSecondaryIndexes), definitions(localIndexes));
      if (isSame) return;
      throw new Error(
        `Table ${name} exists with other keys or local indexes than in the template: delete it with npm start -- --fresh`,
      );
    }
    // A process that was killed while it created the table left it empty, with the status CREATING.
    if (table) await promisify(tableDb.del)(name);
    const schemas = [keySchema, ...localIndexes.map(({ KeySchema }) => KeySchema)];
    const keys = schemas.flat().map(({ AttributeName }) => AttributeName);
    await this.#run(createTable, {
      TableName: name,
      KeySchema: keySchema,
      AttributeDefinitions: attributes.filter(({ AttributeName }) => keys.includes(AttributeName)),
      ...(localIndexes.length > 0 && { LocalSecondaryIndexes: definitions(localIndexes) }),
      BillingMode: 'PAY_PER_REQUEST',
    });
    while ((await stored(name))?.TableStatus !== 'ACTIVE') await sleep(5);
  }
}

/** Returns what indexes consist of, without what dynalite adds. */
const definitions = (indexes: readonly Index[] = []): Index[] =>
  indexes.map(({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }));

function parse(body: Buffer): Parameters {
  let parameters: unknown;
  try {
    parameters = JSON.parse(body.toString());
  } catch {
    // Handled below, like JSON that is not an object.
  }
  if (parameters instanceof Object) return parameters as Parameters;
  throw new DynamoDbError(`${CORAL}SerializationException`, 'The body is not a JSON object');
}

function asApiError(error: unknown): { statusCode: number; body: object } {
  if (error instanceof AccessDenied) return new DynamoDbError(`${CORAL}AccessDeniedException`, error.message);
  // dynalite's errors have the same members.
  if (error instanceof Error && 'statusCode' in error && 'body' in error) return error as DynamoDbError;
  console.error(error);
  return new DynamoDbError(`${MODEL}InternalServerError`, 'Internal server error', 500);
}

function reply(status: number, value: object): AwsReply {
  const body = JSON.stringify(value);
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amzn-requestid': randomUUID(),
    'x-amz-crc32': String(crc32(body)),
  };
  return { status, headers, body };
}
