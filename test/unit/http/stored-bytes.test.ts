import { gzipSync } from 'node:zlib';
import { RateLimiter } from '../../../lambda/access/rate-limiter.ts';
import { StageState } from '../../../lambda/access/stage-state.ts';
import { announcedBytes, countStored } from '../../../lambda/http/stored-bytes.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const dynamoDB = await startMemoryDynamoDB('windows', 'caller');

const NOW = Date.parse('2026-11-28T12:00:00Z');
const KEY = { id: 'key:a', limit: 10, credential: { kind: 'key', scopes: [] } } as const;
const address = (name: string) => ({ id: `address:${name}`, limit: 10 });

function instance(bytesPerDay = { anonymous: 1_000, anonymousTogether: 5_000, key: 2_000 }) {
  const clock = () => NOW;
  const counting = { db: dynamoDB.db, table: dynamoDB.table, clock };
  const limiter = new RateLimiter(counting, { windowSeconds: 60 });
  const closures = new StageState(dynamoDB.db, dynamoDB.table, clock);
  return { limiter, count: countStored({ limiter, bytesPerDay, counting, closures, clock }), closures };
}

it('counts what is stored beyond the body that announced it, and refuses more than the bytes of a day', async () => {
  const { count, limiter } = instance();
  const caller = address('hashes');
  await limiter.count(caller.id, 10, 100);
  const stored = (bytes: number) => count(caller, { announced: 100, sent: 100, stored: bytes });
  await stored(80);
  await stored(700);
  expect((await limiter.count(caller.id, 10, 0)).bytesToday).toBe(700);
  await expect(stored(401)).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('1,000 bytes in a day'),
  });
  await count(KEY, { announced: 0, sent: 0, stored: 2_000 });
  await expect(count(KEY, { announced: 0, sent: 0, stored: 1 })).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

it('closes the deploys of all addresses after the bytes that were stored or sent, whatever was announced', async () => {
  const { count, closures } = instance();
  const isClosed = async () => (await closures.closedUntil('bytes/anonymous')) !== undefined;
  await closures.open('bytes/anonymous');
  for (const name of ['a', 'b', 'c']) await count(address(name), { announced: 1_000_000, sent: 10, stored: 20 });
  expect(await isClosed()).toBe(false);
  for (const name of ['d', 'e', 'f']) await count(address(name), { announced: 900, sent: 900, stored: 10 });
  expect(await isClosed()).toBe(false);
  for (const name of ['g', 'h', 'i']) await count(address(name), { announced: 900, sent: 10, stored: 900 });
  expect(await isClosed()).toBe(true);
  await expect(count(address('j'), { announced: 0, sent: 0, stored: 1 })).rejects.toThrow(
    /all callers without an API key/,
  );
});

it('announces the length of a decompressed body, and at most a deployment', () => {
  const announced = (body: Buffer) => announcedBytes({ rawBody: () => body });
  expect(announced(Buffer.alloc(5))).toBe(5);
  expect(announced(gzipSync(Buffer.alloc(5_000)))).toBe(5_000);
  expect(announced(gzipSync(Buffer.alloc(20_000_000)))).toBe(10_485_760);
});
