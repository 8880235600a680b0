import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { customAlphabet } from 'nanoid';

/** The key's record; the secret itself is stored nowhere. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Requests per window; absent for the stage's default. */
  readonly limit?: number;
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly revokedAt?: number;
}

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^ptp_([0-9A-Za-z]{12})_([0-9a-f]{48})_([0-9a-f]{8})$/;
const newKeyId = customAlphabet(ALPHANUMERIC, 12);

/** A new key, `ptp_<id>_<secret>_<checksum>`, with a secret of 192 bits. */
export function newKey(): { id: string; key: string } {
  const id = newKeyId();
  const body = `ptp_${id}_${randomBytes(24).toString('hex')}`;
  return { id, key: `${body}_${checksum(body)}` };
}

/** The id in a key whose form and checksum are right; undefined for a typo, found without a look-up. */
export function keyId(key: string): string | undefined {
  const id = FORM.exec(key)?.[1];
  return id !== undefined && key.endsWith(`_${checksum(key.slice(0, key.lastIndexOf('_')))}`)
    ? id
    : undefined;
}

/** What is stored of a key. A random secret of 192 bits needs no slow hash. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Whether `key` is the one of this record and still valid; compared in constant time. */
export function isValid(record: ApiKey, key: string): boolean {
  const same = timingSafeEqual(Buffer.from(record.hash, 'hex'), Buffer.from(keyHash(key), 'hex'));
  return same && record.revokedAt === undefined;
}

/** The table of keys, by id. */
export class KeyStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  async find(id: string): Promise<ApiKey | undefined> {
    const { Item } = await this.#db.send(new GetCommand({ TableName: this.#table, Key: { id } }));
    return Item as ApiKey | undefined;
  }

  async add(key: ApiKey): Promise<void> {
    await this.#db.send(
      new PutCommand({ TableName: this.#table, Item: key, ConditionExpression: 'attribute_not_exists(id)' }),
    );
  }

  /** Every key; for the operator's command, never for a request. */
  async list(): Promise<ApiKey[]> {
    const keys: ApiKey[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await this.#db.send(
        new ScanCommand({ TableName: this.#table, ...(start ? { ExclusiveStartKey: start } : {}) }),
      );
      keys.push(...((page.Items ?? []) as ApiKey[]));
      start = page.LastEvaluatedKey;
    } while (start);
    return keys;
  }

  /** @throws ConditionalCheckFailedException when there is no such key */
  async revoke(id: string, now: number): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: 'SET revokedAt = :now',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  }
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
