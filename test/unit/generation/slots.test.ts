import type { Caller } from '../../../lambda/access/callers.ts';
import { cancelGeneration, createGeneration, slotLimits } from '../../../lambda/generation/api/start.ts';
import type { Slot } from '../../../lambda/generation/generation.ts';
import { samplesOf, withSample } from '../../../lambda/generation/provider-order.ts';
import { newSlot } from '../../../lambda/generation/provider-store.ts';
import { anAttempt } from '../../support/a-generation.ts';
import { type Stores, startContext, startStores } from '../../support/generation.ts';
import { testRows } from '../../support/rows.ts';

const MINUTE = 60_000;
const LIMITS = { own: 2, service: 3 };

let now = 1_000_000;
let stores: Stores;
beforeEach(async () => {
  now = 1_000_000;
  stores = await startStores(() => now);
});

const slot = (caller: string, execution: string) => newSlot(caller, execution, now, 'secret');
const take = (one: Slot) => stores.providerStore.take(one, LIMITS);
const code = (one: Slot) =>
  take(one).then(
    () => 'taken',
    (error) => error.code,
  );

testRows<[number, number, number]>([
  [50, 50, 40],
  [10, 10, 8],
  [4, 4, 4],
])('keeps a fifth of the slots of the service for keys', (service, ofKey, ofAddress) => {
  const running = { anonymous: 2, key: 5, service };
  const limits = (credential?: Caller['credential']) =>
    slotLimits({ caller: { id: 'a', credential } as Caller }, { running });
  expect(limits({ kind: 'key', scopes: [] })).toEqual({ own: 5, service: ofKey });
  expect(limits()).toEqual({ own: 2, service: ofAddress });
});

describe('slots', () => {
  it('limits a caller, then the service, and frees them once', async () => {
    const first = slot('a', '1');
    await take(first);
    await take(slot('a', '2'));
    expect(await code(slot('a', '3'))).toBe('rate_limited');
    await take(slot('b', '4'));
    expect(await code(slot('c', '5'))).toBe('busy');
    await stores.providerStore.free(first);
    await stores.providerStore.free(first);
    expect(await code(slot('c', '6'))).toBe('taken');
    expect(await code(slot('d', '7'))).toBe('busy');
  });

  it('are exact when many are taken at the same time', async () => {
    const codes = await Promise.all(Array.from({ length: 12 }, (_, i) => code(slot('a', String(i)))));
    expect(codes.filter((one) => one === 'taken')).toHaveLength(2);
    expect(codes.filter((one) => one === 'rate_limited')).toHaveLength(10);
  });

  it('are taken once per execution, by whichever request comes first', async () => {
    const first = slot('a', 'same');
    await take(first);
    await take(slot('a', 'other'));
    now += 5;
    expect((await take(slot('a', 'same'))).slot).toEqual(first);
    expect((await take(first)).slot).toEqual(first);
    expect(await code(slot('a', 'third'))).toBe('rate_limited');
  });

  it('are freed after half an hour, when the function that held one must have died', async () => {
    await take(slot('a', '1'));
    await take(slot('a', '2'));
    now += 29 * MINUTE;
    expect(await code(slot('a', '3'))).toBe('rate_limited');
    await take(slot('b', '4'));
    expect(await code(slot('c', '5'))).toBe('busy');
    now += 2 * MINUTE;
    expect(await code(slot('c', '6'))).toBe('taken');
    expect(await code(slot('a', '7'))).toBe('taken');
  });

  it('do not name the address of their caller', () => {
    const { holder, name } = slot('address:192.0.2.1', 'e');
    expect(holder + name).not.toContain('192.0.2.1');
  });
});

describe('the averages of a provider', () => {
  it('are written with the slot, once', async () => {
    const one = slot('a', '1');
    await take(one);
    const log = [anAttempt(1, { outcome: 'succeeded', measured: { firstTokenMs: 400, firstFileMs: 2_000 } })];
    await stores.providerStore.free(one, samplesOf({ log }));
    await stores.providerStore.free(one, samplesOf({ log: [anAttempt(1, { outcome: 'failed' })] }));
    const { lately } = await stores.providerStore.current();
    expect(lately).toEqual({
      'provider-a': { firstTokenMs: 400, firstFileMs: 2_000, failures: 0, at: now },
    });
  });

  it('decay', () => {
    const sample = { firstTokenMs: 1_000, firstFileMs: undefined, pace: undefined, failures: 1 };
    const first = withSample(undefined, { ...sample, failures: 0 }, 1);
    expect(first).toMatchObject({ firstTokenMs: 1_000, failures: 0, at: 1 });
    const second = withSample(first, { ...sample, firstTokenMs: 2_000 }, 2);
    expect(second).toMatchObject({ firstTokenMs: 1_200, failures: 0.2, at: 2 });
    expect(withSample(second, { ...sample, firstTokenMs: undefined }, 3).firstTokenMs).toBe(1_200);
  });

  it('count the share of attempts that failed by the fault of the provider', () => {
    const outcomes = ['overloaded', 'succeeded', 'interrupted', 'silent', 'refused'] as const;
    const log = outcomes.map((outcome, i) => anAttempt(i + 1, { outcome }));
    expect(samplesOf({ log: [...log, anAttempt(6, {})] }).get('provider-a')?.failures).toBeCloseTo(2 / 5);
  });

  it('have the cost of all attempts of a generation', () => {
    const log = [anAttempt(1, { outcome: 'cut_off', cost: 900 }), anAttempt(2, { outcome: 'succeeded', cost: 100 })];
    expect(samplesOf({ log }).get('provider-a')?.cost).toBe(1_000);
    expect(samplesOf({ log: [anAttempt(1, { outcome: 'succeeded' })] }).get('provider-a')?.cost).toBeUndefined();
  });
});

const REQUEST = { prompt: 'a page', model: 'auto', duration: 'auto' } as const;

const ports = (anonymous = 1_000) =>
  startContext(stores, ['provider-a'], { running: { anonymous, key: 1_000, service: 1_000 } });
const create = (id: string, idempotencyKey?: string, anonymous?: number) =>
  createGeneration(REQUEST, { caller: { id }, idempotencyKey }, ports(anonymous));

/** Returns how many writes and reads of the table an operation makes. */
async function callsOf(perform: () => Promise<unknown>) {
  const send = jest.spyOn(stores.database.db, 'send');
  await perform();
  const names = send.mock.calls.map(([command]) => command.constructor.name);
  send.mockRestore();
  const reads = names.filter((name) => name === 'GetCommand').length;
  return { writes: names.length - reads, reads };
}

// Before there were slots: 1 read and 1 write to create, 1 read and 1 write to join, and 1 write to cancel.
it('takes a slot with the read of the cool-downs, and frees it with one write', async () => {
  expect(await callsOf(() => create('a'))).toMatchObject({ writes: 2, reads: 0 });
  expect(await callsOf(() => create('a', 'key'))).toMatchObject({ writes: 2, reads: 1 });
  expect(await callsOf(() => create('a', 'key'))).toMatchObject({ writes: 0, reads: 1 });
  const generation = await create('b', undefined, 1);
  const refused = () => create('b', undefined, 1).catch(({ code }) => expect(code).toBe('rate_limited'));
  expect(await callsOf(refused)).toMatchObject({ writes: 1, reads: 1 });
  expect(await callsOf(() => cancelGeneration(generation, ports()))).toMatchObject({ writes: 2, reads: 1 });
});
