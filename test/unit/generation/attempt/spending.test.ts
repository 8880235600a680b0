import { setTimeout } from 'node:timers/promises';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { BudgetStore } from '../../../../lambda/access/budget-store.ts';
import type { Budgets } from '../../../../lambda/access/budgets.ts';
import type { Caller } from '../../../../lambda/access/callers.ts';
import { StageState } from '../../../../lambda/access/stage-state.ts';
import type { ProviderName } from '../../../../lambda/contract/generate.ts';
import type { Price, TokenUsage } from '../../../../lambda/contract/prices.ts';
import { generateResponse } from '../../../../lambda/generation/api/resource.ts';
import { cancelGeneration, type StartContext } from '../../../../lambda/generation/api/start.ts';
import { runAttempt } from '../../../../lambda/generation/attempt/attempt.ts';
import { spendingOf } from '../../../../lambda/generation/attempt/attempt-end.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import {
  type Provider,
  type ProviderEvent,
  ProviderFailure,
} from '../../../../lambda/generation/providers/provider.ts';
import { stageOf, startGeneration, startStores } from '../../../support/generation.ts';
import { startMemoryDynamoDB } from '../../../support/memory-dynamodb.ts';
import { attemptsOn, freeProvider, stageOn } from '../../../support/written-projects.ts';

/** A dollar for each token. */
const PRICE: Price = { input: 1e6, output: 1e6 };
const BUDGETS: Budgets = { anonymous: { usd: 30 }, service: { usd: 45 } };
const ANONYMOUS: Caller = { id: 'address:1', limit: 10 };
const KEY: Caller = { id: 'key:a', limit: 100, credential: { kind: 'key', scopes: [] } };

const FILES: readonly ProviderEvent[] = [
  { type: 'text', text: '<file path="index.html">\nhi\n</file>\n<done/>\n' },
  { type: 'end', reason: 'complete' },
];
const usage = (tokens: number): ProviderEvent => ({
  type: 'usage',
  usage: { input: tokens - 1, output: 1, cachedInput: 0, cacheWrite: 0, reasoning: 0 } satisfies TokenUsage,
});

const stores = await startStores(() => now);
const limits = await startMemoryDynamoDB('limits', 'caller');
let day = 23;
let now = 0;

beforeEach(() => {
  // Noon of another day; some tests go on to the next one.
  day += 2;
  now = Date.UTC(2026, 10, day, 12);
});

type Write = Provider['write'];

/** Returns a provider whose calls take at most 10 tokens, or as many more as the prompt has characters. */
const paid = (write: Write): Provider =>
  freeProvider(write, {
    isFree: false,
    price: PRICE,
    mostTokens: ({ prompt }) => ({ input: prompt.length, output: 10 }),
  });
const answers = (...events: ProviderEvent[]): Write =>
  async function* () {
    yield* events;
  };

/** A stage with providers. @returns functions that use it */
function stage(providers: Partial<Record<ProviderName, Provider>>, budgets = BUDGETS) {
  const clock = () => now;
  const configured = Object.keys(providers) as ProviderName[];
  const provider = (name: ProviderName) => providers[name] as Provider;
  const state = new StageState(limits.db, limits.table, clock);
  // A function may be frozen after its result: what it does not wait for is lost.
  const close: StageState['close'] = (...closure) => setTimeout(100).then(() => state.close(...closure));
  const closures = Object.assign(Object.create(state) as StageState, { close });
  const store = new BudgetStore(stores.database.db, stores.database.table, clock);
  const spending = { store, closures, budgets, configured, provider, clock };
  const ports = stageOn(stores, provider, {
    clock,
    deadlines: { totalMs: 60_000, firstMs: 1_000, stallMs: 200 },
    spendingOf: (generation, retry) => spendingOf(generation, retry, spending),
  });
  let started = 0;
  const traits = Object.fromEntries(
    configured.map((name) => [name, { model: 'm', isEmbedded: false, isFree: provider(name).isFree }]),
  );
  const startPorts: StartContext = {
    ...stores,
    ...stageOf(configured),
    configured: { names: configured, routing: 'order', traits },
    closures: new StageState(limits.db, limits.table, clock),
    clock,
    idSecret: async () => 's',
    startExecution: async () => void started++,
    stopExecution: async () => {},
  };
  const start = (caller = ANONYMOUS, idempotencyKey?: string, prompt = '') => {
    const request = { prompt, model: 'auto', duration: 'auto' } as const;
    return startGeneration(request, { caller, idempotencyKey }, startPorts);
  };
  /** Runs a generation to its end, as the state machine does. */
  const run = async (caller = ANONYMOUS, idempotencyKey?: string, prompt = '') => {
    const { id } = await start(caller, idempotencyKey, prompt);
    return attemptsOn(stores, id, ports).run();
  };
  return { start, run, ports, startPorts, started: () => started };
}

