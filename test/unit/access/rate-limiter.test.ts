import { DynamoDBClient, ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  type TranslateConfig,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { quotaOf, RateLimiter } from '../../../lambda/access/rate-limiter.ts';
import { startDynamoDB } from '../../support/dynamodb.ts';
import { testRows } from '../../support/rows.ts';
import { runs } from '../../support/soak.ts';

const WINDOW_SECONDS = 60;
const LIMIT = 10;

describe('quotaOf', () => {
  const quota = (count: number, now: number) =>
    quotaOf({ start: 1_000_000, count }, LIMIT, WINDOW_SECONDS, now);

  testRows([
    [1, 1_000_000, { allowed: true, remaining: 9, secondsLeft: 60 }],
    [10, 1_000_001, { allowed: true, remaining: 0, secondsLeft: 60 }],
    [11, 1_059_000, { allowed: false, remaining: 0, secondsLeft: 1 }],
    [11, 1_059_999, { allowed: false, remaining: 0, secondsLeft: 1 }],
    [500, 1_030_500, { allowed: false, remaining: 0, secondsLeft: 30 }],
  ])('computes the rest of the window and of the limit', (count, now, expected) => {
    expect(quota(count, now)).toMatchObject({
      ...expected,
      resetAt: 1_060_000,
      limit: 10,
      windowSeconds: 60,
    });
  });

  it('ends the window within secondsLeft', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), (elapsed) => {
        const { secondsLeft, resetAt } = quota(11, 1_000_000 + elapsed);
        expect(1_000_000 + elapsed + secondsLeft * 1000).toBeGreaterThanOrEqual(resetAt);
      }),
    );
  });
});

describe('the limiter', () => {
  let database: Awaited<ReturnType<typeof startDynamoDB>>;
  let now = 0;
  let callers = 0;
  /** Returns a limiter with an empty cache, as of a new function instance. */
  const instance = () =>
    new RateLimiter({
      db: database.db,
      table: database.table,
      clock: () => now,
      windowSeconds: WINDOW_SECONDS,
    });

  beforeAll(async () => {
    database = await startDynamoDB('limits', 'caller');
  });
  afterAll(() => database.close());

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
        const caller = `address:${++callers}`;
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
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region: 'us-east-1' }),
    {} as TranslateConfig,
  );
  const mock = mockClient(client);
  const limiter = () =>
    new RateLimiter({ db: client, table: 'limits', clock: () => 1_000, windowSeconds: 60 });
  beforeEach(() => mock.reset());

  it('costs one write in an open window', async () => {
    mock.on(UpdateCommand).resolves({ Attributes: { start: 500, count: 3 } });
    expect(await limiter().count('address:a', LIMIT)).toMatchObject({ remaining: 7 });
    expect(mock.calls()).toHaveLength(1);
  });

  it('costs no write for a caller that is known to be over its limit', async () => {
    mock.on(UpdateCommand).resolves({ Attributes: { start: 500, count: 11 } });
    const one = limiter();
    for (let i = 0; i < 50; i++)
      expect(await one.count('address:flood', LIMIT)).toMatchObject({ allowed: false });
    expect(mock.calls()).toHaveLength(1);
  });

  it('fails with errors of DynamoDB', async () => {
    mock
      .on(UpdateCommand)
      .rejects(new ProvisionedThroughputExceededException({ message: 'slow down', $metadata: {} }));
    await expect(limiter().count('address:a', LIMIT)).rejects.toThrow('slow down');
  });
});
