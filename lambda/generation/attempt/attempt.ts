import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { retryUntil } from '../../platform/retry.ts';
import { baseOf, type ProjectContents, withChanges } from '../../stored/project-contents.ts';
import type { ProjectFileStore } from '../../stored/project-file-store.ts';
import { filesOf } from '../../stored/stored-project.ts';
import type { CooldownStore } from '../cooldown-store.ts';
import { timeLeft } from '../durations.ts';
import { newProblems } from '../edits/new-problems.ts';
import {
  type Attempt,
  type Generation,
  imagesOf,
  leftOut,
  missingFrom,
  unwrittenFiles,
} from '../generation.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import type { Provider } from '../providers/provider.ts';
import { recordIfOver, type UsageRecorder } from '../record-usage.ts';
import { WORKFLOW_ERRORS, type WorkflowState, workflowState } from '../workflow.ts';
import { readUnfinished, sentence, staticRequest } from './attempt-request.ts';
import type { Deadlines } from './deadlines.ts';
import { Draft } from './draft.ts';
import { FileWriter } from './file-writer.ts';
import { nextAttempt } from './next-attempt.ts';
import { Round } from './round.ts';
import { slotsOf, type Task, tasksOf } from './tasks.ts';
import { WATCH_MS, watchRound } from './watch.ts';

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
  constructor(outcome: AttemptOutcome, message: string) {
    super(message);
    const timedOut = outcome === 'timed_out' || outcome === 'silent';
    this.name = timedOut ? WORKFLOW_ERRORS.providerTimedOut : WORKFLOW_ERRORS.providerFailed;
  }
}

/** How long a storage call is retried: an outage of S3 or DynamoDB rarely lasts longer than seconds. */
const STORAGE_RETRY_MS = 30_000;

/** Outcomes after which a provider cools down. */
const COOLING: ReadonlySet<AttemptOutcome | undefined> = new Set<AttemptOutcome>([
  'overloaded',
  'credentials',
  'silent',
]);

type Retry = <T>(call: () => Promise<T>) => Promise<T>;

/** The project before the generation, and before the round. */
interface States {
  readonly base: ProjectContents;
  readonly project: ProjectContents;
}

/**
 * Makes one attempt of a generation, or several at the same time: each is one call of one provider. Complete files are stored
 * and logged as they arrive, so they survive however an attempt ends.
 * @param invocationId the Lambda invocation. A second invocation of the same attempt never calls a provider; it waits for the
 *   first one and returns the same state.
 * @throws AttemptError when nothing of any answer can be kept, for the state machine to catch
 */
export async function runAttempt(
  { id, attempt }: WorkflowState,
  invocationId: string,
  ports: AttemptPorts,
): Promise<WorkflowState> {
  const { generations, clock, deadlines, files } = ports;
  const startedAt = clock();
  const retry: Retry = (call) =>
    retryUntil(Math.min(clock() + STORAGE_RETRY_MS, startedAt + deadlines.totalMs), call, clock);
  const invocation: Invocation = { id, attempt, invocationId };
  const { tasks, started } = await retry(async () => {
    return beginning(await generations.get(id), attempt, startedAt, ports);
  });
  const generation = await retry(() => generations.begin(invocation, { type: 'attempt', ...started }));
  if (!generation) return waitForOther(id, attempt, ports);

  const base = await retry(() => baseOf(generation, files));
  const project = await retry(() => withChanges(base, generation, files));
  const unfinished = await retry(() => readUnfinished(generation, files));
  const paces = new Map<ProviderName, number>();
  const writer = new FileWriter(project.keys(), generation, invocation, {
    ...{ generations, files, retry },
    abort: (reason) => round.stop(reason),
  });
  const round = new Round(generation, started, tasks, new Draft(generation, project, unfinished), {
    writer,
    provider: ports.provider,
    request: (task) => staticRequest(task, generation, base, project),
    onEnd: async (ended, pace) => {
      if (pace !== undefined) paces.set(ended.provider, pace);
      await coolDown(generation, ended, ports);
    },
    clock,
    deadlines: {
      ...deadlines,
      totalMs: Math.min(deadlines.totalMs, timeLeft(generation, startedAt, deadlines.totalMs)),
    },
  });
  const endWatch = watchRound(round, invocation, generations);
  await round.run().finally(endWatch);
  await keepPaces(generation, paces, ports);
  if (round.isTakenOver) return workflowState(await retry(() => generations.get(id)));
  return retry(() => finish(invocation, round, { base, project }, writer.generation, ports));
}

