import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { BudgetStore, type Reservation } from '../../../lambda/access/budget-store.ts';
import { type Amounts, type Budgets, limitsOf } from '../../../lambda/access/budgets.ts';
import { endOfDay } from '../../../lambda/platform/clock.ts';
import { logLines } from '../../support/log-lines.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';
import { SOAK } from '../../support/soak.ts';

const MIDNIGHT = Date.UTC(2026, 10, 24);
const BUDGETS: Budgets = { anonymous: { usd: 5 }, key: { usd: 10, tokens: 1_000 }, service: { usd: 12 } };
const usd = (dollars: number, tokens = 0): Amounts => ({ microUsd: dollars * 1e6, tokens });

const database = await startMemoryDynamoDB('generations', 'id');
let now = MIDNIGHT - 60_000;
let days = 0;
const store = new BudgetStore(database.db, database.table, () => now);

beforeEach(() => {
  // Each test has a day of its own.
  now = MIDNIGHT + days++ * 86_400_000 + 3_600_000;
});

const anonymous = () => limitsOf('anonymous', undefined, BUDGETS);
const key = (id: string, own?: Budgets['key']) => limitsOf(`key:${id}`, own, BUDGETS);

/** Makes a reservation. @returns it with the denial, if there is one */
async function reserve(limits = anonymous(), amounts = usd(1)) {
  const reservation = store.draft(limits, amounts);
  return { reservation, denial: await store.reserve(reservation) };
}

const today = () => new Date(now).toISOString().slice(0, 10);

async function item(day = today()): Promise<Record<string, unknown>> {
  const get = new GetCommand({ TableName: database.table, Key: { id: `#budget-${day}` } });
  return (await database.db.send(get)).Item ?? {};
}

it('reserves until the budget is full, and the difference to what was taken is free again', async () => {
  const made: Reservation[] = [];
  for (let i = 0; i < 5; i++) {
    const { reservation, denial } = await reserve();
    expect(denial).toBeUndefined();
    made.push(reservation);
  }
  expect((await reserve()).denial).toMatchObject({ isSpent: false, until: now + 60_000, left: 5e6 });
  await store.settle(made[0] as Reservation, usd(0.25));
  expect((await reserve(anonymous(), usd(0.75))).denial).toBeUndefined();
  expect((await reserve(anonymous(), usd(0.01))).denial).toBeDefined();
  expect(await item()).toMatchObject({ 'anonymous/microUsd': 5e6, 'service/microUsd': 5e6 });
});

it('is spent until midnight UTC when no running call can leave room', async () => {
  for (let i = 0; i < 5; i++) await store.settle((await reserve()).reservation);
  const { denial } = await reserve();
  expect(denial).toMatchObject({ isSpent: true, left: 0, limit: { scope: 'anonymous', most: 5e6 } });
  expect(denial?.until).toBe(endOfDay(now));
  expect(new Date(denial?.until ?? 0).toISOString()).toMatch(/T00:00:00\.000Z$/);
  expect((await item()).open).toBeUndefined();
});

it('emits how much is spent, without reservations, and 100 % once a call finds it spent', async () => {
  process.env.METRICS_NAMESPACE = 'stack';
  const emitted = () =>
    logLines.splice(0).map((line) => {
      const { AnonymousBudgetUsed: anonymous, BudgetUsed: service } = JSON.parse(line);
      return anonymous === undefined ? { service } : { anonymous };
    });
  const { reservation } = await reserve();
  await reserve(anonymous(), usd(3));
  await store.settle(reservation, usd(0.5));
  expect(emitted()).toEqual([{ anonymous: 10 }, { service: (100 * 0.5) / 12 }]);
  await reserve(anonymous(), usd(2));
  expect(emitted()).toEqual([]);
  await reserve(anonymous(), usd(4.6));
  expect(emitted()).toEqual([{ anonymous: 100 }]);
  for (let i = 0; i < 6; i++) await store.settle((await reserve(key('a'), usd(1.25))).reservation);
  logLines.splice(0);
  await reserve(key('b'), usd(5));
  expect(emitted()).toEqual([{ service: 100 }]);
  delete process.env.METRICS_NAMESPACE;
});

it('counts the reservation of a call that died, which is not running after 15 minutes', async () => {
  for (let i = 0; i < 5; i++) await reserve();
  expect((await reserve()).denial).toMatchObject({ isSpent: false });
  now += 15 * 60_000;
  expect((await reserve()).denial).toMatchObject({ isSpent: true });
});

it('denies what exceeds the whole budget without a write', async () => {
  expect((await reserve(anonymous(), usd(5.01))).denial).toMatchObject({ isSpent: true, left: 5e6 });
  expect(await item()).toEqual({});
});

it('reserves in all budgets or in none, and says which one has no room', async () => {
  for (let i = 0; i < 8; i++) expect((await reserve(key('a'))).denial).toBeUndefined();
  for (let i = 0; i < 4; i++) expect((await reserve()).denial).toBeUndefined();
  expect((await reserve()).denial).toMatchObject({ limit: { scope: 'service' } });
  expect(await item()).toMatchObject({
    'anonymous/microUsd': 4e6,
    'key:a/microUsd': 8e6,
    'service/microUsd': 12e6,
  });
});

