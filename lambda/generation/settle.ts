import type { Clock } from '../platform/clock.ts';
import { type Attempt, attemptsOf, type Job, missingFrom } from './job.ts';
import type { JobStore } from './jobs.ts';
import { nextStep } from './steps.ts';
import { type CaughtStep, type StepState, stateOf } from './workflow.ts';

export interface SettlePorts {
  readonly jobs: JobStore;
  readonly clock: Clock;
}

/**
 * Ends a step that the state machine caught and decides what comes next. A run that failed has logged why; for one
 * that was killed or hung, this does. Called twice, the second time changes nothing.
 */
export async function settle(caught: CaughtStep, { jobs, clock }: SettlePorts): Promise<StepState> {
  const job = await jobs.existing(caught.id);
  if (job.step === caught.step) {
    const now = clock();
    const logged = attemptsOf(job).find(({ attempt }) => attempt === caught.step);
    const ended = logged?.outcome ? logged : attemptThatDied(job, caught, logged, now);
    const events = logged?.outcome ? [] : [{ type: 'attempt', ...ended } as const];
    const next = nextStep({ ...job, log: [...job.log, ...events] }, ended, 0, now);
    await jobs.advance(job.id, job.step, events, next, {
      finishedAt: now,
      problems: missingFrom(job, ended),
    });
  }
  return stateOf(await jobs.existing(caught.id));
}

function attemptThatDied(job: Job, caught: CaughtStep, logged: Attempt | undefined, now: number): Attempt {
  const { provider, pass, step: attempt } = job;
  const started = logged ?? { attempt, provider, model: provider, pass, startedAt: now };
  const files = job.log.filter((event) => event.type === 'file' && event.attempt === attempt).length;
  return {
    ...started,
    // A function that died says nothing about the provider it was calling.
    outcome: caught.outcome === 'timed_out' ? 'timed_out' : 'interrupted',
    reason: reasonOf(caught),
    ms: now - started.startedAt,
    files,
  };
}

/** Why a run died is for the log of its function: a caller is told that it did. */
function reasonOf({ outcome }: CaughtStep): string {
  return outcome === 'timed_out' ? 'No answer in time' : 'The function ended early';
}
