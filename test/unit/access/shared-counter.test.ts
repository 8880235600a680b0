import { GetCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { SharedCounter } from '../../../lambda/access/shared-counter.ts';
import { startDynamoDB } from '../../support/dynamodb.ts';
import { runs } from '../../support/soak.ts';

const LIMIT = 50;
const BATCH = 10;
/** Requests at the same time. */
const BURST = 20;

describe('the shared counter', () => {
  let database: Awaited<ReturnType<typeof startDynamoDB>>;
  let now = 1_000_000;
  let callers = 0;
  const newCaller = () => `address:${++callers}`;
  /** Returns a counter that has counted nothing, as of a new function instance. */
  const instance = () =>
    new SharedCounter(
      { db: database.db, table: database.table, clock: () => now },
      { name: 'reads', windowSeconds: 60, limit: LIMIT, batch: BATCH },
    );

  beforeAll(async () => {
    database = await startDynamoDB('limits', 'caller');
  });
  afterAll(() => database.close());

  const allowedOf = async (counter: SharedCounter, caller: string, requests: number) => {
    let allowed = 0;
    for (let i = 0; i < requests; i++) if ((await counter.count(caller)).allowed) allowed++;
    return allowed;
  };

  it('allows exactly the limit of one request after another', async () => {
    expect(await allowedOf(instance(), newCaller(), LIMIT + 30)).toBe(LIMIT);
  });

  it('writes nothing below a batch, and nothing more over the limit', async () => {
    const send = jest.spyOn(database.db, 'send');
    const [one, caller] = [instance(), newCaller()];
    await allowedOf(one, caller, BATCH - 1);
    expect(send).toHaveBeenCalledTimes(0);
    await allowedOf(one, caller, 1);
    // The first one in a window finds that there is none.
    expect(send).toHaveBeenCalledTimes(2);
    await allowedOf(one, caller, LIMIT);
    const atTheLimit = send.mock.calls.length;
    expect(atTheLimit).toBe(2 + LIMIT / BATCH - 1);
    await allowedOf(one, caller, 1_000);
    expect(send).toHaveBeenCalledTimes(atTheLimit);
    send.mockRestore();
  });

  it('starts again with the next window', async () => {
    const [one, caller] = [instance(), newCaller()];
    expect(await allowedOf(one, caller, LIMIT + 1)).toBe(LIMIT);
    now += 60_000;
    expect(await allowedOf(one, caller, LIMIT + 1)).toBe(LIMIT);
    expect(await allowedOf(instance(), caller, BATCH * 2)).toBe(BATCH - 1);
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
          expect(allowed).toBeLessThanOrEqual(LIMIT + (BATCH + BURST) * instances);
          expect(allowed).toBeGreaterThanOrEqual(Math.min(sent, LIMIT) - BATCH);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('learns from an item that others wrote', async () => {
    const [one, other, caller] = [instance(), instance(), newCaller()];
    await allowedOf(other, caller, LIMIT);
    expect(one.note(caller, undefined).total).toBe(0);
    const { Item } = await database.db.send(new GetCommand({ TableName: database.table, Key: { caller } }));
    expect(one.note(caller, Item)).toMatchObject({ total: LIMIT, allowed: true });
    expect(await one.count(caller)).toMatchObject({ allowed: false });
  });

  it('goes on counting while the table cannot be reached', async () => {
    const [one, caller] = [instance(), newCaller()];
    const send = jest.spyOn(database.db, 'send').mockRejectedValue(new Error('unreachable') as never);
    expect(await allowedOf(one, caller, LIMIT + 5)).toBe(LIMIT);
    send.mockRestore();
  });
});
