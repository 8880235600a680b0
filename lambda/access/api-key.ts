import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
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
  /** The id that the first key of a rotation had; absent for that key itself. */
  readonly owner?: string;
  /** Unix milliseconds, as every time here. */
  readonly createdAt: number;
  /** From then on the key is refused; absent for one that does not expire. */
  readonly expiresAt?: number;
  /** When another key took its place. */
  readonly rotatedAt?: number;
  /** The id of that key. */
  readonly successor?: string;
  readonly revokedAt?: number;
}

export type KeyState = 'valid' | 'revoked' | 'expired';

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

/** The record of a new key, and the key itself: whoever gets it must be told now. */
export function issueKey(
  attributes: Omit<ApiKey, 'id' | 'hash' | 'createdAt'>,
  now: number,
): { key: string; record: ApiKey } {
  const { id, key } = newKey();
  return { key, record: { ...attributes, id, hash: keyHash(key), createdAt: now } };
}

/**
 * A new key in place of `old`, which was not rotated yet: for the same owner, with the same rights, and for as long as
 * that was issued for. In place of a revoked one it is revoked as well.
 */
export function issueSuccessor(old: ApiKey, now: number): { key: string; record: ApiKey } {
  const { expiresAt, ...kept } = old;
  const expiry = expiresAt === undefined ? {} : { expiresAt: now + expiresAt - old.createdAt };
  return issueKey({ ...kept, owner: old.owner ?? old.id, ...expiry }, now);
}

/** The caller that a key stands for: what is counted, kept and owned under. All keys of a rotation are one caller. */
export function keyCaller({ id, owner = id }: Pick<ApiKey, 'id' | 'owner'>): string {
  return `key:${owner}`;
}

export function keyState({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'valid';
}

/**
 * What becomes of a request with `key`, when its id led to this record. Compared in constant time, and only who has
 * the whole key learns more than that it is wrong.
 */
export function verdictOn(record: ApiKey, key: string, now: number): KeyState | 'wrong' {
  const same = timingSafeEqual(Buffer.from(record.hash, 'hex'), Buffer.from(keyHash(key), 'hex'));
  return same ? keyState(record, now) : 'wrong';
}

/** The table of keys, by id. */
export class KeyStore {
  readonly #db: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(db: DynamoDBDocumentClient, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** As of now: what is kept of an older answer would outlive a revocation by more than it may. */
  async find(id: string): Promise<ApiKey | undefined> {
    const get = new GetCommand({ TableName: this.#table, Key: { id }, ConsistentRead: true });
    const { Item } = await this.#db.send(get);
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
    for await (const { Items } of paginateScan({ client: this.#db }, { TableName: this.#table }))
      keys.push(...((Items ?? []) as ApiKey[]));
    return keys;
  }

  /** Revokes for good; again is fine. @throws ConditionalCheckFailedException when there is no such key */
  revoke(id: string, now: number): Promise<void> {
    return this.#set(id, 'revokedAt = if_not_exists(revokedAt, :now)', { ':now': now });
  }

  /**
   * Lets `successor` take the place of `old`, which from then on expires at `end`, or when it would have anyway if that
   * is sooner. Repeat it when it fails, with a new successor.
   * @returns the old key as it is now; undefined when another rotation or a revocation was first
   */
  async replace(old: ApiKey, successor: ApiKey, end: number): Promise<ApiKey | undefined> {
    // In this order a failure in between leaves the owner with a key that works, beside one whose secret nobody has.
    await this.add(successor);
    await this.#noteSuccessor(old, successor, end);
    // The note says whose it is: it may be ours and yet refused, when its first answer was lost and it was sent again.
    const current = await this.find(old.id);
    if (current?.successor === successor.id) return current;
    await this.#db.send(new DeleteCommand({ TableName: this.#table, Key: { id: successor.id } }));
    return undefined;
  }

  /** One conditional write decides between rotations at once, and between a rotation and a revocation. */
  async #noteSuccessor(old: ApiKey, { id, createdAt }: ApiKey, end: number): Promise<void> {
    try {
      await this.#set(
        old.id,
        'successor = :successor, rotatedAt = :now, expiresAt = :end',
        { ':successor': id, ':now': createdAt, ':end': Math.min(end, old.expiresAt ?? end) },
        'attribute_not_exists(rotatedAt) AND attribute_not_exists(revokedAt)',
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async #set(
    id: string,
    assignments: string,
    values: Record<string, string | number>,
    ...conditions: string[]
  ): Promise<void> {
    await this.#db.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: { id },
        UpdateExpression: `SET ${assignments}`,
        ConditionExpression: ['attribute_exists(id)', ...conditions].join(' AND '),
        ExpressionAttributeValues: values,
      }),
    );
  }
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
