import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { customAlphabet } from 'nanoid';
import { constantTimeEqual } from '../platform/constant-time.ts';

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
  return constantTimeEqual(record.hash, keyHash(key)) ? keyState(record, now) : 'wrong';
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0');
}
