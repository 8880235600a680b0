import { setTimeout } from 'node:timers/promises';
import type { GenerateRequest, ProviderName } from '../../../lambda/contract/generate.ts';
import { cancelGeneration, type GeneratePorts, startExecution } from '../../../lambda/generation/generate.ts';
import { attemptsOf, filesOf, type JobEvent } from '../../../lambda/generation/job.ts';
import {
  type PassRequest,
  type Provider,
  type ProviderEvent,
  ProviderFailure,
} from '../../../lambda/generation/providers/provider.ts';
import { type RunPorts, runStep } from '../../../lambda/generation/run.ts';
import { settle } from '../../../lambda/generation/settle.ts';
import { type Stores, startGeneration, startStores } from '../../support/generation.ts';

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });
const file = (path: string, content = path) => text(`<file path="${path}">\n${content}\n</file>\n`);
const DONE = text('<done/>\n');
const END: ProviderEvent = { type: 'end', reason: 'complete' };

type Writing = (request: PassRequest, signal: AbortSignal) => AsyncIterable<ProviderEvent>;

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.close());

/** A job with these providers, and the means to run its steps as the state machine would. */
async function newJob(
  providers: Partial<Record<ProviderName, Writing>>,
  request: Partial<GenerateRequest> = {},
  key?: string,
) {
  const { jobs, cooldowns } = stores;
  const started: string[] = [];
  const ports: GeneratePorts = {
    ...{
      jobs,
      cooldowns,
      clock: Date.now,
      secret: 's',
      configured: Object.keys(providers) as ProviderName[],
    },
    startExecution: async (name) => void started.push(name),
    stopExecution: async () => {},
  };
  const full = { prompt: 'a page', model: 'auto', duration: 'auto', ...request } as const;
  const job = await startGeneration(full, { caller: { id: 'address:1' }, idempotencyKey: key }, ports);
  const runPorts: RunPorts = {
    ...stores,
    clock: Date.now,
    provider: (name): Provider => ({ model: 'm', write: providers[name] as Writing }),
    deadlines: { totalMs: 5_000, firstMs: 1_000, stallMs: 1_000 },
  };
  let runs = 0;
  const step = (number: number) =>
    runStep({ id: job.id, step: number, status: 'running' }, `run-${++runs}`, runPorts);
  const caught = (number: number, outcome: 'failed' | 'timed_out' = 'failed') =>
    settle({ id: job.id, step: number, status: 'running', outcome }, { jobs, clock: Date.now });
  return { job, ports, step, caught, started, now: () => jobs.existing(job.id) };
}

