import { setTimeout as sleep } from 'node:timers/promises';
import { type Retry, retryUntil } from '../../platform/unreachable.ts';
import { baseOf, withChanges } from '../../stored/projects/project-contents.ts';
import { freeSlot } from '../after-end.ts';
import { timeLeft } from '../durations.ts';
import type { Generation } from '../generation.ts';
import type { Invocation } from '../generation-store.ts';
import { type WorkflowState, workflowState } from '../workflow.ts';
import { attemptRequest, readScreenshots, readUnfinished, staticRequest } from './attempt-request.ts';
import { Draft } from './draft.ts';
import { FileWriter } from './file-writer.ts';
import { type FinishPorts, finishRound } from './finish-round.ts';
import type { HedgeAfterMs } from './hedge.ts';
import { coolDown } from './provider-health.ts';
import { Round, startedAttempt } from './round.ts';
import type { Spend } from './spending.ts';
import { slotsOf, type Task, tasksOf } from './tasks.ts';
import { WATCH_MS, watchRound } from './watch.ts';

export interface AttemptPorts extends FinishPorts {
  /** Returns how the calls of a generation are paid. */
  readonly spendingOf: (generation: Generation, retry: Retry) => Spend;
  /** As `RoundPorts` has it. */
  readonly hedgeAfterMs?: HedgeAfterMs | undefined;
}

/** How long a storage call is retried: an outage of S3 or DynamoDB rarely lasts longer than seconds. */
const STORAGE_RETRY_MS = 30_000;

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
  const { generations, providerStore, files, clock, deadlines } = ports;
  const startedAt = clock();
  const retry: Retry = (call) =>
    retryUntil(Math.min(clock() + STORAGE_RETRY_MS, startedAt + deadlines.totalMs), call, clock);
  const invocation: Invocation = { id, attempt, invocationId };
  const found = await retry(() => generations.get(id));
  const provider = ports.provider(found.provider);
  const tasks = tasksOf(found, slotsOf(found, provider.parallel));
  // Read before the attempt begins, because its first entry in the log has what it reserves.
  const base = await retry(() => baseOf(found, files));
  const project = await retry(() => withChanges(base, found, files));
  const draft = new Draft(found, project, await retry(() => readUnfinished(found, files)));
  const screenshots = found.kind === 'review' ? await retry(() => readScreenshots(found, files)) : undefined;
  const request = (task: Task) => staticRequest(task, found, base, project, screenshots);
  const [task] = tasks;
  const first = attemptRequest(
    task,
    request(task),
    draft,
    slotsOf(found, provider.parallel),
    found.lately?.[found.provider]?.pace,
  );
  const started = startedAttempt(attempt, found.provider, provider, task, first, startedAt);
  const generation = await retry(() => generations.begin(invocation, { type: 'attempt', ...started }));
  if (!generation) return waitForOther(id, attempt, ports);

  const writer = new FileWriter(project.keys(), generation, invocation, {
    generations,
    files,
    retry,
    abort: (reason) => round.stop(reason),
  });
  const timeForRound = timeLeft(generation, startedAt, deadlines.totalMs);
  const round = new Round(generation, started, first, tasks, draft, {
    writer,
    provider: ports.provider,
    request,
    spend: ports.spendingOf(generation, retry),
    onEnd: (ended) => coolDown(generation, ended, providerStore),
    clock,
    hedgeAfterMs: ports.hedgeAfterMs,
    deadlines: { ...deadlines, totalMs: Math.min(deadlines.totalMs, timeForRound) },
  });
  const endWatch = watchRound(round, invocation, generations);
  await round.run().finally(endWatch);
  if (round.isTakenOver) {
    const current = await retry(() => generations.get(id));
    // The function that canceled it may have died before it did this.
    await freeSlot(current, ports);
    return workflowState(current);
  }
  return retry(() => finishRound(invocation, round, { base, project }, writer.generation, ports));
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
