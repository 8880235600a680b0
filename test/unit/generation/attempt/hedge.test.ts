import { setTimeout } from 'node:timers/promises';
import type { ProviderName } from '../../../../lambda/contract/generate.ts';
import { runAttempt } from '../../../../lambda/generation/attempt/attempt.ts';
import { hedgeAfterMs } from '../../../../lambda/generation/attempt/hedge.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import { FREE, type Provider, type ProviderEvent } from '../../../../lambda/generation/providers/provider.ts';
import { newSlot } from '../../../../lambda/generation/slots.ts';
import {
  type Stores,
  stageOf,
  startGeneration,
  startStores,
  UNLIMITED,
} from '../../../support/generation.ts';

let stores: Stores;
beforeEach(async () => {
  stores = await startStores();
  // Both providers usually begin within 50 ms.
  const slot = newSlot('address:1', 'earlier', Date.now(), 's');
  await stores.providerStore.take(slot, { own: 9, service: 9 });
  const sample = { firstTokenMs: 50, failures: 0 };
  const samples = (['provider-a', 'provider-b'] as const).map((name) => [name, sample] as const);
  await stores.providerStore.free(slot, new Map(samples));
});
afterEach(() => stores.close());

type Write = (signal: AbortSignal) => AsyncIterable<ProviderEvent>;

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });
const END: ProviderEvent = { type: 'end', reason: 'complete' };

const page = (title: string) =>
  async function* (): AsyncGenerator<ProviderEvent> {
    yield text(`<file path="index.html">\n<title>${title}</title>\n</file>\n<done/>\n`);
    yield END;
  };

/** Writes nothing until it is stopped, which it notes. */
const silent = (stopped: string[], name: string) =>
  async function* (signal: AbortSignal): AsyncGenerator<ProviderEvent> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    stopped.push(name);
  };

/** Makes the first attempt of a generation. @param afterMs when a provider is raced; never if it is 0 @returns the generation then */
async function generate(writes: Partial<Record<ProviderName, Write>>, afterMs = 100, firstMs = 20_000) {
  const { generations } = stores;
  const ports = {
    ...stores,
    ...stageOf(Object.keys(writes)),
    clock: Date.now,
    idSecret: async () => 's',
    startExecution: async () => {},
    stopExecution: async () => {},
  };
  const request = { prompt: 'a page', model: 'auto', duration: 'auto' } as const;
  const { id } = await startGeneration(request, { caller: { id: 'address:1' } }, ports);
  await runAttempt({ id, attempt: 1, status: 'running' }, 'invocation', {
    ...stores,
    ...UNLIMITED,
    clock: Date.now,
    // By the average of this provider.
    hedgeAfterMs: afterMs === 0 ? undefined : (lately) => (lately?.firstTokenMs === 50 ? afterMs : undefined),
    deadlines: { totalMs: 20_000, firstMs, stallMs: 20_000 },
    provider: (name): Provider => ({
      model: 'm',
      parallel: 1,
      quiet: false,
      ...FREE,
      write: (_, signal) => (writes[name] as Write)(signal),
    }),
  }).catch(() => {});
  return generations.get(id);
}

const outcomes = (generation: Awaited<ReturnType<typeof generate>>) =>
  attemptsOf(generation).map(({ provider, outcome }) => [provider, outcome]);

it('races a provider that is far slower than usual, and keeps the answer of the faster one', async () => {
  const stopped: string[] = [];
  const slow = silent(stopped, 'a');
  const generation = await generate({ 'provider-a': slow, 'provider-b': page('b') });
  expect(outcomes(generation)).toEqual([
    ['provider-a', 'outpaced'],
    ['provider-b', 'succeeded'],
  ]);
  expect(generation.status).toBe('succeeded');
  expect(attemptsOf(generation)[0]?.reason).toBe('Another provider answered first');
  expect(stopped).toEqual(['a']);
  const { cooling, lately } = await stores.providerStore.current();
  expect(cooling).toEqual({});
  expect(lately['provider-a']?.failures).toBe(0);
  // It was slower than usual.
  expect(lately['provider-a']?.firstTokenMs).toBeGreaterThan(50);
});

it('stops the rival when the slow provider begins after all', async () => {
  const stopped: string[] = [];
  const begun = Promise.withResolvers<void>();
  const late = async function* () {
    await begun.promise;
    yield* page('a')();
  };
  const rival = (signal: AbortSignal) => {
    begun.resolve();
    return silent(stopped, 'b')(signal);
  };
  const generation = await generate({ 'provider-a': late, 'provider-b': rival });
  expect(outcomes(generation)).toEqual([
    ['provider-a', 'succeeded'],
    ['provider-b', 'outpaced'],
  ]);
  expect([generation.status, stopped]).toEqual(['succeeded', ['b']]);
});

it('goes on with the slow provider when its rival fails', async () => {
  const failed = Promise.withResolvers<void>();
  const late = async function* () {
    await failed.promise;
    yield* page('a')();
  };
  const failing = (): AsyncIterable<ProviderEvent> => {
    // Once its end has been noted.
    setTimeout(200).then(failed.resolve);
    throw new Error('broken');
  };
  const generation = await generate({ 'provider-a': late, 'provider-b': failing });
  expect(outcomes(generation)).toEqual([
    ['provider-a', 'succeeded'],
    ['provider-b', 'failed'],
  ]);
  expect(generation.status).toBe('succeeded');
});

it('lets the rival go on when the slow provider fails', async () => {
  const begun = Promise.withResolvers<void>();
  const failing = async function* (): AsyncGenerator<ProviderEvent> {
    await begun.promise;
    yield text('');
    throw new Error('broken');
  };
  const late = async function* () {
    begun.resolve();
    await setTimeout(200);
    yield* page('b')();
  };
  const generation = await generate({ 'provider-a': failing, 'provider-b': late });
  expect(outcomes(generation)).toEqual([
    ['provider-a', 'failed'],
    ['provider-b', 'succeeded'],
  ]);
  expect(generation.status).toBe('succeeded');
});

it('goes on with the winner when its answer is cut off', async () => {
  const cut = async function* (): AsyncGenerator<ProviderEvent> {
    yield text('<file path="index.html">\n<title>b</title>\n</file>\n<file path="b.css">\nb {}\n');
    yield { type: 'end', reason: 'length' };
  };
  const writes = { 'provider-a': silent([], 'a'), 'provider-b': cut, 'provider-c': page('c') };
  const generation = await generate(writes);
  expect(generation).toMatchObject({
    status: 'running',
    kind: 'write',
    provider: 'provider-b',
    remaining: ['provider-c'],
  });
});

it('never races without hedge', async () => {
  const generation = await generate({ 'provider-a': silent([], 'a'), 'provider-b': page('b') }, 0, 400);
  expect(outcomes(generation)).toEqual([['provider-a', 'silent']]);
});

it('waits for three times the usual time, at least three seconds, and not without a measurement', () => {
  const usual = (firstTokenMs?: number) => hedgeAfterMs({ firstTokenMs, failures: 0, at: 0 });
  expect([usual(50), usual(2_000), usual(), hedgeAfterMs(undefined)]).toEqual([
    3_000,
    6_000,
    undefined,
    undefined,
  ]);
});