/** Returns what today's budgets count, in dollars, and the number of calls that are not settled. */
async function counted() {
  const id = `#budget-${new Date(now).toISOString().slice(0, 10)}`;
  const get = new GetCommand({ TableName: stores.database.table, Key: { id } });
  const { open, ...item } = (await stores.database.db.send(get)).Item ?? {};
  const dollars = (scope: string) => (item[`${scope}/microUsd`] ?? 0) / 1e6;
  return {
    anonymous: dollars('anonymous'),
    service: dollars('service'),
    open: (open as Set<string> | undefined)?.size ?? 0,
  };
}

const outcomes = (generation: Parameters<typeof attemptsOf>[0]) =>
  attemptsOf(generation).map(({ provider, outcome }) => `${provider} ${outcome}`);

it('counts the tokens of the vendor at their price, once the call is over', async () => {
  const { run } = stage({ 'provider-a': paid(answers(...FILES, usage(4))) });
  expect((await run()).status).toBe('succeeded');
  expect(await counted()).toEqual({ anonymous: 4, service: 4, open: 0 });
  await run(KEY);
  expect(await counted()).toEqual({ anonymous: 4, service: 8, open: 0 });
});

it('counts a model without a known price at the highest price of the table', async () => {
  const provider = { ...paid(answers(...FILES, usage(1_000_000))), price: undefined };
  const { run } = stage({ 'provider-a': provider }, { anonymous: { usd: 1_000 } });
  await run();
  expect((await counted()).anonymous).toBeGreaterThanOrEqual(10);
});

it('counts as reserved what the vendor does not count, such as an answer that is not awaited', async () => {
  const hangs: Write = async function* (_request, signal) {
    yield { type: 'text', text: '' };
    await setTimeout(60_000, undefined, { signal });
  };
  await stage({ 'provider-a': paid(answers(...FILES)) }).run();
  expect(await counted()).toEqual({ anonymous: 10, service: 10, open: 0 });
  const hung = await stage({ 'provider-a': paid(hangs) }).run();
  expect(await counted()).toEqual({ anonymous: 20, service: 20, open: 0 });
  expect(attemptsOf(hung)[0]).toMatchObject({ usage: { basis: 'reserved', output: 10 }, cost: 10_000_000 });
});

it('counts a canceled call as reserved, and closes its reservation', async () => {
  const begun = Promise.withResolvers<void>();
  const slow: Write = async function* (_request, signal) {
    begun.resolve();
    yield { type: 'text', text: '' };
    await setTimeout(60_000, undefined, { signal });
  };
  const one = stage({ 'provider-a': paid(slow) });
  const ports = { ...one.ports, deadlines: { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 } };
  const generation = await one.start();
  const running = runAttempt({ id: generation.id, attempt: 1, status: 'running' }, 'i', ports);
  await begun.promise;
  expect(await counted()).toEqual({ anonymous: 10, service: 10, open: 1 });
  await cancelGeneration(generation, one.startPorts);
  await running;
  expect(await counted()).toEqual({ anonymous: 10, service: 10, open: 0 });
});

it('does not count a call that the vendor rejects', async () => {
  const rejects: Write = async function* () {
    yield* [];
    throw new ProviderFailure('failed', 'HTTP 500', { isRejected: true });
  };
  await stage({ 'provider-a': paid(rejects) }).run();
  expect(await counted()).toEqual({ anonymous: 0, service: 0, open: 0 });
  const lost: Write = async function* () {
    yield* [];
    throw new ProviderFailure('failed', 'the connection was lost');
  };
  await stage({ 'provider-a': paid(lost) }).run();
  expect(await counted()).toEqual({ anonymous: 10, service: 10, open: 0 });
});

it('does not call a provider that the budget has no room for, and goes on with a free one', async () => {
  let calls = 0;
  const write: Write = async function* () {
    calls++;
    yield* FILES;
  };
  const { run } = stage({ 'provider-a': paid(write), 'provider-b': freeProvider(answers(...FILES)) });
  for (let i = 0; i < 3; i++) expect(outcomes(await run())).toEqual(['provider-a succeeded']);
  const fourth = await run();
  expect(outcomes(fourth)).toEqual(['provider-a over_budget', 'provider-b succeeded']);
  expect(attemptsOf(fourth)[0]?.reason).toBe(
    `The budget of all callers without an API key is spent until ${new Date(now + 43_200_000).toISOString().slice(0, 10)}T00:00:00Z: send an API key, which has a budget of its own, or wait`,
  );
  expect((await stores.providerStore.current()).failed).toEqual([]);
  // From now on, a paid provider is not even tried; a key has a budget of its own.
  now += 10_000;
  expect(outcomes(await run())).toEqual(['provider-b succeeded']);
  expect(outcomes(await run(KEY))).toEqual(['provider-a succeeded']);
  // The service has five left: a key is served no longer either.
  expect(outcomes(await run(KEY))).toEqual(['provider-a over_budget', 'provider-b succeeded']);
  expect(calls).toBe(4);
  // At midnight UTC, the budgets are new.
  now += 12 * 3_600_000;
  expect(outcomes(await run())).toEqual(['provider-a succeeded']);
});

