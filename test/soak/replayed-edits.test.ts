import fc from 'fast-check';
import type { GenerateRequest } from '../../lambda/contract/generate.ts';
import { createGeneration } from '../../lambda/generation/api/start.ts';
import { attemptsOf } from '../../lambda/generation/generation-log.ts';
import type { AttemptRequest, ProviderEvent } from '../../lambda/generation/providers/provider.ts';
import type { SiteFile } from '../../lambda/sites/accept-files.ts';
import { hasProject } from '../../lambda/stored/projects/stored-project.ts';
import { startContext, startStores } from '../support/generation.ts';
import { type Ending, LOCKED, PROJECT, type ReplayedEdit, replayedEdit } from '../support/replayed-edits.ts';
import { attemptsOn, freeProvider, projectOf, stageOn } from '../support/written-projects.ts';

const EDITS = 200;
const WHOLE: Ending = { end: 'whole' };

const stores = await startStores();

/** Answers like a model that follows the instructions: it makes what is missing, in chunks, until its ending. */
async function* answer({ ops, givesIn, chunk }: ReplayedEdit, request: AttemptRequest, ending: Ending) {
  const missing = ops.filter(
    ({ path, result }) =>
      !request.changed.includes(path) && (request.kind === 'write' || result !== undefined || !givesIn),
  );
  const text = `${missing.map((op) => op.text).join('\n')}<done/>\n`;
  const end = ending.end === 'whole' ? text.length : Math.floor(ending.at * text.length);
  for (let at = 0; at < end; at += chunk) {
    yield { type: 'text', text: text.slice(at, Math.min(end, at + chunk)) } satisfies ProviderEvent;
  }
  const reason = ending.end === 'whole' ? 'complete' : ending.end;
  if (reason !== 'cut') yield { type: 'end', reason } satisfies ProviderEvent;
}

/** Runs an edit through the workflow's functions, and returns how it ended. */
async function run(replayed: ReplayedEdit) {
  const files = Object.entries(PROJECT).map(
    ([path, content]): SiteFile => ({ path, content, size: Buffer.byteLength(content) }),
  );
  const request: GenerateRequest = { prompt: 'change it', model: 'auto', duration: 'auto', locked: [...LOCKED] };
  const start = startContext(stores, ['provider-a', 'provider-b', 'provider-c']);
  const { id } = await createGeneration(request, { caller: { id: 'address:1' } }, start, { parent: { files } });
  let calls = 0;
  const provider = () => freeProvider((asked) => answer(replayed, asked, replayed.endings[calls++] ?? WHOLE));
  const deadlines = { totalMs: 5_000, firstMs: 5_000, stallMs: 5_000 };
  const generation = await attemptsOn(stores, id, stageOn(stores, provider, { deadlines })).run();
  return { generation, after: await projectOf(generation, stores) };
}

/** Comparable; null for a file that does not exist. */
const bytes = (content: string | Uint8Array | null | undefined) =>
  typeof content === 'string' || content ? Buffer.from(content).toString('latin1') : null;

it(`replays ${EDITS} edits without a changed byte elsewhere, and without half an edit`, async () => {
  const seen = { switches: 0, cut: 0, rejected: 0, incomplete: 0, succeeded: 0 };
  const kinds = new Set<string>();
  const damaged: object[] = [];
  // A fixed seed: every run replays the same edits.
  for (const replayed of fc.sample(replayedEdit, { numRuns: EDITS, seed: 15 })) {
    const { generation, after } = await run(replayed);
    const { status, problems = [] } = generation;
    const attempts = attemptsOf(generation);
    const paths = new Set([...Object.keys(PROJECT), ...after.keys()]);
    for (const path of paths) {
      const op = replayed.ops.find((made) => made.path === path);
      const whole = op?.result === undefined ? [] : [bytes(op.result)];
      const is = bytes(after.get(path));
      if (![bytes(PROJECT[path]), ...whole].includes(is)) damaged.push({ path, op: op?.kind, is: after.get(path) });
    }
    const missing = replayed.ops.filter(
      ({ path, result }) => result === undefined || bytes(after.get(path)) !== bytes(result),
    );
    if (status === 'succeeded') expect(missing).toEqual([]);
    if (status === 'incomplete' && attempts.findLast(({ kind }) => kind === 'write')?.outcome === 'succeeded') {
      const reported = missing.filter(({ path }) => problems.some((problem) => problem.startsWith(`${path}: `)));
      expect(reported).toEqual(missing);
    }
    if (!hasProject(generation)) expect(after.size).toBe(Object.keys(PROJECT).length);
    for (const { kind } of replayed.ops) kinds.add(kind);
    seen.switches += Number(new Set(attempts.filter(({ files }) => files).map(({ provider }) => provider)).size > 1);
    seen.cut += Number(attempts.some(({ outcome }) => outcome === 'cut_off'));
    seen.rejected += Number(attempts.some(({ rejected }) => rejected));
    if (status === 'succeeded' || status === 'incomplete') seen[status]++;
  }
  expect(damaged).toEqual([]);
  // The sample covers what it is meant to cover.
  expect(kinds.size).toBe(23);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});
