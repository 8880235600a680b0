import { setTimeout } from 'node:timers/promises';
import { type GenerateRequest, type ProviderName, tokensOf } from '../../../../lambda/contract/generate.ts';
import { generateResponse } from '../../../../lambda/generation/api/resource.ts';
import { cancelGeneration, type GenerationInputs, startExecution } from '../../../../lambda/generation/api/start.ts';
import type { Stage } from '../../../../lambda/generation/attempt/finish-round.ts';
import type { GenerationEvent } from '../../../../lambda/generation/generation.ts';
import { attemptsOf } from '../../../../lambda/generation/generation-log.ts';
import { newSlot } from '../../../../lambda/generation/provider-store.ts';
import {
  type AttemptRequest,
  type Provider,
  type ProviderEvent,
  ProviderFailure,
} from '../../../../lambda/generation/providers/provider.ts';
import type { ProjectFileStore } from '../../../../lambda/stored/projects/project-file-store.ts';
import { filesOf } from '../../../../lambda/stored/projects/stored-project.ts';
import { type Stores, startContext, startGeneration, startStores } from '../../../support/generation.ts';
import { png } from '../../../support/images.ts';
import { attemptsOn, freeProvider, stageOn } from '../../../support/written-projects.ts';

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });
const file = (path: string, content = path) => text(`<file path="${path}">\n${content}\n</file>\n`);
/** The end of a complete answer. */
const DONE: readonly ProviderEvent[] = [text('<done/>\n'), { type: 'end', reason: 'complete' }];

type Writing = Provider['write'];

/** Answers each request with these events and the end. */
const answers = (...events: ProviderEvent[]): Writing =>
  async function* () {
    yield* [...events, ...DONE];
  };
const SILENT: Writing = async function* () {};

/** No test takes as long, on any machine, unless it is about a deadline. */
const DEADLINES = { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 };

const stores = await startStores();

interface More extends Partial<GenerateRequest> {
  readonly key?: string;
  readonly stage?: Partial<Stage>;
  readonly given?: GenerationInputs;
}

/** Starts a generation with these providers. @returns functions that run its attempts like the state machine */
async function newGeneration(
  providers: Partial<Record<ProviderName, Writing>>,
  { key, stage = {}, given = {}, ...more }: More = {},
) {
  const started: string[] = [];
  const ports = startContext(stores, Object.keys(providers), {
    startExecution: async (name) => void started.push(name),
  });
  const request = { prompt: 'a page', model: 'auto', duration: 'auto', ...more } as const;
  const origin = { caller: { id: 'address:1' }, idempotencyKey: key };
  const generation = await startGeneration(request, origin, ports, given);
  const provider = (name: ProviderName) => freeProvider(providers[name] as Writing);
  return {
    generation,
    ports,
    started,
    ...attemptsOn(stores, generation.id, stageOn(stores, provider, { deadlines: DEADLINES, ...stage })),
  };
}