it('responds with a 503 that says until when, and starts nothing once the budget is known to be spent', async () => {
  const { run, start, started, startPorts } = stage({ 'provider-a': paid(answers(...FILES)) });
  const made = await run(ANONYMOUS, 'one');
  for (let i = 0; i < 2; i++) await run();
  const denied = await run(ANONYMOUS, 'two');
  expect(outcomes(denied)).toEqual(['provider-a over_budget']);
  const error = await generateResponse(denied, stores.files, now + 60_000).catch((thrown: unknown) => thrown);
  const retryAfter = 12 * 3_600 - 60;
  const spent = { status: 503, code: 'budget_spent' };
  expect(error).toMatchObject({
    ...spent,
    body: { retryAfter },
    headers: { 'Retry-After': `${retryAfter}` },
  });
  now += 10_000;
  const before = started();
  await expect(start()).rejects.toMatchObject({ ...spent, body: { retryAfter: 12 * 3_600 - 10 } });
  await expect(start(ANONYMOUS, 'two')).rejects.toMatchObject(spent);
  expect(started()).toBe(before);
  // What was made is still joined, and a different request is still rejected.
  expect((await start(ANONYMOUS, 'one')).id).toBe(made.id);
  await expect(start(ANONYMOUS, 'one', 'another')).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  expect(await startPorts.closures.closedUntil('budget/service')).toBeUndefined();
});

it('asks to come back in a minute when running calls have reserved the rest', async () => {
  const over = Promise.withResolvers<void>();
  const slow: Write = async function* () {
    await over.promise;
    yield* [...FILES, usage(1)];
  };
  const { run, start, ports } = stage({ 'provider-a': paid(slow) });
  const first = await Promise.all([start(), start(), start()]);
  const relaxed = { ...ports, deadlines: { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 } };
  const running = first.map(({ id }) => runAttempt({ id, attempt: 1, status: 'running' }, id, relaxed));
  while ((await counted()).open < 3) await setTimeout(10);
  const denied = await run();
  expect(outcomes(denied)).toEqual(['provider-a over_budget']);
  await expect(generateResponse(denied, stores.files, now)).rejects.toMatchObject({
    code: 'budget_spent',
    body: { retryAfter: 60 },
    message: expect.stringContaining('Running generations have reserved the rest'),
  });
  over.resolve();
  await Promise.all(running);
  expect(await counted()).toEqual({ anonymous: 3, service: 3, open: 0 });
  expect(outcomes(await run())).toEqual(['provider-a succeeded']);
});

it('does not close a budget for everyone because one request is too large for it', async () => {
  const { run } = stage({ 'provider-a': paid(answers(...FILES, usage(1))) });
  const large = await run(ANONYMOUS, undefined, 'p'.repeat(25));
  expect(outcomes(large)).toEqual(['provider-a over_budget']);
  now += 10_000;
  expect(outcomes(await run())).toEqual(['provider-a succeeded']);
});

it('costs two writes of a call that costs money, nothing of a free one, and no write once a budget is closed', async () => {
  const sends = [jest.spyOn(stores.database.db, 'send'), jest.spyOn(limits.db, 'send')];
  /** Returns how many reads and writes of both tables something makes. */
  const callsOf = async (perform: () => Promise<unknown>) => {
    for (const send of sends) send.mockClear();
    await perform();
    const names = sends.flatMap((send) => send.mock.calls.map(([command]) => command.constructor.name));
    const reads = names.filter((name) => name === 'GetCommand').length;
    return { reads, writes: names.length - reads };
  };
  const answer = answers(...FILES);
  const free = stage({ 'provider-a': { ...paid(answer), isFree: true } });
  const costly = stage({ 'provider-a': paid(answer) });
  await free.run();
  // What a run writes about the pace of its provider, it writes once.
  const before = await callsOf(() => free.run());
  await costly.run();
  expect(await callsOf(() => costly.run())).toEqual({ reads: before.reads, writes: before.writes + 2 });
  await costly.run();
  await costly.run();
  now += 10_000;
  // One read of the state of the stage in ten seconds.
  expect(await callsOf(() => expect(costly.start()).rejects.toThrow('is spent'))).toEqual({
    reads: 1,
    writes: 0,
  });
  expect(await callsOf(() => expect(costly.start()).rejects.toThrow('is spent'))).toEqual({
    reads: 0,
    writes: 0,
  });
  for (const send of sends) send.mockRestore();
});
