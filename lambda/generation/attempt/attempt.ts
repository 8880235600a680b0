import { setTimeout as sleep } from 'node:timers/promises';
import { type Retry, retryUntil } from '../../platform/unreachable.ts';
import { baseOf, withChanges } from '../../stored/projects/project-contents.ts';
import { freeSlot } from '../after-end.ts';
import { timeLeft } from '../durations.ts';
import { type WorkflowState, workflowState } from '../generation.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import { coolDown } from './attempt-end.ts';
import {
  attemptRequest,
  Draft,
  readScreenshots,
  readUnfinished,
  slotsOf,
  staticRequest,
  type Task,
  tasksOf,
} from './draft.ts';
import { FileWriter } from './file-writer.ts';
import { RoundEnd, type Stage } from './finish-round.ts';
import { Round, startedAttempt } from './round.ts';

/** How long a storage call is retried: an outage of S3 or DynamoDB rarely lasts longer than seconds. */
const STORAGE_RETRY_MS = 30_000;

/**
 * Interval of the checks for cancellation or takeover: a canceled generation stops its providers within two of them.
 */
const WATCH_MS = 800;
/** So many checks are one that also writes what is being written. A write costs more than a read. */
const CHECKS_PER_REPORT = 3;

/**
 * Makes one attempt of a generation, or several at the same time: each is one call of one provider. Complete files are
 * stored and logged as they arrive, so they survive however an attempt ends.
 * @param invocationId the Lambda invocation. A second invocation of the same attempt never calls a provider; it waits
 *   for the first one and returns the same state.
 * @throws AttemptError when nothing of any answer can be kept, for the state machine to catch
 */
export async function runAttempt(
  { id, attempt }: WorkflowState,
  invocationId: string,
  stage: Stage,
): Promise<WorkflowState> {
  const { generations, providerStore, files, clock, deadlines } = stage;
  const startedAt = clock();
  const retry: Retry = (call) =>
    retryUntil(Math.min(clock() + STORAGE_RETRY_MS, startedAt + deadlines.totalMs), call, clock);
  const invocation: Invocation = { id, attempt, invocationId };
  const found = await retry(() => generations.get(id));
  const provider = stage.provider(found.provider);
  const slots = slotsOf(found, provider.parallel);
  const tasks = tasksOf(found, slots);
  // Read before the attempt begins, because its first entry in the log has what it reserves.
  const base = await retry(() => baseOf(found, files));
  const project = await retry(() => withChanges(base, found, files));
  const draft = new Draft(found, project, await retry(() => readUnfinished(found, files)));
  const screenshots = found.kind === 'review' ? await retry(() => readScreenshots(found, files)) : undefined;
  const request = (task: Task) => staticRequest(task, found, base, project, stage.data, screenshots);
  const [task] = tasks;
  const pace = found.lately?.[found.provider]?.pace;
  const first = attemptRequest(task, request(task), draft, slots, pace);
  const started = startedAttempt(attempt, found.provider, provider, task, first, startedAt);
  const generation = await retry(() => generations.begin(invocation, { type: 'attempt', ...started }));
  if (!generation) return waitForOther(id, attempt, stage);

  const writer = new FileWriter(project.keys(), generation, invocation, {
    generations,
    files,
    retry,
    abort: (reason) => round.stop(reason),
  });
  const timeForRound = timeLeft(generation, startedAt, deadlines.totalMs);
  const round = new Round(generation, started, first, tasks, draft, {
    writer,
    provider: stage.provider,
    request,
    spend: stage.spendingOf(generation, retry),
    onEnd: (ended) => coolDown(generation, ended, providerStore),
    clock,
    deadlines: { ...deadlines, totalMs: Math.min(deadlines.totalMs, timeForRound) },
  });
  const endWatch = watchRound(round, invocation, generations);
  await round.run().finally(endWatch);
  if (round.isTakenOver) {
    const current = await retry(() => generations.get(id));
    // The function that canceled it may have died before it did this.
    await freeSlot(current, stage);
    return workflowState(current);
  }
  return retry(() => new RoundEnd(invocation, round, { base, project }, writer.generation, stage).run());
}

/** Waits for the invocation that owns the attempt. If that one died, the state machine's timeout ends the wait. */
async function waitForOther(id: string, attempt: number, { generations }: Stage): Promise<WorkflowState> {
  for (;;) {
    const state = workflowState(await generations.get(id));
    if (state.attempt !== attempt || state.status !== 'running') return state;
    await sleep(WATCH_MS);
  }
}

/**
 * Stops a round when its generation is canceled or another invocation owns it, and reports the files that are being
 * written.
 * @returns a function that ends the watch
 */
function watchRound(round: Round, invocation: Invocation, generations: GenerationStore): () => void {
  let checks = 0;
  let reported = '[]';
  const isOwned = async (): Promise<boolean> => {
    const { writing } = round;
    const report = JSON.stringify(writing);
    if (++checks % CHECKS_PER_REPORT === 0 && report !== reported) {
      reported = report;
      return (await generations.report(invocation, writing)) !== undefined;
    }
    const { invocationId } = await generations.get(invocation.id);
    return invocationId === invocation.invocationId;
  };
  const timer = setInterval(async () => {
    // While DynamoDB is unreachable, nobody else can own the generation either.
    if (!(await isOwned().catch(() => true))) round.stop();
  }, WATCH_MS);
  return () => clearInterval(timer);
}