/** Polls until the condition holds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(10);
}

const paths = async (now: () => ReturnType<Stores['generations']['get']>) =>
  filesOf(await now()).map(({ path }) => path);

it('logs a file as soon as it is complete, and keeps it when the attempt fails', async () => {
  let isLogged = false;
  const providers: Partial<Record<ProviderName, Writing>> = {
    'provider-a': async function* () {
      yield file('index.html');
      yield text('<file path="half.js">\nlet a =');
      while (!isLogged) {
        await setTimeout(10);
        yield { type: 'activity' };
      }
      await new Promise(() => {});
    },
    'provider-b': async function* ({ files }) {
      expect(files).toMatchObject([{ path: 'index.html', content: 'index.html\n' }]);
      yield file('half.js');
      yield* DONE;
    },
  };
  const deadlines = { ...DEADLINES, stallMs: 200 };
  const { invoke, settle, now } = await newGeneration(providers, { stage: { deadlines } });
  const running = invoke(1);
  await until(async () => (await paths(now)).length > 0);
  expect(await paths(now)).toEqual(['index.html']);
  expect((await now()).attempt).toBe(1);
  isLogged = true;
  expect(await running).toMatchObject({ attempt: 2, status: 'running' });
  expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
  const generation = await now();
  expect(attemptsOf(generation)).toMatchObject([
    { provider: 'provider-a', outcome: 'silent', files: 1 },
    {
      provider: 'provider-b',
      outcome: 'succeeded',
      files: 1,
      tokens: expect.any(Number),
      ms: expect.any(Number),
    },
  ]);
  expect(await paths(now)).toEqual(['index.html', 'half.js']);
  expect(await settle(2)).toMatchObject({ status: 'succeeded' });
});

it('calls no provider twice for one attempt, and returns the same state to the second invocation', async () => {
  let asked = 0;
  const { invoke } = await newGeneration({
    'provider-a': async function* () {
      asked++;
      await setTimeout(200);
      yield file('index.html');
      yield* DONE;
    },
  });
  const [first, second] = await Promise.all([invoke(1), setTimeout(50).then(() => invoke(1))]);
  expect(second).toEqual(first);
  expect(await invoke(1)).toEqual(first);
  expect(asked).toBe(1);
});

it('stops a provider after a cancellation, and writes nothing afterwards', async () => {
  let aborted = false;
  const { generation, ports, invoke, now } = await newGeneration({
    'provider-a': async function* (_request, signal) {
      yield file('index.html');
      signal.addEventListener('abort', () => (aborted = true));
      for (;;) {
        await setTimeout(50, undefined, { signal });
        yield { type: 'activity' };
      }
    },
  });
  const running = invoke(1);
  await until(async () => (await paths(now)).length > 0);
  await cancelGeneration(generation, ports);
  expect(await running).toMatchObject({ status: 'canceled' });
  expect(aborted).toBe(true);
  expect((await now()).status).toBe('canceled');
  expect(await cancelGeneration(generation, ports)).toMatchObject({ status: 'canceled' });
});

it('calls the provider again after the function died, to continue its files', async () => {
  let asked = 0;
  const over = Promise.withResolvers<void>();
  const { invoke, settle, now } = await newGeneration({
    'provider-a': async function* ({ files }) {
      asked++;
      if (files.length === 0) {
        yield file('index.html');
        return await over.promise;
      }
      yield file('app.js');
      yield* DONE;
    },
    'provider-b': async function* () {
      yield file('of-another-provider.html');
    },
  });
  const died = invoke(1);
  await until(async () => (await paths(now)).length > 0);
  expect(await settle(1, 'failed')).toMatchObject({ attempt: 2, status: 'running' });
  expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
  expect(asked).toBe(2);
  expect(await paths(now)).toEqual(['index.html', 'app.js']);
  expect(attemptsOf(await now()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded']);
  over.resolve();
  // The first invocation may notice at any time that it no longer owns the attempt.
  expect(['running', 'succeeded']).toContain((await died).status);
  expect(await paths(now)).toEqual(['index.html', 'app.js']);
});

it('stops a provider whose files cannot be stored, and continues from the stored ones', async () => {
  let away = true;
  let attempts = 0;
  let passedMs = 0;
  const aborted: boolean[] = [];
  const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  const files: Pick<ProjectFileStore, 'put' | 'content' | 'contents'> = {
    put: async (invocation, index, content) => {
      if (!away || index === 0) return stores.files.put(invocation, index, content);
      // Storage calls are retried for as long as the attempt may last; its provider is then stopped.
      passedMs = 60_000;
      throw refused;
    },
    content: (file) => stores.files.content(file),
    contents: (stored) => stores.files.contents(stored),
  };
  const { invoke, now } = await newGeneration(
    {
      'provider-a': async function* (request, signal) {
        attempts++;
        yield file(`file-${request.files.length}.md`);
        await setTimeout(50);
        yield file(`file-${request.files.length + 1}.md`);
        signal.addEventListener('abort', () => aborted.push(away));
        while (away) {
          await setTimeout(20, undefined, { signal });
          yield { type: 'activity' };
        }
        yield* DONE;
      },
    },
    { stage: { files: files as ProjectFileStore, clock: () => Date.now() + passedMs } },
  );
  expect(await invoke(1)).toMatchObject({ attempt: 2, status: 'running' });
  expect(aborted).toEqual([true]);
  expect(await paths(now)).toEqual(['file-0.md']);
  away = false;
  expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
  expect(attempts).toBe(2);
  expect(await paths(now)).toEqual(['file-0.md', 'file-1.md', 'file-2.md']);
  expect(attemptsOf(await now()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded']);
});

it('logs each event once, although the response of each first write is lost', async () => {
  const { generations } = stores;
  const append = generations.append.bind(generations);
  let writes = 0;
  generations.append = async (...given) => {
    const appended = await append(...given);
    if (writes++ % 2 === 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
    return appended;
  };
  try {
    const { invoke, settle, now } = await newGeneration({
      'provider-a': async function* () {
        yield text('Sorry');
        throw new Error('broken');
      },
      'provider-b': async function* () {
        for (const path of ['index.html', 'style.css', 'app.js']) {
          yield file(path);
          // The next file has a write of its own.
          await until(async () => (await paths(now)).includes(path));
        }
        yield* DONE;
      },
    });
    await expect(invoke(1)).rejects.toThrow('failed');
    await settle(1);
    expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
    expect((await now()).log.map((event) => ('path' in event ? event.path : event.type))).toEqual([
      'queued',
      'attempt',
      'attempt',
      'attempt',
      'index.html',
      'style.css',
      'app.js',
      'attempt',
      'look',
    ]);
    expect(writes).toBe(8);
  } finally {
    generations.append = append;
  }
});

it('stores a file that breaks off, and shows its lines to the attempt that continues it', async () => {
  const asked: AttemptRequest[] = [];
  const { invoke } = await newGeneration({
    'provider-a': async function* (request) {
      asked.push(request);
      if (asked.length > 1) return yield* [file('index.html'), ...DONE];
      yield text('<file path="index.html">\none\ntwo\nthr');
      yield { type: 'end', reason: 'length' };
    },
  });
  expect(await invoke(1)).toMatchObject({ status: 'running' });
  expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
  expect(asked[1]?.unfinished).toMatchObject({ path: 'index.html', lines: ['one', 'two'] });
});

it('ends as incomplete if the last answer broke off and no provider is left', async () => {
  const { invoke, settle, now } = await newGeneration({
    'provider-a': async function* () {
      yield file('index.html');
      throw new ProviderFailure('failed', 'reset');
    },
  });
  // What it writes again adds nothing, so it is asked only once more.
  expect(await invoke(1)).toMatchObject({ status: 'running' });
  for (const attempt of [2, 3]) {
    await expect(invoke(attempt)).rejects.toThrow();
    expect(await settle(attempt)).toMatchObject({ status: attempt === 3 ? 'incomplete' : 'running' });
  }
  expect((await now()).problems).toEqual([
    expect.stringContaining('The last attempt ended early'),
    expect.stringMatching(/^To have the rest written, send a request with "from": "/),
  ]);
});

it('ignores an attempt that was settled meanwhile', async () => {
  const settled = Promise.withResolvers<void>();
  const { invoke, settle, now } = await newGeneration({
    'provider-a': async function* () {
      yield { type: 'activity' };
      await settled.promise;
      yield file('late.html');
      yield* DONE;
    },
    'provider-b': answers(file('index.html')),
  });
  const late = invoke(1);
  await until(async () => attemptsOf(await now()).length > 0);
  expect(await settle(1, 'timed_out')).toMatchObject({ attempt: 2, status: 'running' });
  expect(await settle(1, 'timed_out')).toMatchObject({ attempt: 2, status: 'running' });
  expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
  settled.resolve();
  expect(await late).toMatchObject({ status: 'succeeded' });
  expect(await paths(now)).toEqual(['index.html']);
  expect(attemptsOf(await now()).map(({ outcome }) => outcome)).toEqual(['timed_out', 'succeeded']);
});

it('repairs the problems once, and records those that remain', async () => {
  const asked: AttemptRequest[] = [];
  const { invoke, now } = await newGeneration({
    'provider-a': async function* (request) {
      asked.push(request);
      yield file(
        'index.html',
        '<!doctype html><title>t</title><script src="app.js"></script><script src="b.js"></script>',
      );
      if (request.kind === 'repair') yield file('app.js', 'console.info(1);');
      yield* DONE;
    },
  });
  expect(await invoke(1)).toMatchObject({ attempt: 2, status: 'running' });
  expect(await invoke(2)).toMatchObject({ attempt: 3, status: 'succeeded' });
  expect(asked[1]).toMatchObject({
    kind: 'repair',
    problems: [expect.stringContaining('app.js'), expect.stringContaining('b.js')],
  });
  expect((await now()).problems).toEqual([expect.stringContaining('b.js')]);
});

it('tries an overloaded provider last, until it succeeds again', async () => {
  let overloaded = true;
  const a: Writing = async function* () {
    if (overloaded) throw new ProviderFailure('overloaded', '529', { retryAfterSeconds: 90 });
    yield file('a.md');
    yield* DONE;
  };
  const b: Writing = answers(file('a.md'));
  const first = await newGeneration({ 'provider-a': a, 'provider-b': b });
  await expect(first.invoke(1)).rejects.toMatchObject({ name: 'ProviderFailed' });
  await first.settle(1);
  const second = await newGeneration({ 'provider-a': a, 'provider-b': b });
  expect(second.generation).toMatchObject({
    provider: 'provider-b',
    remaining: ['provider-a'],
    failedLately: ['provider-a'],
  });
  const asked = await newGeneration({ 'provider-a': a, 'provider-b': b }, { model: 'provider-a' });
  expect(asked.generation.provider).toBe('provider-a');
  overloaded = false;
  const third = await newGeneration({ 'provider-a': a });
  await third.invoke(1);
  expect((await newGeneration({ 'provider-a': a, 'provider-b': b })).generation.provider).toBe('provider-a');
});

it('waits for the first text of a quiet model as long as for its answer, but not of another one', async () => {
  const write: Writing = async function* (_request, signal) {
    yield { type: 'activity' };
    await setTimeout(150, undefined, { signal });
    yield file('a.md');
    yield* DONE;
  };
  const outcomeOf = async (quiet: boolean) => {
    const provider = () => freeProvider(write, { quiet });
    const deadlines = { ...DEADLINES, firstMs: 50, stallMs: 50 };
    const { invoke, now } = await newGeneration({ 'provider-a': write }, { stage: { provider, deadlines } });
    await invoke(1).catch(() => {});
    return attemptsOf(await now())[0]?.outcome;
  };
  expect([await outcomeOf(true), await outcomeOf(false)]).toEqual(['succeeded', 'silent']);
});

it('keeps the pace of a provider for the instructions of later generations', async () => {
  const providers = {
    'provider-d': async function* () {
      yield text('<file path="a.md">\n');
      for (let piece = 0; piece < 4; piece++) {
        await setTimeout(60);
        yield text(`${'word '.repeat(200)}\n`);
      }
      yield text('</file>\n');
      yield* DONE;
    } as Writing,
  };
  const first = await newGeneration(providers);
  expect(first.generation.lately?.['provider-d']?.pace).toBeUndefined();
  await first.invoke(1);
  const { lately } = (await newGeneration(providers)).generation;
  // At most 1,001 characters in 60 ms.
  expect(lately?.['provider-d']?.pace).toBeGreaterThan(100);
  expect(lately?.['provider-d']?.pace).toBeLessThan(18_000);
});

it('restarts a failed generation under its key, and only once', async () => {
  const providers = { 'provider-a': SILENT };
  const first = await newGeneration(providers, { key: 'key-retry' });
  for (const [attempt, status] of [
    [1, 'running'],
    [2, 'failed'],
  ] as const) {
    await expect(first.invoke(attempt)).rejects.toMatchObject({ name: 'ProviderFailed' });
    expect(await first.settle(attempt)).toMatchObject({ status });
  }
  const again = await Promise.all([1, 2, 3].map(() => newGeneration(providers, { key: 'key-retry' })));
  for (const { generation } of again) {
    expect(generation).toMatchObject({
      id: first.generation.id,
      status: 'queued',
      log: [{ type: 'queued' }],
    });
    expect(generation.attempt).toBeGreaterThan(1);
  }
  const names = new Set(again.flatMap(({ started }) => started));
  expect([...names]).toEqual([again[0]?.generation.execution]);
  expect(names).not.toContain(first.generation.execution);
});

it('ends a generation whose execution cannot be started', async () => {
  const { ports, now, generation } = await newGeneration({ 'provider-a': SILENT }, { key: 'key-start' });
  const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  const failing = { ...ports, startExecution: () => Promise.reject(refused) };
  await expect(startExecution(generation, failing)).rejects.toBe(refused);
  expect((await now()).status).toBe('failed');
});

it('keeps a generation running if only the response of the start was lost', async () => {
  const { ports, now, generation } = await newGeneration({ 'provider-a': SILENT });
  await stores.generations.begin(
    { id: generation.id, attempt: 1, invocationId: 'i' },
    generation.log[0] as GenerationEvent,
  );
  await startExecution(generation, { ...ports, startExecution: () => Promise.reject(new Error('lost')) });
  expect((await now()).status).toBe('running');
});

it('cools a provider down for 30 s, doubled up to 10 min', async () => {
  let now = 1_000_000;
  const own = await startStores(() => now);
  const pauses: number[] = [];
  for (let failure = 0; failure < 7; failure++) {
    await own.providerStore.coolDown('provider-c');
    const from = now;
    while ((await own.providerStore.current()).cooling['provider-c']) now += 15_000;
    pauses.push((now - from) / 1000);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
  // A failure counts after its cool-down, until a success clears it.
  expect(await own.providerStore.current()).toEqual({ failed: ['provider-c'], cooling: {}, lately: {} });
  const slot = newSlot('address:1', 'execution', now, 's');
  await own.providerStore.take(slot, { own: 1, service: 1 });
  await own.providerStore.free(slot, new Map(), ['provider-c']);
  expect(await own.providerStore.current()).toEqual({ failed: [], cooling: {}, lately: {} });
  await own.providerStore.coolDown('provider-c', 45);
  now += 44_000;
  expect((await own.providerStore.current()).cooling).toEqual({ 'provider-c': now + 1_000 });
});

describe('images', () => {
  const images = [{ path: 'assets/a.png', content: png(2, 1) }];
  const withImages = (providers: Parameters<typeof newGeneration>[0], duration: '5min' | 'auto' = 'auto') =>
    newGeneration(providers, { duration, given: { images } });

  it('are no project by themselves', async () => {
    const empty = answers();
    const { invoke, settle, now } = await withImages({ 'provider-a': empty, 'provider-b': empty });
    for (const attempt of [1, 2, 3]) {
      await expect(invoke(attempt)).rejects.toThrow('no file between markers');
      await settle(attempt);
    }
    expect((await now()).status).toBe('failed');
    await expect(generateResponse(await now(), stores.files, 0)).rejects.toMatchObject({ status: 503 });
  });

  it('go to every attempt, which cannot change them, and count as written if they are planned', async () => {
    const asked: AttemptRequest[] = [];
    const { invoke, now } = await withImages(
      {
        'provider-a': async function* (request) {
          asked.push(request);
          if (!request.plan) yield text('<plan>\nindex.html: a\nstyle.css: b\nassets/a.png: b\n</plan>\n');
          yield* [file('assets/a.png'), file('assets/A.PNG')];
          yield request.plan ? file('style.css', ':root{}') : file('index.html', '<img src="assets/a.png">');
          yield* DONE;
        },
      },
      '5min',
    );
    expect(await invoke(1)).toMatchObject({ status: 'running' });
    expect(await invoke(2)).toMatchObject({ status: 'succeeded' });
    for (const request of asked) expect(request).toMatchObject({ edits: false, images });
    expect(asked.map(({ unwritten }) => unwritten.map(({ path }) => path))).toEqual([[], ['style.css']]);
    const generation = await now();
    expect(generation.problems).toEqual([]);
    const { files, tokensUsed } = await generateResponse(generation, stores.files, 0);
    expect(files.map(({ path }) => path)).toEqual(['assets/a.png', 'index.html', 'style.css']);
    expect(Buffer.from(files[0]?.content ?? '', 'base64')).toEqual(png(2, 1));
    expect(tokensUsed).toBe(tokensOf('a page<img src="assets/a.png">\n:root{}\n'.length));
  });
});

it('reports the files that a project has no room for, and keeps writing those that it has', async () => {
  const { invoke, now } = await newGeneration({
    'provider-a': async function* () {
      for (let i = 0; i < 201; i++) yield file(`${i}.txt`);
      yield file('large.txt', 'a'.repeat(1_048_577));
      yield file('1.txt', 'a'.repeat(1_048_577));
      yield file('1.txt', 'small again\n');
      yield file('0.txt', 'again\n');
      yield* DONE;
    },
  });
  for (let attempt = 1, status = 'running'; status === 'running'; attempt++) status = (await invoke(attempt)).status;
  const generation = await now();
  expect(generation.status).toBe('incomplete');
  expect(await paths(now)).toHaveLength(200);
  expect(generation.problems).toEqual([
    expect.stringMatching(/^large\.txt: .* would have more than 1,048,576 bytes/),
    expect.stringMatching(/^200\.txt: .* would give the project more than 200 files$/),
  ]);
});