it('limits tokens, each key by itself, and a key by its own budget instead of that of the stage', async () => {
  expect((await reserve(key('a'), usd(0, 900))).denial).toBeUndefined();
  expect((await reserve(key('a'), usd(0, 101))).denial).toMatchObject({ limit: { unit: 'tokens' } });
  expect((await reserve(key('b'), usd(0, 101))).denial).toBeUndefined();
  expect((await reserve(key('a', { usd: 11 }), usd(11, 5_000))).denial).toBeUndefined();
  expect((await reserve(key('c', { usd: 0.5 }), usd(0.6))).denial).toMatchObject({ limit: { most: 5e5 } });
});

it('neither reads nor writes for a stage without budgets', async () => {
  const send = jest.spyOn(database.db, 'send');
  const { reservation, denial } = await reserve(limitsOf('anonymous', undefined, {}));
  await store.settle(reservation, usd(3));
  expect(denial).toBeUndefined();
  expect(send).not.toHaveBeenCalled();
  send.mockRestore();
});

it('begins a new budget at midnight UTC, and settles on the day of the reservation', async () => {
  now = endOfDay(now) - 1;
  const before = today();
  const { reservation } = await reserve(anonymous(), usd(5));
  expect((await reserve()).denial).toMatchObject({ isSpent: false });
  now += 1;
  expect((await reserve(anonymous(), usd(5))).denial).toBeUndefined();
  await store.settle(reservation, usd(2));
  expect(await item(before)).toMatchObject({ 'anonymous/microUsd': 2e6 });
  expect(await item()).toMatchObject({ 'anonymous/microUsd': 5e6, expiresAt: expect.any(Number) });
  days++;
});

/** A call of a model, with what may happen to it. */
const call = fc.record({
  reserved: fc.integer({ min: 1, max: 40 }),
  /** Of 100 parts of what was reserved. */
  taken: fc.integer({ min: 0, max: 100 }),
  anonymous: fc.boolean(),
  /** The function dies before it settles. */
  dies: fc.boolean(),
  /** The responses of the first writes are lost, and the SDK or the caller repeats them. */
  lost: fc.integer({ min: 0, max: 3 }),
  /** Turns of the event loop between reservation and settlement. */
  turns: fc.integer({ min: 0, max: 6 }),
});

it(`never exceeds a budget, however calls interleave, die and repeat`, async () => {
  const limits: Budgets = { anonymous: { tokens: 100 }, key: { tokens: 120 }, service: { tokens: 170 } };
  const interleaving = async (calls: readonly (typeof call extends fc.Arbitrary<infer T> ? T : never)[]) => {
    now += 86_400_000;
    const counted = { anonymous: 0, 'key:a': 0, service: 0 };
    await Promise.all(
      calls.map(async ({ reserved, taken, anonymous, dies, lost, turns }) => {
        const payer = anonymous ? 'anonymous' : 'key:a';
        const reservation = store.draft(limitsOf(payer, undefined, limits), usd(0, reserved));
        const denials = [await store.reserve(reservation)];
        // A repetition of a reservation that was made says so again.
        if (!denials[0]) for (let i = 0; i < lost; i++) denials.push(await store.reserve(reservation));
        expect(new Set(denials.map((denial) => denial === undefined)).size).toBe(1);
        if (denials[0]) return;
        const actual = dies ? reserved : Math.floor((reserved * taken) / 100);
        counted[payer] += actual;
        counted.service += actual;
        for (let i = 0; i < turns; i++) await new Promise(setImmediate);
        if (dies) return;
        for (let i = 0; i <= lost; i++) await store.settle(reservation, usd(0, actual));
      }),
    );
    const { 'anonymous/tokens': a = 0, 'key:a/tokens': k = 0, 'service/tokens': s = 0, open } = await item();
    expect({ anonymous: a, 'key:a': k, service: s }).toEqual(counted);
    expect(counted.anonymous).toBeLessThanOrEqual(100);
    expect(counted['key:a']).toBeLessThanOrEqual(120);
    expect(counted.service).toBeLessThanOrEqual(170);
    const died = calls.filter(({ dies }) => dies).length;
    expect((open as Set<string> | undefined)?.size ?? 0).toBeLessThanOrEqual(died);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 14 }), interleaving),
    // Shrinking repeats what depends on the order of events.
    { numRuns: SOAK ? 2_000 : 5 },
  );
  days = Math.ceil((now - MIDNIGHT) / 86_400_000) + 1;
}, 1_200_000);

it('makes a reservation whose response was lost once', async () => {
  const original = database.db.send.bind(database.db) as (command: unknown) => Promise<unknown>;
  // The SDK repeats the write, whose response was lost.
  const lose = jest.spyOn(database.db, 'send').mockImplementationOnce(async (command: unknown) => {
    expect(command).toBeInstanceOf(UpdateCommand);
    await original(command);
    return original(command);
  });
  expect((await reserve()).denial).toBeUndefined();
  expect(await item()).toMatchObject({ 'anonymous/microUsd': 1e6 });
  lose.mockRestore();
});
