import type { Clock } from '../platform/clock.ts';
import type { Attempt } from './job.ts';
import type { JobStore } from './jobs.ts';
import type { CaughtAttempt, NextState } from './workflow.ts';

export interface SettlePorts {
  readonly jobs: JobStore;
  readonly clock: Clock;
}

/** Records an attempt that the state machine caught, and decides what comes next. */
export async function settle(caught: CaughtAttempt, { jobs, clock }: SettlePorts): Promise<NextState> {
  const [provider, ...remaining] = caught.remaining;
  const onlyTimeouts = caught.onlyTimeouts && caught.outcome === 'timed_out';
  const end = onlyTimeouts ? 'timed_out' : 'failed';
  const now = clock();
  const job = await jobs.find(caught.id);
  const startedAt = job?.runStartedAt ?? now;
  const attempt: Attempt = {
    provider: caught.provider,
    startedAt,
    ms: now - startedAt,
    outcome: caught.outcome,
    reason: reasonOf(caught),
  };
  await jobs.fail(caught.id, attempt, provider ? 'running' : end);
  return provider ? { status: 'running', id: caught.id, provider, remaining, onlyTimeouts } : { status: end };
}

/** Lambda reports a thrown error as JSON in `Cause`; a timeout of the state machine has no more than its name. */
function reasonOf({ outcome, failure }: CaughtAttempt): string {
  try {
    const { errorMessage } = JSON.parse(failure?.Cause ?? '') as { errorMessage?: string };
    if (errorMessage) return errorMessage;
  } catch {
    // Not Lambda's JSON: the error's name says what there is to say.
  }
  return outcome === 'timed_out' ? 'No answer in time' : (failure?.Error ?? 'Unknown error');
}
