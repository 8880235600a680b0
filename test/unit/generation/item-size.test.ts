import type { GenerateRequest } from '../../../lambda/contract/generate.ts';
import { BUILD_LIMITS } from '../../../lambda/contract/limits.ts';
import { LOOK_LIMITS, type LookProblem } from '../../../lambda/contract/looks.ts';
import type { GenerationInputs } from '../../../lambda/generation/api/start.ts';
import { undoAmendment } from '../../../lambda/generation/attempt/quality.ts';
import { leftOut } from '../../../lambda/generation/completeness.ts';
import type { Generation, GenerationEvent } from '../../../lambda/generation/generation.ts';
import { boundedEvent, lastAmendment, planOf, roomOf } from '../../../lambda/generation/generation-log.ts';
import type { AttemptRequest, ProviderEvent } from '../../../lambda/generation/providers/provider.ts';
import { boundedProblems } from '../../../lambda/platform/bounded.ts';
import type { DeployOutcome } from '../../../lambda/stored/generations.ts';
import { filesOf } from '../../../lambda/stored/projects/stored-project.ts';
import { startContext, startGeneration, startStores } from '../../support/generation.ts';
import { attemptsOn, freeProvider, stageOn } from '../../support/written-projects.ts';

const stores = await startStores();

type Writing = (request: AttemptRequest) => AsyncIterable<ProviderEvent>;

/** Runs a generation to its end, as the state machine does. DynamoDB refuses items over 400 KB. */
async function generate(write: Writing, request: Partial<GenerateRequest> = {}, given: GenerationInputs = {}) {
  const ports = startContext(stores, ['provider-a']);
  const full = { prompt: 'a page', model: 'auto', duration: '10min', ...request } as const;
  const { id } = await startGeneration(full, { caller: { id: 'address:1' } }, ports, given);
  const provider = () => freeProvider(write, { parallel: 8 });
  const deadlines = { totalMs: 60_000, firstMs: 60_000, stallMs: 60_000 };
  return attemptsOn(stores, id, stageOn(stores, provider, { deadlines })).run();
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
  expect(leftOut(ended).at(-1)).toMatch(
    /not changed, because the change (?:would make the record of the generation too large|was rejected as well)$/,
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
  );
  expect(planOf(ended)?.files).toHaveLength(1_000);
  expect(ended.status).toBe('incomplete');
  expect(filesOf(ended)).toHaveLength(200);
  expect(ended.problems?.at(-1)).toMatch(/^and \d+ more$/);
});

const REJECTED = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`../${LONG}${i}`, 'ü'.repeat(1_000)]));

const FILE = { type: 'file', language: 'plaintext', bytes: 1, characters: 1, key: 'k'.repeat(100) } as const;

/** As much as an attempt can leave, before it is bounded. */
const attempt = (number: number): GenerationEvent => ({
  type: 'attempt',
  attempt: number,
  provider: 'provider-a',
  model: 'provider-a/a-model-with-a-name',
  kind: 'repair',
  group: 12,
  startedAt: Date.now(),
  outcome: 'cut_off',
  reason: 'ü'.repeat(2_000),
  ms: 119_999,
  tokens: 100_000,
  files: 200,
  rejected: REJECTED,
  unfinished: { path: 'ü'.repeat(512), edits: true, key: 'k'.repeat(100), attempt: number },
});

it('leaves room for the ends of attempts, of the generation and of its deploy', async () => {
  const { generations } = stores;
  const started = await generate(async function* () {
    yield text('<file path="index.html">\n<title>A</title>\n</file>\n<done/>\n');
    yield { type: 'end', reason: 'complete' };
  });
  const log = [...started.log];
  // A repair in many attempts, which is dropped in the end.
  log.push(boundedEvent(attempt(2)));
  for (let i = 0; i < 100; i++) log.push({ ...FILE, path: `${LONG}/${i}`, attempt: 2 });
  for (let number = 3; number < 100 && roomOf({ ...started, log }) > 0; number++)
    log.push(boundedEvent(attempt(number)));
  expect(log.length).toBeGreaterThan(20);
  const full: Generation = { ...started, id: 'full', status: 'running', log };
  expect(await generations.create(full)).toBe(true);
  const running = Array.from({ length: 7 }, (_, i) => attempt(100 + i));
  // The last attempt of a round has what its build found.
  const unbuilt = Array.from({ length: BUILD_LIMITS.problems }, () => '界'.repeat(2_000));
  running.push({ ...attempt(107), unbuilt } as GenerationEvent);
  const flaws = Array<LookProblem>(LOOK_LIMITS.problems).fill({
    kind: 'error',
    message: '界'.repeat(LOOK_LIMITS.characters),
    path: 'ü'.repeat(512),
  });
  running.push({ type: 'look', attempt: 107, state: 'looked', problems: flaws, widths: [390, 1280] });
  const amendment = lastAmendment({ log: [...log, ...running] });
  expect(amendment?.attempts.length).toBeGreaterThan(20);
  const base = async () => new Map(Array.from({ length: 100 }, (_, i) => [`${LONG}/${i}`, 'before']));
  const undone = await undoAmendment(full, 'ü'.repeat(2_000), stores.files, base);
  expect(undone.filter(({ type }) => type !== 'attempt')).toHaveLength(100);
  running.push(...undone);
  const problems = Array.from({ length: 500 }, () => 'ü'.repeat(2_000));
  const end = { finishedAt: Date.now(), problems };
  const advanced = await generations.advance(full, running, { status: 'deploying' }, 108, end);
  expect(advanced?.status).toBe('deploying');
  const outcome: DeployOutcome = {
    response: {
      id: 'abcdefghijkl',
      url: `https://example.com/${'a'.repeat(200)}`,
      title: '😀'.repeat(300),
      entry: 'ü'.repeat(512),
      fileCount: 200,
      version: 'v',
      updated: false,
    } as unknown as Extract<DeployOutcome, { response: unknown }>['response'],
    first: true,
    bytes: 1,
    // As `deployGeneration` returns them: percent-encoded.
    problems: boundedProblems(problems.map((problem) => encodeURI(problem))),
  };
  const ended = await generations.deployed('full', outcome, [...(advanced?.problems ?? []), ...outcome.problems]);
  expect(ended?.problems).toHaveLength(41);
  expect(ended?.problems?.at(-1)).toBe('and 960 more');
});