/** Looks at the job until it is so. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(10);
}

const paths = async (now: () => ReturnType<Stores['jobs']['existing']>) =>
  filesOf(await now()).map(({ path }) => path);

it('announces a file as soon as it is complete, and keeps it when the run dies', async () => {
  const { step, caught, now } = await newJob({
    'provider-a': async function* () {
      yield file('index.html');
      yield text('<file path="half.js">\nlet a =');
      await new Promise(() => {});
    },
    'provider-b': async function* ({ files }) {
      expect(files).toMatchObject([{ path: 'index.html', content: 'index.html\n' }]);
      yield file('half.js');
      yield DONE;
      yield END;
    },
  });
  const running = step(1);
  await until(async () => (await paths(now)).length > 0);
  expect(await paths(now)).toEqual(['index.html']);
  expect((await now()).step).toBe(1);
  expect(await running).toMatchObject({ step: 2, status: 'running' });
  expect(await step(2)).toMatchObject({ status: 'succeeded' });
  const job = await now();
  expect(attemptsOf(job)).toMatchObject([
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
  expect(await caught(2)).toMatchObject({ status: 'succeeded' });
});

it('asks no provider twice for one step, and gives the second invocation the answer of the first', async () => {
  let asked = 0;
  const { step } = await newJob({
    'provider-a': async function* () {
      asked++;
      await setTimeout(200);
      yield file('index.html');
      yield DONE;
      yield END;
    },
  });
  const [first, second] = await Promise.all([step(1), setTimeout(50).then(() => step(1))]);
  expect(second).toEqual(first);
  expect(await step(1)).toEqual(first);
  expect(asked).toBe(1);
});

it('stops a provider within two seconds of a cancel, and writes nothing after it', async () => {
  let aborted = 0;
  const { job, ports, step, now } = await newJob({
    'provider-a': async function* (_request, signal) {
      yield file('index.html');
      signal.addEventListener('abort', () => (aborted = Date.now()));
      for (;;) {
        await setTimeout(50, undefined, { signal });
        yield { type: 'activity' };
      }
    },
  });
  const running = step(1);
  await until(async () => (await paths(now)).length > 0);
  const canceledAt = Date.now();
  await cancelGeneration(job, ports);
  expect(await running).toMatchObject({ status: 'canceled' });
  expect(aborted - canceledAt).toBeLessThan(2_000);
  expect((await now()).status).toBe('canceled');
  expect(await cancelGeneration(job, ports)).toMatchObject({ status: 'canceled' });
});

it('refuses to cancel a generation that is over', async () => {
  const { job, ports, step } = await newJob({
    'provider-a': async function* () {
      yield file('index.html');
      yield DONE;
      yield END;
    },
  });
  await step(1);
  await expect(cancelGeneration(job, ports)).rejects.toMatchObject({ code: 'conflict' });
});

it('asks a provider again after the function died, and begins where its files end', async () => {
  let asked = 0;
  const { step, caught, now } = await newJob({
    'provider-a': async function* ({ files }) {
      asked++;
      if (files.length === 0) {
        yield file('index.html');
        await new Promise(() => {});
      }
      yield file('app.js');
      yield DONE;
      yield END;
    },
    'provider-b': async function* () {
      yield file('of-another-provider.html');
    },
  });
  void step(1);
  await until(async () => (await paths(now)).length > 0);
  expect(await caught(1, 'failed')).toMatchObject({ step: 2, status: 'running' });
  expect(await step(2)).toMatchObject({ status: 'succeeded' });
  expect(asked).toBe(2);
  expect(await paths(now)).toEqual(['index.html', 'app.js']);
  expect(attemptsOf(await now()).map(({ outcome }) => outcome)).toEqual(['interrupted', 'succeeded']);
});

it('is incomplete when the last answer broke off and nobody is left to continue it', async () => {
  const { step, now } = await newJob({
    'provider-a': async function* () {
      yield file('index.html');
      throw new ProviderFailure('failed', 'reset');
    },
  });
  expect(await step(1)).toMatchObject({ status: 'incomplete' });
  expect((await now()).problems).toEqual([expect.stringContaining('The last attempt ended early')]);
});

it('a run whose step was settled meanwhile changes nothing', async () => {
  const settled = Promise.withResolvers<void>();
  const { step, caught, now } = await newJob({
    'provider-a': async function* () {
      yield { type: 'activity' };
      await settled.promise;
      yield file('late.html');
      yield DONE;
      yield END;
    },
    'provider-b': async function* () {
      yield file('index.html');
      yield DONE;
      yield END;
    },
  });
  const late = step(1);
  await until(async () => attemptsOf(await now()).length > 0);
  expect(await caught(1, 'timed_out')).toMatchObject({ step: 2, status: 'running' });
  expect(await caught(1, 'timed_out')).toMatchObject({ step: 2, status: 'running' });
  expect(await step(2)).toMatchObject({ status: 'succeeded' });
  settled.resolve();
  expect(await late).toMatchObject({ status: 'succeeded' });
  expect(await paths(now)).toEqual(['index.html']);
  expect(attemptsOf(await now()).map(({ outcome }) => outcome)).toEqual(['timed_out', 'succeeded']);
});

it('repairs once, with what is wrong, and notes what stays', async () => {
  const asked: PassRequest[] = [];
  const { step, now } = await newJob({
    'provider-a': async function* (request) {
      asked.push(request);
      yield file(
        'index.html',
        '<!doctype html><title>t</title><script src="app.js"></script><script src="b.js"></script>',
      );
      if (request.pass === 'repair') yield file('app.js', 'console.info(1);');
      yield DONE;
      yield END;
    },
  });
  expect(await step(1)).toMatchObject({ step: 2, status: 'running' });
  expect(await step(2)).toMatchObject({ step: 3, status: 'succeeded' });
  expect(asked[1]).toMatchObject({
    pass: 'repair',
    problems: [expect.stringContaining('app.js'), expect.stringContaining('b.js')],
  });
  expect((await now()).problems).toEqual([expect.stringContaining('b.js')]);
});

it('writes what the plan lacks', async () => {
  const lacking: string[][] = [];
  const { step, now } = await newJob(
    {
      'provider-a': async function* (request) {
        if (request.pass === 'plan') yield text('<plan>\na.md: one\nb.md: two\nc.md: three\n</plan>\n');
        else {
          lacking.push(request.lacking.map(({ path }) => path));
          for (const { path } of request.lacking.slice(0, 2)) yield file(path);
        }
        yield DONE;
        yield END;
      },
    },
    { duration: '5min' },
  );
  for (const number of [1, 2]) expect(await step(number)).toMatchObject({ status: 'running' });
  expect(await step(3)).toMatchObject({ status: 'succeeded' });
  expect(lacking).toEqual([['a.md', 'b.md', 'c.md'], ['c.md']]);
  expect((await now()).log.map(({ type }) => type)).toEqual([
    ...['queued', 'attempt', 'plan', 'attempt'],
    ...['attempt', 'file', 'file', 'attempt', 'attempt', 'file', 'attempt'],
  ]);
});

it('leaves an overloaded provider alone for a while, until it succeeds again', async () => {
  let overloaded = true;
  const writing: Writing = async function* () {
    if (overloaded) throw new ProviderFailure('overloaded', '529', { retryAfterSeconds: 90 });
    yield file('a.md');
    yield DONE;
    yield END;
  };
  const answer: Writing = async function* () {
    yield file('a.md');
    yield DONE;
    yield END;
  };
  const first = await newJob({ 'provider-a': writing, 'provider-b': answer });
  await expect(first.step(1)).rejects.toMatchObject({ name: 'ProviderFailed' });
  await first.caught(1);
  const second = await newJob({ 'provider-a': writing, 'provider-b': answer });
  expect(second.job).toMatchObject({
    provider: 'provider-b',
    remaining: ['provider-a'],
    failedLately: ['provider-a'],
  });
  const asked = await newJob({ 'provider-a': writing, 'provider-b': answer }, { model: 'provider-a' });
  expect(asked.job.provider).toBe('provider-a');
  overloaded = false;
  const third = await newJob({ 'provider-a': writing });
  await third.step(1);
  expect((await newJob({ 'provider-a': writing, 'provider-b': answer })).job.provider).toBe('provider-a');
});

it('the same key and body join the job there is, another body is refused', async () => {
  const providers = { 'provider-a': async function* () {} as Writing };
  const first = await newJob(providers, {}, 'key-1');
  const again = await newJob(providers, {}, 'key-1');
  expect(again.job.id).toBe(first.job.id);
  expect((await newJob(providers, {}, 'key-2')).job.id).not.toBe(first.job.id);
  await expect(newJob(providers, { prompt: 'another' }, 'key-1')).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
});

it('starts a generation again under its key once it has failed, and only once', async () => {
  const providers = { 'provider-a': async function* () {} as Writing };
  const first = await newJob(providers, {}, 'key-retry');
  await expect(first.step(1)).rejects.toMatchObject({ name: 'ProviderFailed' });
  expect(await first.caught(1)).toMatchObject({ status: 'failed' });
  const again = await Promise.all([1, 2, 3].map(() => newJob(providers, {}, 'key-retry')));
  for (const { job } of again) {
    expect(job).toMatchObject({ id: first.job.id, status: 'queued', log: [{ type: 'queued' }] });
    expect(job.step).toBeGreaterThan(1);
  }
  const names = new Set(again.flatMap(({ started }) => started));
  expect([...names]).toEqual([again[0]?.job.execution]);
  expect(names).not.toContain(first.job.execution);
});

it('leaves nothing queued when its execution cannot be started', async () => {
  const { ports, now, job } = await newJob(
    { 'provider-a': async function* () {} as Writing },
    {},
    'key-start',
  );
  const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  const failing = { ...ports, startExecution: () => Promise.reject(refused) };
  await expect(startExecution(job, failing)).rejects.toBe(refused);
  expect((await now()).status).toBe('failed');
});

it('goes on when only the response of the start was lost', async () => {
  const { ports, now, job } = await newJob({ 'provider-a': async function* () {} as Writing });
  await stores.jobs.begin(job.id, 1, 'run', job.log[0] as JobEvent);
  await startExecution(job, { ...ports, startExecution: () => Promise.reject(new Error('lost')) });
  expect((await now()).status).toBe('running');
});

it('cools down for 30 s, doubling to 10 min', async () => {
  let now = 1_000_000;
  const own = await startStores(() => now);
  try {
    const pauses: number[] = [];
    for (let failure = 0; failure < 7; failure++) {
      await own.cooldowns.add('provider-c');
      const from = now;
      while ((await own.cooldowns.current()).cooling.length > 0) now += 15_000;
      pauses.push((now - from) / 1000);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600]);
    // What is over still counts, until a success clears it.
    expect(await own.cooldowns.current()).toEqual({ failed: ['provider-c'], cooling: [] });
    await own.cooldowns.clear('provider-c');
    expect(await own.cooldowns.current()).toEqual({ failed: [], cooling: [] });
    await own.cooldowns.add('provider-c', 45);
    now += 44_000;
    expect((await own.cooldowns.current()).cooling).toEqual(['provider-c']);
  } finally {
    await own.close();
  }
});
