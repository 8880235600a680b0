import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, type TranslateConfig, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { RateLimiter } from '../../../lambda/access/rate-limiter.ts';
import { SharedCounter } from '../../../lambda/access/shared-counter.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';
import { testRows } from '../../support/rows.ts';
import { runs } from '../../support/soak.ts';

const WINDOW_SECONDS = 60;
const LIMIT = 10;
/** Of the shared counter. */
const COUNTED = 50;
const BATCH = 10;
/** Requests at the same time. */
const BURST = 20;

const database = await startMemoryDynamoDB('limits', 'caller');
let now = 1_000_000;
let callers = 0;
const newCaller = () => `address:${++callers}`;

describe('the limiter', () => {
  /** Returns a limiter with an empty cache, as of a new function instance. */
  const instance = () =>
    new RateLimiter({ db: database.db, table: database.table, clock: () => now }, { windowSeconds: WINDOW_SECONDS });

  it('allows exactly 10 of 100 concurrent requests over many instances', async () => {
    const instances = Array.from({ length: 8 }, instance);
    const quotas = await Promise.all(
      Array.from({ length: 100 }, (_, i) => instances[i % 8]?.count('address:192.0.2.1', LIMIT)),
    );
    expect(quotas.filter((quota) => quota?.allowed)).toHaveLength(LIMIT);
  });

  it('agrees with a model over random times, bursts and instances', async () => {
    const burst = fc.record({
      after: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 90_000 })),
      requests: fc.integer({ min: 1, max: 8 }),
      instance: fc.integer({ min: 0, max: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(burst, { minLength: 1, maxLength: 12 }), async (bursts) => {
        const caller = newCaller();
        const instances = [instance(), instance()];
        const model = { start: Number.NEGATIVE_INFINITY, count: 0 };
        now = 1_000_000;
        for (const { after, requests, instance: which } of bursts) {
          now += after;
          const quotas = await Promise.all(
            Array.from({ length: requests }, () => instances[which]?.count(caller, LIMIT)),
          );
          let allowed = 0;
          for (let i = 0; i < requests; i++) {
            if (now >= model.start + WINDOW_SECONDS * 1000) Object.assign(model, { start: now, count: 0 });
            if (++model.count <= LIMIT) allowed++;
          }
          expect(quotas.filter((quota) => quota?.allowed)).toHaveLength(allowed);
          expect(new Set(quotas.map((quota) => quota?.resetAt))).toEqual(new Set([model.start + 60_000]));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('writes once for a new caller and within a window, twice after a window that it did not see', async () => {
    const send = jest.spyOn(database.db, 'send');
    const costs = async (limiter: RateLimiter, after: number) => {
      now += after;
      send.mockClear();
      expect(await limiter.count('address:costs', LIMIT)).toMatchObject({ allowed: true });
      return send.mock.calls.length;
    };
    const one = instance();
    expect(await costs(one, 0)).toBe(1);
    expect(await costs(instance(), 59_999)).toBe(1);
    expect(await costs(instance(), 1)).toBe(2);
    expect(await costs(one, 60_000)).toBe(1);
    expect(await costs(one, 1)).toBe(1);
    // The instance knows a window that has ended; another one has opened the next.
    expect(await costs(instance(), 60_000)).toBe(2);
    expect(await costs(one, 1)).toBe(2);
    expect(await costs(one, 1)).toBe(1);
    send.mockRestore();
  });

  it('adds bytes to those of the UTC day, over windows and with no other write', async () => {
    const DAY = 86_400_000;
    const caller = 'address:bytes';
    const send = jest.spyOn(database.db, 'send');
    now = 100 * DAY + 1_000;
    const limiter = instance();
    const bytesOf = async (bytes: number) => (await limiter.count(caller, LIMIT, bytes)).bytesToday;
    expect([await bytesOf(10), await bytesOf(0), await bytesOf(5)]).toEqual([10, 10, 15]);
    expect(send).toHaveBeenCalledTimes(3);
    now += WINDOW_SECONDS * 1_000;
    expect([await bytesOf(1), await bytesOf(1)]).toEqual([16, 17]);
    expect(send).toHaveBeenCalledTimes(5);
    now = 101 * DAY;
    expect([await bytesOf(0), await bytesOf(7)]).toEqual([0, 7]);
    send.mockRestore();
    const get = new GetCommand({ TableName: database.table, Key: { caller } });
    const { Item = {} } = await database.db.send(get);
    expect(Object.keys(Item).filter((name) => name.startsWith('bytes#'))).toEqual(['bytes#1970-04-12']);
    // To the end of the day, at least.
    expect(Item.expiresAt * 1_000).toBeGreaterThanOrEqual(102 * DAY);
  });

  it('reads without counting', async () => {
    const limiter = instance();
    now = 5_000_000;
    expect(await limiter.read('address:peek', LIMIT)).toMatchObject({ remaining: 10, resetAt: 5_060_000 });
    await limiter.count('address:peek', LIMIT);
    now += 10_000;
    expect(await limiter.read('address:peek', LIMIT)).toMatchObject({ remaining: 9, resetAt: 5_060_000 });
    expect(await limiter.read('address:peek', LIMIT)).toMatchObject({ remaining: 9 });
    now += 50_000;
    expect(await limiter.read('address:peek', LIMIT)).toMatchObject({ remaining: 10 });
  });
});

describe('counting a request', () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }), {} as TranslateConfig);
  const send = jest.spyOn(client, 'send');
  const answer = (item: object) => send.mockResolvedValue({ Attributes: item } as never);
  const limiter = (now = 1_000) =>
    new RateLimiter({ db: client, table: 'limits', clock: () => now }, { windowSeconds: 60 });
  beforeEach(() => send.mockReset());

  testRows([
    [1, 1_000, { allowed: true, remaining: 9, secondsLeft: 60 }],
    [10, 1_001, { allowed: true, remaining: 0, secondsLeft: 60 }],
    [11, 60_999, { allowed: false, remaining: 0, secondsLeft: 1 }],
  ])('returns the rest of the window and of the limit', async (count, now, expected) => {
    answer({ start: 1_000, count });
    const quota = { ...expected, resetAt: 61_000, limit: 10, windowSeconds: 60 };
    expect(await limiter(now).count('address:a', LIMIT)).toMatchObject(quota);
  });

  it('costs no write for a caller that is known to be over its limit', async () => {
    answer({ start: 500, count: 11 });
    const one = limiter();
    for (let i = 0; i < 50; i++) expect(await one.count('address:flood', LIMIT)).toMatchObject({ allowed: false });
    expect(send.mock.calls).toEqual([[expect.any(UpdateCommand)]]);
  });
});

describe('the shared counter', () => {
  /** Returns a counter that has counted nothing, as of a new function instance. */
  const instance = () =>
    new SharedCounter(
      { db: database.db, table: database.table, clock: () => now },
      { name: 'reads', windowSeconds: 60, limit: COUNTED, batch: BATCH },
    );

  beforeEach(() => {
    now = 1_000_000;
  });

  const allowedOf = async (counter: SharedCounter, caller: string, requests: number) => {
    let allowed = 0;
    for (let i = 0; i < requests; i++) if ((await counter.count(caller)).allowed) allowed++;
    return allowed;
  };

  it('allows exactly the limit of one request after another', async () => {
    expect(await allowedOf(instance(), newCaller(), COUNTED + 30)).toBe(COUNTED);
  });

  it('writes nothing below a batch, and nothing more over the limit', async () => {
    const send = jest.spyOn(database.db, 'send');
    const [one, caller] = [instance(), newCaller()];
    await allowedOf(one, caller, BATCH - 1);
    expect(send).toHaveBeenCalledTimes(0);
    await allowedOf(one, caller, 1);
    // The first one in a window finds that there is none.
    expect(send).toHaveBeenCalledTimes(2);
    await allowedOf(one, caller, COUNTED);
    const atTheLimit = send.mock.calls.length;
    expect(atTheLimit).toBe(2 + COUNTED / BATCH - 1);
    await allowedOf(one, caller, 1_000);
    expect(send).toHaveBeenCalledTimes(atTheLimit);
    send.mockRestore();
  });

  it('allows at most a batch and a burst more per instance, in whatever order requests come', async () => {
    const instances = 4;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(instances - 1), fc.integer({ min: 1, max: BURST })), { maxLength: 30 }),
        async (bursts) => {
          const [counters, caller] = [Array.from({ length: instances }, instance), newCaller()];
          let sent = 0;
          let allowed = 0;
          for (const [which, requests] of bursts) {
            const counter = counters[which] as SharedCounter;
            const tallies = await Promise.all(Array.from({ length: requests }, () => counter.count(caller)));
            sent += requests;
            allowed += tallies.filter((tally) => tally.allowed).length;
          }
          expect(allowed).toBeLessThanOrEqual(COUNTED + (BATCH + BURST) * instances);
          expect(allowed).toBeGreaterThanOrEqual(Math.min(sent, COUNTED) - BATCH);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('learns from an item that others wrote', async () => {
    const [one, other, caller] = [instance(), instance(), newCaller()];
    await allowedOf(other, caller, COUNTED);
    expect(one.note(caller, undefined).total).toBe(0);
    const { Item } = await database.db.send(new GetCommand({ TableName: database.table, Key: { caller } }));
    expect(one.note(caller, Item)).toMatchObject({ total: COUNTED, allowed: true });
    expect(await one.count(caller)).toMatchObject({ allowed: false });
  });

  it('goes on counting while the table cannot be reached', async () => {
    const [one, caller] = [instance(), newCaller()];
    const send = jest.spyOn(database.db, 'send').mockRejectedValue(new Error('unreachable') as never);
    expect(await allowedOf(one, caller, COUNTED + 5)).toBe(COUNTED);
    send.mockRestore();
  });
});
