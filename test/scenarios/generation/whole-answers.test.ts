import { cancelGeneration } from '../../../lambda/generation/api/start.ts';
import { attemptsOf, modelOf } from '../../../lambda/generation/generation-log.ts';
import { startStores } from '../../support/generation.ts';
import { SOAK } from '../../support/soak.ts';
import { filesIn, Model, recorded } from '../../support/vendors/model.ts';
import { type Ending, projectOf, startWriting, type Writing, writeProject } from '../../support/written-projects.ts';

const ANSWER = recorded('finance');
const FILES = filesIn(ANSWER);
const PLAN = recorded('finance-plan');
const planned = new Model(FILES, PLAN);

const stores = await startStores();

const sorted = (files: ReadonlyMap<string, unknown>) => Array.from(files).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Returns how a generation differs from one that wrote the whole project; empty if it does not. */
async function defectsOf(writing: Writing): Promise<string[]> {
  const { generation, files } = await writeProject(stores, writing);
  const { status, problems = [] } = generation;
  const paths = new Set([...files.keys(), ...FILES.keys()]);
  const wrong = Array.from(paths).filter((path) => files.get(path) !== FILES.get(path));
  return [...(status === 'succeeded' ? [] : [status]), ...problems, ...wrong.map((path) => `differs: ${path}`)];
}

it('completes one large file in many answers', async () => {
  const script = `<script type="module">\n${FILES.get('src/csv.js')}</script>\n`;
  const html = `<!doctype html>\n<title>One</title>\n<style>\n${FILES.get('style.css')}</style>\n${script.repeat(6)}`;
  const page = new Map([['index.html', html]]);
  const model = new Model(page);
  const endings: Writing['endings'] = ({ request }) =>
    (request.unfinished?.lines.length ?? 0) < 1_000 ? { at: 9_000, how: 'length' } : undefined;
  const { generation, files } = await writeProject(stores, { answer: (text) => model.answer(text), endings });
  expect(generation.problems).toEqual([]);
  expect(attemptsOf(generation).length).toBeGreaterThan(5);
  expect(sorted(files)).toEqual(Array.from(page));
});

