import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ApiKey,
  issueKey,
  issueSuccessor,
  keyCaller,
  keyId,
  keyState,
  newKey,
  verdictOn,
} from '../../../lambda/access/api-key.ts';
import { KeyStore } from '../../../lambda/access/key-store.ts';
import { intercept, startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 21);

describe('the form of a key', () => {
  it('is ptp_<id>_<secret>_<checksum>', () => {
    const { id, key } = newKey();
    expect(key).toMatch(/^ptp_[0-9A-Za-z]{12}_[0-9a-f]{48}_[0-9a-f]{8}$/);
    expect(keyId(key)).toBe(id);
  });

  it('reveals every typo without a look-up', () => {
    const { key } = newKey();
    for (let i = 0; i < key.length; i++) {
      const typo = `${key.slice(0, i)}${key[i] === 'a' ? 'b' : 'a'}${key.slice(i + 1)}`;
      expect(keyId(typo)).toBeUndefined();
    }
    for (const text of ['', 'ptp_', ` ${key}`, `${key}\n`, key.slice(0, -1), key.toUpperCase()])
      expect(keyId(text)).toBeUndefined();
  });
});

describe('a key', () => {
  const { key, record } = issueKey({ name: 'me', scopes: [], expiresAt: NOW + DAY }, NOW);

  it('is stored only as a hash', () => {
    const [, , secret = '', checksum = ''] = key.split('_');
    expect(JSON.stringify(record)).not.toContain(secret);
    expect(JSON.stringify(record)).not.toContain(checksum);
  });

  it('does not reveal its state to a caller without the secret', () => {
    const guess = newKey().key;
    for (const change of [{}, { revokedAt: NOW }, { expiresAt: NOW - 1 }])
      expect(verdictOn({ ...record, ...change }, guess, NOW)).toBe('wrong');
  });
});

describe('the successor of a key', () => {
  const old: ApiKey = issueKey(
    { name: 'me', scopes: ['assets:write'], limit: 7, expiresAt: NOW + 90 * DAY },
    NOW,
  ).record;
  const later = NOW + 80 * DAY;

  it('has its rights and lifetime', () => {
    const { key, record } = issueSuccessor(old, later);
    expect(record).toEqual({
      id: keyId(key),
      name: 'me',
      scopes: ['assets:write'],
      limit: 7,
      owner: old.id,
      hash: expect.not.stringContaining(old.hash),
      createdAt: later,
      expiresAt: later + 90 * DAY,
    });
    expect(verdictOn(record, key, later)).toBe('valid');
  });

  it('is revoked if the key is', () => {
    const { record } = issueSuccessor({ ...old, revokedAt: NOW }, later);
    expect(keyState(record, later)).toBe('revoked');
  });

  it('is the same caller after any number of rotations', () => {
    const second = issueSuccessor(old, later).record;
    const third = issueSuccessor(second, later).record;
    expect([old, second, third].map(keyCaller)).toEqual(Array(3).fill(`key:${old.id}`));
    expect(keyCaller(issueSuccessor(newRecord(), later).record)).not.toBe(keyCaller(old));
  });
});

const database = await startMemoryDynamoDB('keys', 'id');
const store = new KeyStore(database.db, database.table);

describe('the table of keys', () => {
  const added = async (attributes: Partial<ApiKey> = {}) => {
    const record = newRecord(attributes);
    await store.add(record);
    return record;
  };

  it('never overwrites a key', async () => {
    const record = await added();
    expect(await store.find(record.id)).toEqual(record);
    expect(await store.find('nobody')).toBeUndefined();
    await expect(store.add({ ...record, name: 'thief' })).rejects.toThrow();
    expect(await store.find(record.id)).toEqual(record);
  });

  it('revokes a key permanently', async () => {
    const { id } = await added();
    await store.revoke(id, NOW + 1);
    await store.revoke(id, NOW + 2);
    expect(await store.find(id)).toMatchObject({ revokedAt: NOW + 1 });
    await expect(store.revoke('nobody', NOW)).rejects.toThrow('conditional');
    expect(await store.find('nobody')).toBeUndefined();
  });

  it.each([
    ['at the end of the grace period', {}, NOW + DAY],
    ['at its own expiry if that is earlier', { expiresAt: NOW + 1 }, NOW + 1],
  ])('lets a replaced key expire %s', async (_, attributes, end) => {
    const old = await added(attributes);
    const { record } = issueSuccessor(old, NOW);
    const replaced = await store.replace(old, record, NOW + DAY);
    expect(replaced).toEqual({ ...old, successor: record.id, rotatedAt: NOW, expiresAt: end });
    expect(await store.find(old.id)).toEqual(replaced);
    expect(await store.find(record.id)).toEqual(record);
  });

  it.each([
    ['revoked', { revokedAt: NOW }],
    ['rotated', { rotatedAt: NOW, expiresAt: NOW + 2 * DAY }],
  ])('does not replace a key that was %s after it was read', async (_, change) => {
    const read = newRecord();
    await store.add({ ...read, ...change });
    const { record } = issueSuccessor(read, NOW);
    expect(await store.replace(read, record, NOW + DAY)).toBeUndefined();
    expect(await store.find(read.id)).toEqual({ ...read, ...change });
    expect(await store.find(record.id)).toBeUndefined();
  });

  it('recognizes its own write if it is repeated, because its response was lost', async () => {
    const { db, table } = await startMemoryDynamoDB('keys', 'id');
    const old = newRecord();
    const repeating = new KeyStore(db, table);
    await repeating.add(old);
    intercept(db, async (call, command) => {
      if (command instanceof UpdateCommand) await call();
      return call();
    });
    const { record } = issueSuccessor(old, NOW);
    expect(await repeating.replace(old, record, NOW + DAY)).toMatchObject({ successor: record.id });
    expect(await repeating.find(record.id)).toEqual(record);
  });

  it('lists the keys of all pages', async () => {
    const name = 'x'.repeat(200_000);
    const big = await Promise.all(Array.from({ length: 6 }, () => added({ name })));
    const listed = new Set((await store.list()).map(({ id }) => id));
    expect(big.every(({ id }) => listed.has(id))).toBe(true);
  });
});

function newRecord(attributes: Partial<ApiKey> = {}): ApiKey {
  return issueKey({ name: 'me', scopes: [], ...attributes }, NOW).record;
}
