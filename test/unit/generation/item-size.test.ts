import type { GenerateRequest } from '../../../lambda/contract/generate.ts';
import { type AttemptPorts, runAttempt } from '../../../lambda/generation/attempt.ts';
import { attemptsOf, isOver, planOf } from '../../../lambda/generation/generation.ts';
import type { AttemptRequest, ProviderEvent } from '../../../lambda/generation/providers/provider.ts';
import { settleAttempt } from '../../../lambda/generation/settle-attempt.ts';
import type { Given, StartPorts } from '../../../lambda/generation/start.ts';
import { filesOf } from '../../../lambda/projects/stored-project.ts';
import { type Stores, startGeneration, startStores } from '../../support/generation.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.close());

type Writing = (request: AttemptRequest) => AsyncIterable<ProviderEvent>;

/** Runs a generation to its end, as the state machine does. DynamoDB refuses items over 400 KB. */
async function generate(write: Writing, request: Partial<GenerateRequest> = {}, given: Given = {}) {
  const { generations, cooldowns, usage, files } = stores;
  const ports: StartPorts = {
    generations,
    cooldowns,
    usage,
    files,
    clock: Date.now,
    idSecret: 's',
    configured: ['provider-a'],
    startExecution: async () => {},
    stopExecution: async () => {},
  };
  const full = { prompt: 'a page', model: 'auto', duration: '10min', ...request } as const;
  const { id } = await startGeneration(full, { caller: { id: 'address:1' } }, ports, given);
  const attemptPorts: AttemptPorts = {
    ...stores,
    clock: Date.now,
    provider: () => ({ model: 'm', parallel: 8, quiet: false, write }),
    deadlines: { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 },
  };
  const settlePorts = { generations, usage, clock: Date.now, roundMs: 60_000 };
  for (;;) {
    const { attempt, ...generation } = await generations.get(id);
    if (isOver(generation)) return generations.get(id);
    await runAttempt({ id, attempt, status: 'running' }, `invocation-${attempt}`, attemptPorts).catch(() =>
      settleAttempt({ id, attempt, status: 'running', outcome: 'failed' }, settlePorts),
    );
  }
}

const text = (chunk: string): ProviderEvent => ({ type: 'text', text: chunk });
const LONG = 'ü'.repeat(120);

it('ends when a model writes every file of a large project again in each of its answers', async () => {
  let answer = 0;
  const ended = await generate(async function* () {
    answer++;
    const paths = Array.from({ length: 200 }, (_, i) => `${LONG}/${LONG}/${i}.txt`);
    yield text(paths.map((path) => `<file path="${path}">\n${answer}\n</file>\n`).join(''));
    yield { type: 'end', reason: 'length' };
  });
  expect(ended.status).toBe('incomplete');
  expect(filesOf(ended).length).toBe(200);
  expect(ended.problems).toContainEqual(
    expect.stringContaining(
      'not changed, because the change would make the record of the generation too large',
    ),
  );
  expect(ended.problems?.length).toBeLessThanOrEqual(41);
});

it('takes 1,000 files of a plan with the longest prompts', async () => {
  const prompt = '😀'.repeat(10_000);
  const locked = Array.from({ length: 50 }, (_, i) => `${'ü'.repeat(250)}${i}`);
  const lines = Array.from({ length: 2_000 }, (_, i) => `${(i % 8) + 1} ${i}.txt: ü`);
  const ended = await generate(
    async function* ({ unwritten, plan }) {
      if (!plan) yield text(`<plan>\n${lines.join('\n')}\n</plan>\n`);
      const files = plan ? unwritten : [{ path: '0.txt' }];
      yield text(files.map(({ path }) => `<file path="${path}">\n${path}\n</file>\n`).join(''));
      yield text('<done/>\n');
      yield { type: 'end', reason: 'complete' };
    },
    { prompt, locked },
    { parent: undefined },
  );
  expect(planOf(ended)?.files).toHaveLength(1_000);
  expect(ended.status).toBe('incomplete');
  expect(filesOf(ended)).toHaveLength(200);
  expect(ended.problems?.at(-1)).toMatch(/^and \d+ more$/);
});

it('takes 100 attempts that are rejected with long reasons', async () => {
  let answer = 0;
  const ended = await generate(async function* () {
    answer++;
    const bad = Array.from({ length: 300 }, (_, i) => `<file path="../${LONG}${i}">\nx\n</file>\n`);
    yield text(bad.join(''));
    yield text(`<file path="${answer}.txt">\nx\n</file>\n`);
    yield { type: 'end', reason: 'length' };
  });
  expect(ended.status).toBe('incomplete');
  expect(attemptsOf(ended).length).toBeGreaterThan(20);
  expect(ended.problems?.length).toBeLessThanOrEqual(41);
});
