import type { Clock } from '../../platform/clock.ts';
import { type Attempt, attemptsOf, type Generation, missingFrom } from '../generation.ts';
import type { GenerationStore } from '../generation-store.ts';
import { recordIfOver, type UsageRecorder } from '../record-usage.ts';
import { type FailedAttempt, type WorkflowState, workflowState } from '../workflow.ts';
import { nextAttempt } from './next-attempt.ts';

export interface SettlePorts {
  readonly generations: GenerationStore;
  readonly usage: UsageRecorder;
  readonly clock: Clock;
  /** How long a round may take, in milliseconds. */
  readonly roundMs: number;
}

/**
 * Ends the attempts of an invocation whose error the state machine caught, and decides what comes next. Attempts that failed
 * have logged why; for those that were killed or hung, this logs it. A repeated call changes nothing.
 */
export async function settleAttempt(
  failed: FailedAttempt,
  { generations, usage, clock, roundMs }: SettlePorts,
): Promise<WorkflowState> {
  const generation = await generations.get(failed.id);
  if (generation.attempt === failed.attempt) {
    const now = clock();
    const round = roundOf(generation, failed, now);
    const ended = round.map((attempt) =>
      attempt.outcome ? attempt : died(attempt, generation, failed, now),
    );
    const events = ended
      .filter((attempt) => !round.includes(attempt))
      .map((attempt) => ({ type: 'attempt', ...attempt }) as const);
    const log = [...generation.log, ...events];
    const next = nextAttempt({ ...generation, log }, 0, now, roundMs);
    const { id } = generation;
    const end = { finishedAt: now, problems: missingFrom({ id, log }, ended.at(-1) ?? {}) };
    const number = Math.max(...ended.map(({ attempt }) => attempt)) + 1;
    const advanced = await generations.advance(generation, events, next, number, end);
    await recordIfOver(advanced, usage);
  }
  return workflowState(await generations.get(failed.id));
}

/** Returns the attempts that the invocation made; one that it did not begin if it died before that. */
function roundOf(generation: Generation, { attempt }: FailedAttempt, now: number): Attempt[] {
  const logged = attemptsOf(generation).filter((other) => other.attempt >= attempt);
  const { provider, kind } = generation;
  return logged.length > 0 ? logged : [{ attempt, provider, model: provider, kind, startedAt: now }];
}

/** The details of what killed an invocation are in the log of its function. */
function died(started: Attempt, { log }: Generation, { outcome }: FailedAttempt, now: number): Attempt {
  const files = log.filter(
    (event) => (event.type === 'file' || event.type === 'deleted') && event.attempt === started.attempt,
  ).length;
  const ended = { ...started, ms: now - started.startedAt, files };
  return outcome === 'timed_out'
    ? { ...ended, outcome, reason: 'No answer in time' }
    : { ...ended, outcome: 'interrupted', reason: 'The function ended early' };
}
