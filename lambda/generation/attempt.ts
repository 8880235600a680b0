import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { retryUntil } from '../platform/retry.ts';
import type { ProjectFileStore } from '../projects/project-file-store.ts';
import { deletedOf, filesOf } from '../projects/stored-project.ts';
import { baseOf, type Project, withChanges } from '../projects/whole-project.ts';
import type { CooldownStore } from './cooldown-store.ts';
import type { Deadlines } from './deadlines.ts';
import { newProblems } from './edits/new-problems.ts';
import { FileWriter, StorageUnreachable } from './file-writer.ts';
import {
  type Attempt,
  type Generation,
  imagesOf,
  leftOut,
  missingFrom,
  type Outcome,
  unwrittenFiles,
  writtenFiles,
} from './generation.ts';
import type { GenerationStore, Invocation } from './generation-store.ts';
import { nextAttempt } from './next-attempt.ts';
import type { Change } from './project.ts';
import { callProvider, interrupted, type ProviderResult } from './provider-call.ts';
import type { Provider } from './providers/provider.ts';
import { recordIfOver, type UsageRecorder } from './record-usage.ts';
import { WORKFLOW_ERRORS, type WorkflowState, workflowState } from './workflow.ts';

export interface AttemptPorts {
  readonly generations: GenerationStore;
  readonly files: ProjectFileStore;
  readonly cooldowns: CooldownStore;
  readonly usage: UsageRecorder;
  readonly provider: (name: ProviderName) => Provider;
  readonly clock: Clock;
  readonly deadlines: Deadlines;
}

/** An attempt that ends without a file. The state machine catches it by its name. */
export class AttemptError extends Error {
  constructor(outcome: Outcome, message: string) {
    super(message);
    const timedOut = outcome === 'timed_out' || outcome === 'silent';
    this.name = timedOut ? WORKFLOW_ERRORS.providerTimedOut : WORKFLOW_ERRORS.providerFailed;
  }
}

/** Interval of the checks for cancellation or takeover: a canceled generation stops its provider within two of them. */
const WATCH_MS = 800;

/** How long a storage call is retried: an outage of S3 or DynamoDB rarely lasts longer than seconds. */
const STORAGE_RETRY_MS = 30_000;

/** Outcomes after which a provider cools down. */
const COOLING: ReadonlySet<Outcome | undefined> = new Set<Outcome>(['overloaded', 'credentials', 'silent']);

type Retry = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Makes one attempt of a generation: one call of one provider. Complete files are stored and logged as they arrive, so they
 * survive however the attempt ends.
 * @param invocationId the Lambda invocation. A second invocation of the same attempt never calls the provider; it waits for
 *   the first one and returns the same state.
 * @throws AttemptError when the provider wrote no file, for the state machine to catch
 */
export async function runAttempt(
  { id, attempt }: WorkflowState,
  invocationId: string,
  ports: AttemptPorts,
): Promise<WorkflowState> {
  const { generations, clock, deadlines } = ports;
  const startedAt = clock();
  const retry: Retry = (call) =>
    retryUntil(Math.min(clock() + STORAGE_RETRY_MS, startedAt + deadlines.totalMs), call, clock);
  const invocation: Invocation = { id, attempt, invocationId };
  const { provider: name, kind } = await retry(() => generations.get(id));
  const provider = ports.provider(name);
  const started: Attempt = { attempt, provider: name, model: `${name}/${provider.model}`, kind, startedAt };
  const generation = await retry(() => generations.begin(invocation, { type: 'attempt', ...started }));
  if (!generation) return waitForOther(id, attempt, ports);

  const base = await retry(() => baseOf(generation, ports.files));
  const project = await retry(() => withChanges(base, generation, ports.files));
  const states = { base, project };
  const { result, stored } = await writeFiles(generation, provider, invocation, states, retry, ports);
  if (result.outcome === undefined) return workflowState(await retry(() => generations.get(id)));
  const { outcome, reason, tokens, matched, rejected, cause } = result;
  if (cause !== undefined)
    log.error('attempt failed', { generation: id, attempt, provider: name, error: cause });
  const ended: Attempt = {
    ...started,
    outcome,
    reason,
    ms: clock() - startedAt,
    tokens,
    files: stored,
    matched,
    rejected,
  };
  await coolDown(generation, ended, result.retryAfterSeconds, ports);
  if (stored === 0 && outcome !== 'succeeded') {
    const { length } = (await retry(() => generations.get(id))).log;
    await retry(() => generations.append(invocation, [{ type: 'attempt', ...ended }], length));
    throw new AttemptError(outcome, reason ?? outcome);
  }
  return retry(async () => advance(ended, states, result.changes, ports, await generations.get(id)));
}

/** The project before the generation, and before the attempt. */
interface States {
  readonly base: Project;
  readonly project: Project;
}