describe('groups', () => {
  const writing = { answer: (message: string) => planned.answer(message), parallel: 4 };

  it('are written at the same time as soon as the plan has arrived, a style sheet after its page', async () => {
    let [running, most] = [0, 0];
    const asked: string[][] = [];
    const shown: string[][] = [];
    const appended = jest.spyOn(stores.generations, 'append');
    const { generation, files } = await writeProject(stores, {
      ...writing,
      answer: (message) => {
        most = Math.max(most, ++running);
        return planned.answer(message);
      },
      pauseMs: 2,
      onCall: (_name, { unwritten, files }) => {
        asked.push(unwritten.map(({ path }) => path));
        shown.push(files.map(({ path }) => path));
      },
    });
    expect({ status: generation.status, most }).toEqual({ status: 'succeeded', most: 4 });
    // One write for each file, as for a project without groups, and one for the plan.
    expect(appended.mock.calls.length).toBeLessThanOrEqual(FILES.size + 1);
    appended.mockRestore();
    expect(sorted(files)).toEqual(sorted(FILES));
    expect(asked).toEqual([
      [],
      ['src/app.js'],
      ['src/csv.js', 'src/ledger.js', 'src/store.js', 'src/view.js', 'README.md'],
      ['style.css'],
    ]);
    expect(shown.map(([first]) => first)).toEqual([undefined, undefined, undefined, 'index.html']);
    const attempts = attemptsOf(generation);
    expect(attempts.map(({ group, outcome }) => `${group} ${outcome}`).toSorted()).toEqual([
      '1 succeeded',
      '2 succeeded',
      '3 succeeded',
      '4 succeeded',
    ]);
    // The plan and the beginnings of the attempts that do not wait are one write.
    const types = generation.log.map(({ type }) => type);
    expect(types.slice(0, 5)).toEqual(['queued', 'attempt', 'plan', 'attempt', 'attempt']);
  });

  const FAULTS: Readonly<Record<string, { readonly how: Ending['how']; readonly at: number; readonly times: number }>> =
    {
      'a reset in the middle': { how: 'reset', at: 5_000, times: 1 },
      'a stall in the middle': { how: 'stall', at: 5_000, times: 1 },
      'a stall before the first token': { how: 'stall', at: 0, times: 1 },
      'a failure': { how: 'failed', at: 0, times: 1 },
      'two failures': { how: 'failed', at: 0, times: 2 },
      'an overload': { how: 'overloaded', at: 0, times: 1 },
      'three overloads': { how: 'overloaded', at: 0, times: 3 },
      'an overload in the middle': { how: 'overloaded', at: 5_000, times: 1 },
      'many short answers': { how: 'length', at: 5_000, times: 4 },
    };

  it('lose nothing if one of them fails, with one provider or two', async () => {
    const faults = Object.entries(FAULTS).filter((_, i) => SOAK || i % 2 === 0);
    const cases = faults.map(([name, fault], i) => ({ name, fault, count: 1 + (i % 2) }));
    const defects = await Promise.all(
      cases.map(async ({ name, fault, count }) => {
        let left = fault.times;
        const endings: Writing['endings'] = ({ request: { unwritten } }) =>
          unwritten.some(({ path }) => path === 'src/app.js') && left-- > 0 ? fault : undefined;
        const providers = (['provider-a', 'provider-b'] as const).slice(0, count);
        return [name, await defectsOf({ ...writing, providers, endings, pauseMs: 1 })];
      }),
    );
    expect(defects.filter(([, found]) => found?.length)).toEqual([]);
  });

  it('end after a hundred attempts if a provider breaks off after every few lines', async () => {
    const { generation, files } = await writeProject(stores, {
      ...writing,
      endings: ({ request: { unwritten } }) =>
        unwritten.some(({ path }) => path === 'src/app.js') ? { at: 250, how: 'length' } : undefined,
    });
    expect(generation.status).toBe('incomplete');
    expect(attemptsOf(generation).length).toBeLessThanOrEqual(100);
    expect(files.size).toBe(FILES.size - 1);
  });

  it('write the style sheet even if nobody writes its page', async () => {
    const { generation, files } = await writeProject(stores, {
      ...writing,
      endings: ({ number, request: { unwritten } }) =>
        number === 1 || unwritten.some(({ path }) => path === 'index.html')
          ? { at: number === 1 ? PLAN.length + 20 : 0, how: 'failed' }
          : undefined,
    });
    expect(generation.status).toBe('incomplete');
    expect(files.get('style.css')).toBe(FILES.get('style.css'));
  });

  it('go to another provider if one fails, and the model is that of the first group', async () => {
    const asked: string[] = [];
    const { generation } = await writeProject(stores, {
      ...writing,
      providers: ['provider-a', 'provider-b'],
      onCall: (name, { unwritten }) => asked.push(`${name} ${unwritten[0]?.path}`),
      endings: ({ number }) => (number === 2 ? { at: 0, how: 'failed' } : undefined),
    });
    expect(asked).toContain('provider-a src/app.js');
    expect(asked).toContain('provider-b src/app.js');
    expect(modelOf(generation)).toBe('provider-a/m');
    expect(attemptsOf(generation).map(({ model }) => model)).toContain('provider-b/m');
  });

  it('are not written twice by a model that goes on after its group', async () => {
    const first = `<plan>\n${PLAN}</plan>\n${ANSWER}`;
    let written = 0;
    const { generation, files } = await writeProject(stores, {
      ...writing,
      answer: (message) => (message.includes('write the plan') ? first : planned.answer(message)),
      pauseMs: 1,
    });
    for (const { tokens = 0 } of attemptsOf(generation)) written += tokens * 4;
    expect(sorted(files)).toEqual(sorted(FILES));
    expect(generation.status).toBe('succeeded');
    expect(written).toBeLessThan(ANSWER.length * 1.35);
  });

  it('continue after the function died, without those that are whole', async () => {
    const stuck = Promise.withResolvers<void>();
    let asked = 0;
    const started = await startWriting(stores, {
      ...writing,
      onCall: () => asked++,
      endings: ({ request: { unwritten } }) =>
        asked <= 4 && unwritten.length === 5 ? { at: 9_500, how: 'stall' } : undefined,
      ports: { deadlines: { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 } },
    });
    const died = started.invoke(1).finally(() => stuck.resolve());
    const written = async () => (await started.now()).log.filter(({ type }) => type === 'file').length;
    while ((await written()) < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    const state = await started.settle(1);
    expect(state).toMatchObject({ status: 'running', attempt: 5 });
    expect(attemptsOf(await started.now()).map(({ outcome }) => outcome)).toContain('interrupted');
    expect(await started.invoke(5)).toMatchObject({ status: 'succeeded' });
    await Promise.all([died, stuck.promise]);
    expect(sorted(await projectOf(await started.now(), stores))).toEqual(sorted(FILES));
  });

  it('stop when the generation is canceled', async () => {
    const stopped: string[] = [];
    const started = await startWriting(stores, {
      ...writing,
      onCall: (_name, { unwritten }) => stopped.push(unwritten[0]?.path ?? 'first'),
      endings: ({ request: { unwritten } }) =>
        unwritten.some(({ path }) => path === 'style.css') ? { at: 0, how: 'stall' } : undefined,
      ports: { deadlines: { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 } },
    });
    const running = started.invoke(1);
    while (stopped.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    await cancelGeneration(await started.now(), started.started);
    expect(await running).toMatchObject({ status: 'canceled' });
  });
});

it('ends in the time of the duration with what is whole, and says what is missing and how to go on', async () => {
  let passedMs = 0;
  const { now, invoke } = await startWriting(stores, {
    answer: (message) => planned.answer(message),
    endings: ({ number }) => (number === 1 ? { at: 3_000, how: 'length' } : { at: 20_000, how: 'stall' }),
    ports: {
      clock: () => Date.now() + passedMs,
      deadlines: { totalMs: 100_000, firstMs: 60_000, stallMs: 60_000 },
    },
  });
  await invoke(1);
  // Two seconds before the last attempt of six minutes has to end.
  const { attempt, createdAt } = await now();
  passedMs = createdAt + 6 * 60_000 - 3_000 - 2_000 - Date.now();
  await invoke(attempt);
  const generation = await now();
  const files = await projectOf(generation, stores);
  const { status, problems = [], finishedAt = 0 } = generation;
  expect(status).toBe('incomplete');
  expect(finishedAt - createdAt).toBeLessThan(6 * 60_000);
  expect(files.get('index.html')).toBe(FILES.get('index.html'));
  expect(problems.slice(0, 3)).toEqual([
    expect.stringMatching(/^The last attempt ended early: Not done within [\d.]+ s$/),
    expect.stringMatching(/^\S+: begun, but not finished$/),
    `To have the rest written, send a request with "from": "${generation.id}"`,
  ]);
});

it('writes a plan of groups one after another if the provider allows one call at a time', async () => {
  const answer = (message: string) => planned.answer(message);
  expect(await defectsOf({ answer, duration: '5min' })).toEqual([]);
});
