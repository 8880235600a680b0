import type { Clock } from '../platform/clock.ts';
import { type Attempt, attemptsOf, type Generation, missingFrom } from './generation.ts';
import type { GenerationStore } from './generation-store.ts';
import { nextAttempt } from './next-attempt.ts';
import { recordIfOver, type UsageRecorder } from './record-usage.ts';
import { type FailedAttempt, type WorkflowState, workflowState } from './workflow.ts';

export interface SettlePorts {
  readonly generations: GenerationStore;
  readonly usage: UsageRecorder;
  readonly clock: Clock;
}

/**
 * Ends an attempt whose error the state machine caught, and decides what comes next. An attempt that failed has logged why;
 * for one that was killed or hung, this logs it. A repeated call changes nothing.
 */
export async function settleAttempt(
  failed: FailedAttempt,
  { generations, usage, clock }: SettlePorts,
): Promise<WorkflowState> {
  const generation = await generations.get(failed.id);
  if (generation.attempt === failed.attempt) {
    const now = clock();
    const logged = attemptsOf(generation).find(({ attempt }) => attempt === failed.attempt);
    const ended = logged?.outcome ? logged : diedAttempt(generation, failed, logged, now);
    const events = logged?.outcome ? [] : [{ type: 'attempt', ...ended } as const];
    const log = [...generation.log, ...events];
    const next = nextAttempt({ ...generation, log }, ended, 0, now);
    const end = { finishedAt: now, problems: missingFrom(generation, ended) };
    await recordIfOver(await generations.advance(generation.id, failed.attempt, events, next, end), usage);
  }
  return workflowState(await generations.get(failed.id));
}

/** The details of what killed an invocation are in the log of its function. */
function diedAttempt(
  generation: Generation,
  { attempt, outcome }: FailedAttempt,
  logged: Attempt | undefined,
  now: number,
): Attempt {
  const { provider, kind, log } = generation;
  const started = logged ?? { attempt, provider, model: provider, kind, startedAt: now };
  const files = log.filter(
    (event) => (event.type === 'file' || event.type === 'deleted') && event.attempt === attempt,
  ).length;
  const ended = { ...started, ms: now - started.startedAt, files };
  return outcome === 'timed_out'
    ? { ...ended, outcome, reason: 'No answer in time' }
    : { ...ended, outcome: 'interrupted', reason: 'The function ended early' };
}