/** Calls the provider and stores what it writes. */
async function writeFiles(
  generation: Generation,
  provider: Provider,
  invocation: Invocation,
  { base, project }: States,
  retry: Retry,
  ports: AttemptPorts,
): Promise<{ readonly result: ProviderResult; readonly stored: number }> {
  const { prompt, duration, kind, locked = [], origin } = generation;
  const abort = new AbortController();
  const writer = new FileWriter(project.keys(), generation.log.length, invocation, {
    ...ports,
    retry,
    abort: (reason) => abort.abort(reason),
  });
  const watch = setInterval(async () => {
    const now = await ports.generations.find(generation.id).catch(() => generation);
    if (now !== generation && now?.invocationId !== invocation.invocationId) abort.abort();
  }, WATCH_MS);
  try {
    const images = imagesOf(generation).map(({ path }) => ({ path, content: project.get(path) ?? '' }));
    const request = {
      ...{ prompt, duration, kind, images, origin },
      locked: [...locked, ...images.map(({ path }) => path)],
      edits: generation.base !== undefined,
      files: Array.from(project, ([path, content]) => ({
        path,
        content: typeof content === 'string' ? content : undefined,
      })),
      changed: [...writtenFiles(generation).map(({ path }) => path), ...deletedOf(generation)],
      unwritten: unwrittenFiles(generation),
      problems:
        kind === 'repair' ? [...newProblems(project, base).map(sentence), ...leftOut(generation)] : [],
    };
    const result = await callProvider(provider, request, ports.deadlines, abort, (changes) =>
      writer.add(changes),
    );
    const failure = await writer.finish(result.plan, result.matched).catch((error: unknown) => error);
    if (failure !== undefined && !(failure instanceof StorageUnreachable)) throw failure;
    const { rejected: tooMuch } = writer;
    const rejected =
      tooMuch.size > 0 ? { ...result.rejected, ...Object.fromEntries(tooMuch) } : result.rejected;
    return { result: { ...result, rejected, ...(failure && interrupted(failure)) }, stored: writer.count };
  } finally {
    clearInterval(watch);
  }
}

/** Errors are only logged: a missing cool-down costs the next generation an attempt, but never this one its project. */
async function coolDown(
  { id, failedLately }: Generation,
  { provider, outcome }: Attempt,
  retryAfter: number | undefined,
  { cooldowns }: AttemptPorts,
): Promise<void> {
  const recovered = outcome === 'succeeded' && failedLately.includes(provider);
  const change = COOLING.has(outcome)
    ? cooldowns.add(provider, retryAfter)
    : recovered && cooldowns.clear(provider);
  await Promise.resolve(change).catch((error: unknown) =>
    log.error('cool-down not written', { generation: id, provider, error }),
  );
}

/** Writes the attempt's end together with what follows it: the next attempt, or the end of the generation. */
async function advance(
  ended: Attempt,
  { base, project }: States,
  changes: readonly Change[],
  { generations, usage, clock }: AttemptPorts,
  generation: Generation,
): Promise<WorkflowState> {
  const now = clock();
  const after = new Map(project);
  const stored = new Set(filesOf(generation).map(({ path }) => path));
  for (const { path, content } of changes) {
    if (content === null) after.delete(path);
    else if (stored.has(path)) after.set(path, content);
  }
  const wrong = newProblems(after, base).map(sentence);
  const event = { type: 'attempt', ...ended } as const;
  const log = [...generation.log, event];
  const sentBack = ended.kind === 'write' ? leftOut({ log }).length : 0;
  const problems = unwrittenFiles(generation).length + wrong.length + sentBack;
  const next = nextAttempt({ ...generation, log }, ended, problems, now);
  const unused = ended.matched === undefined ? [] : unusedImages(generation, after);
  const end = { finishedAt: now, problems: [...missingFrom({ log }, ended), ...wrong, ...unused] };
  const advanced = await generations.advance(generation.id, ended.attempt, [event], next, end);
  await recordIfOver(advanced, usage);
  return workflowState(advanced ?? (await generations.get(generation.id)));
}

/** Returns a sentence for each image that a starter does not show. A model may have a reason not to use one. */
function unusedImages(generation: Generation, project: Project): string[] {
  const texts = [...project.values()].filter((content) => typeof content === 'string');
  return imagesOf(generation)
    .filter(({ path }) => !texts.some((text) => text.includes(path)))
    .map(({ path }) => `${path}: is in the project, but the starter does not show it`);
}

function sentence({ path, message }: { path: string; message: string }): string {
  return `${path}: ${message}`;
}

/** Waits for the invocation that owns the attempt. If that one died, the state machine's timeout ends the wait. */
async function waitForOther(
  id: string,
  attempt: number,
  { generations }: AttemptPorts,
): Promise<WorkflowState> {
  for (;;) {
    const state = workflowState(await generations.get(id));
    if (state.attempt !== attempt || state.status !== 'running') return state;
    await sleep(WATCH_MS);
  }
}
