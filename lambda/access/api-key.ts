import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { customAlphabet } from 'nanoid';
import { constantTimeEqual } from '../platform/constant-time.ts';
import type { Budget } from './budgets.ts';

/** The stored record of a key; the secret itself is not stored. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Requests per window. Default: the stage's. */
  readonly limit?: number;
  /** The budget of its generations in a UTC day. Default: the stage's. */
  readonly budget?: Budget;
  /** Hexadecimal SHA-256 of the whole key. */
  readonly hash: string;
  /** Id of the first key of a chain of rotations; absent in that key itself. */
  readonly owner?: string;
  /** Unix milliseconds, as all times here. */
  readonly createdAt: number;
  /** When the key expires, if it does. */
  readonly expiresAt?: number;
  /** When a successor replaced the key. */
  readonly rotatedAt?: number;
  /** Id of the successor. */
  readonly successor?: string;
  readonly revokedAt?: number;
}

type KeyState = 'valid' | 'revoked' | 'expired';

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^ptp_([0-9A-Za-z]{12})_([0-9a-f]{48})_([0-9a-f]{8})$/;
const newKeyId = customAlphabet(ALPHANUMERIC, 12);

/** Creates a key `ptp_<id>_<secret>_<checksum>` with a secret of 192 bits. */
export function newKey(id = newKeyId()): { id: string; key: string } {
  const body = `ptp_${id}_${randomBytes(24).toString('hex')}`;
  return { id, key: `${body}_${checksum(body)}` };
}

/** Returns the id of a well-formed key; undefined if form or checksum is wrong, which needs no look-up. */
export function keyId(key: string): string | undefined {
  const id = FORM.exec(key)?.[1];
  return id !== undefined && key.endsWith(`_${checksum(key.slice(0, key.lastIndexOf('_')))}`) ? id : undefined;
}

/** Returns the hash to store. A random secret of 192 bits does not need a slow hash. */
export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Creates a key and its record. The key cannot be recovered from the record.
 * @param chosen a fixed id; by default, a new one
 */
export function issueKey(
  attributes: Omit<ApiKey, 'id' | 'hash' | 'createdAt'>,
  now: number,
  chosen?: string,
): { key: string; record: ApiKey } {
  const { id, key } = newKey(chosen);
  return { key, record: { ...attributes, id, hash: keyHash(key), createdAt: now } };
}

/**
 * Creates the successor of `old`, with the same owner, rights and lifetime. The successor of a revoked key is revoked.
 */
export function issueSuccessor(old: ApiKey, now: number): { key: string; record: ApiKey } {
  const { expiresAt, ...kept } = old;
  const expiry = expiresAt === undefined ? {} : { expiresAt: now + expiresAt - old.createdAt };
  return issueKey({ ...kept, owner: old.owner ?? old.id, ...expiry }, now);
}

/** Returns the caller id of a key; the same for all keys of a chain of rotations. */
export function keyCaller({ id, owner = id }: Pick<ApiKey, 'id' | 'owner'>): string {
  return `key:${owner}`;
}

export function keyState({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'valid';
}

/**
 * Compares `key` with the record of its id, in constant time. Only a caller with the whole key learns the key's state.
 */
export function verdictOn(record: ApiKey, key: string, now: number): KeyState | 'wrong' {
  return constantTimeEqual(record.hash, keyHash(key)) ? keyState(record, now) : 'wrong';
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