/** Returns what a round is to do, and the attempt with which it begins. */
function beginning(
  generation: Generation,
  attempt: number,
  startedAt: number,
  ports: AttemptPorts,
): { readonly tasks: [Task, ...Task[]]; readonly started: Attempt } {
  const { provider: name } = generation;
  const { model, parallel } = ports.provider(name);
  const tasks = tasksOf(generation, slotsOf(generation, parallel));
  const [{ kind, group }] = tasks;
  return {
    tasks,
    started: { attempt, provider: name, model: `${name}/${model}`, kind, group, startedAt },
  };
}

/** Errors are only logged: a missing cool-down costs the next generation an attempt, but never this one its project. */
async function coolDown(
  { id, failedLately }: Generation,
  { provider, outcome, retryAfterSeconds }: Attempt,
  { cooldowns }: AttemptPorts,
): Promise<void> {
  const recovered = outcome === 'succeeded' && failedLately.includes(provider);
  const change = COOLING.has(outcome)
    ? cooldowns.add(provider, retryAfterSeconds)
    : recovered && cooldowns.clear(provider);
  await Promise.resolve(change).catch((error: unknown) =>
    log.error('cool-down not written', { generation: id, provider, error }),
  );
}

/** A pace that changed less is not worth a write. */
const NEW_PACE = 0.25;
/** Characters per second that no model reaches, but `blueprint`. */
const FASTEST_MODEL = 20_000;

/** Keeps how fast the providers write, for the instructions of later generations. Errors are only logged. */
async function keepPaces(
  { id, paces = {} }: Generation,
  measured: ReadonlyMap<ProviderName, number>,
  { cooldowns }: AttemptPorts,
): Promise<void> {
  for (const [provider, pace] of measured) {
    const known = paces[provider] ?? 0;
    if (pace > FASTEST_MODEL || Math.abs(pace - known) < known * NEW_PACE) continue;
    await cooldowns
      .keepPace(provider, Math.round(pace))
      .catch((error: unknown) => log.error('pace not written', { generation: id, provider, error }));
  }
}

/** Writes the ends of the attempts. @throws AttemptError */
async function finish(
  invocation: Invocation,
  round: Round,
  states: States,
  generation: Generation,
  ports: AttemptPorts,
): Promise<WorkflowState> {
  const [last] = round.ended.toReversed();
  if (last === undefined) throw new Error('The round has no attempt');
  const isUseful = round.draft.isPlanned || round.ended.some(isKept);
  if (isUseful) return advance(last, round, states, generation, ports);
  await ports.generations.append(invocation, round.pending, generation.log.length);
  throw new AttemptError(last.outcome ?? 'failed', last.reason ?? last.outcome ?? '');
}

function isKept({ outcome, files = 0, unfinished }: Attempt): boolean {
  return outcome === 'succeeded' || files > 0 || unfinished !== undefined;
}

/** Writes the ends of the attempts together with what follows: the next attempt, or the end of the generation. */
async function advance(
  ended: Attempt,
  round: Round,
  { base, project }: States,
  generation: Generation,
  { generations, usage, clock, deadlines }: AttemptPorts,
): Promise<WorkflowState> {
  const now = clock();
  const after = storedProject(round.draft.files, project, generation);
  const wrong = newProblems(after, base).map(sentence);
  const log = [...generation.log, ...round.pending];
  const sentBack = ended.kind === 'write' ? leftOut({ log }).length : 0;
  const problems = unwrittenFiles(generation).length + wrong.length + sentBack;
  const next = nextAttempt({ ...generation, log }, problems, now, deadlines.totalMs);
  const unused = ended.matched === undefined ? [] : unusedImages(generation, after);
  const { id } = generation;
  const end = { finishedAt: now, problems: [...missingFrom({ id, log }, ended), ...wrong, ...unused] };
  const advanced = await generations.advance(generation, round.pending, next, round.nextNumber, end);
  await recordIfOver(advanced, usage);
  return workflowState(advanced ?? (await generations.get(id)));
}

/** Returns the project after a round without changes that are not in the log. */
function storedProject(
  after: ProjectContents,
  before: ProjectContents,
  generation: Generation,
): ProjectContents {
  const stored = new Set(filesOf(generation).map(({ path }) => path));
  const project = new Map<string, string | Uint8Array>();
  for (const [path, content] of after) {
    const kept = stored.has(path) ? content : before.get(path);
    if (kept !== undefined) project.set(path, kept);
  }
  return project;
}

/** Returns a sentence for each image that a starter does not show. A model may have a reason not to use one. */
function unusedImages(generation: Generation, project: ProjectContents): string[] {
  const texts = [...project.values()].filter((content) => typeof content === 'string');
  return imagesOf(generation)
    .filter(({ path }) => !texts.some((text) => text.includes(path)))
    .map(({ path }) => `${path}: is in the project, but the starter does not show it`);
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
