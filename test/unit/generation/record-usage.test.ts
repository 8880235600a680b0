import { UsageStore } from '../../../lambda/access/usage-store.ts';
import { recordIfOver } from '../../../lambda/generation/after-end.ts';
import { cancelGeneration, type GenerationRequester } from '../../../lambda/generation/api/start.ts';
import type { Attempt, GenerationEvent, NextAttempt } from '../../../lambda/generation/generation.ts';
import { aFile, anAttempt } from '../../support/a-generation.ts';
import { startContext, startGeneration, startStores } from '../../support/generation.ts';
import { logLines } from '../../support/log-lines.ts';
import { startMemoryDynamoDB } from '../../support/memory-dynamodb.ts';

const ENDED_AT = Date.UTC(2026, 10, 21, 23, 59, 59, 999);
const DAY = { from: '2026-11-21', to: '2026-11-21' };
/** 18 characters are five tokens. */
const PROMPT = 'p'.repeat(18);

const stores = await startStores();
let callers = 0;

const newCaller = (): GenerationRequester['caller'] => ({
  id: `key:${++callers}`,
  credential: { kind: 'key', scopes: [] },
});
const file = (path: string, characters: number, bytes: number) => aFile(path, { characters, bytes });

/** Starts a generation whose first attempt is running. @returns functions that continue it */
async function running({ caller = newCaller(), usage = stores.usage } = {}) {
  const { generations } = stores;
  const ports = startContext(stores, ['provider-a'], { usage, clock: () => ENDED_AT });
  const request = { prompt: PROMPT, model: 'auto', duration: 'auto' } as const;
  const generation = await startGeneration(request, { caller }, ports);
  const invocation = { id: generation.id, attempt: 1, invocationId: 'i' };
  await generations.begin(invocation, anAttempt(1));
  return {
    write: async (...files: GenerationEvent[]) =>
      generations.append(invocation, files, (await generations.get(generation.id)).log.length),
    end: async (status: NextAttempt['status'], ended: Partial<Attempt> = {}, number = 1) => {
      const event = anAttempt(number, { outcome: 'failed', ...ended });
      const end = { finishedAt: ENDED_AT, problems: [] };
      const next = { status } as NextAttempt;
      const advanced = await generations.advance(
        { id: generation.id, attempt: number },
        [event],
        next,
        number + 1,
        end,
      );
      await recordIfOver(advanced, usage);
      return advanced;
    },
    cancel: () => cancelGeneration(generation, ports),
    usage: () => stores.usage.read(String(caller?.id), DAY),
  };
}

const recorded = (amounts: { tokens: number; files: number; bytes: number }, usd = 0, unpriced = 0) => [
  {
    day: '2026-11-21',
    operation: 'generate',
    calls: 0,
    statuses: {},
    ms: 0,
    cost: { usd, unpriced },
    ...amounts,
  },
];

const USAGE = { input: 9, cachedInput: 0, cacheWrite: 0, output: 9, reasoning: 0, basis: 'reserved' } as const;

it('records the tokens of the response and the size of the files for a project', async () => {
  const { write, end, usage } = await running();
  await write(file('a', 10, 20), file('b', 2, 2), file('a', 5, 15));
  expect(await usage()).toEqual([]);
  await end('succeeded', { outcome: 'succeeded', tokens: 40 });
  expect(await usage()).toEqual(recorded({ tokens: Math.ceil((18 + 5 + 2) / 4), files: 2, bytes: 17 }));
});

it.each(['failed', 'timed_out'] as const)(
  'records the tokens of every attempt for a generation that ended as %s',
  async (status) => {
    const { end, usage } = await running();
    await end('running', { tokens: 40 });
    expect(await usage()).toEqual([]);
    await end(status, { tokens: 7 }, 2);
    expect(await usage()).toEqual(recorded({ tokens: 5 + 40 + 7, files: 0, bytes: 0 }));
  },
);

it('records the complete files of the running attempt for a canceled generation', async () => {
  const { write, cancel, usage } = await running();
  await write(file('a', 9, 12));
  await cancel();
  expect(await usage()).toEqual(recorded({ tokens: 5 + 3, files: 1, bytes: 12 }));
});

it('records usage once, even if the generation is ended concurrently', async () => {
  const { write, end, cancel, usage } = await running();
  await write(file('a', 2, 2));
  await Promise.allSettled([end('succeeded'), end('succeeded'), cancel(), cancel(), end('succeeded')]);
  await Promise.allSettled([end('succeeded'), cancel()]);
  expect(await usage()).toMatchObject(recorded({ tokens: expect.any(Number) as never, files: 1, bytes: 2 }));
});

it('records the cost of every attempt, each in its latest state', async () => {
  const { end, usage } = await running();
  await end('running', { usage: USAGE, cost: 1_234 });
  await end('running', { usage: USAGE, cost: 0 }, 2);
  await end('failed', { usage: USAGE, cost: 1, tokens: 7 }, 3);
  expect(await usage()).toEqual(recorded({ tokens: 5 + 7, files: 0, bytes: 0 }, 0.001235));
});

it('counts a generation with an attempt whose price is not known', async () => {
  const { end, usage } = await running();
  await end('running', { usage: USAGE });
  await end('failed', { usage: USAGE, cost: 2_000 }, 2);
  expect(await usage()).toEqual(recorded({ tokens: 5, files: 0, bytes: 0 }, 0.002, 1));
});

it('records nothing for an anonymous caller', async () => {
  const { end, usage } = await running({ caller: { id: 'address:192.0.2.1' } });
  const generation = await end('failed');
  expect(generation).toMatchObject({ status: 'failed' });
  expect(generation).not.toHaveProperty('owner');
  expect(await usage()).toEqual([]);
});

it('logs usage that cannot be written, and ends the generation regardless', async () => {
  const { db } = await startMemoryDynamoDB('generations', 'id');
  const { end, usage } = await running({ usage: new UsageStore(db, 'nowhere') });
  expect(await end('failed')).toMatchObject({ status: 'failed' });
  expect(logLines).toContainEqual(expect.stringContaining('"event":"usage not recorded"'));
  expect(await usage()).toEqual([]);
});
