import { isOver, type Job, type JobStatus } from './job.ts';

/** Names shared by the code that throws and the state machine that catches. */
export const WORKFLOW_ERRORS = {
  /** A run gave up on its provider by one of its own deadlines. */
  providerTimedOut: 'ProviderTimedOut',
  /** A run ended without a file. */
  providerFailed: 'ProviderFailed',
  /** The execution's own end, when no provider is left. */
  allProvidersFailed: 'AllProvidersFailed',
  generationTimedOut: 'GenerationTimedOut',
} as const;

/** The state that travels through an execution: which step of which job. All else is on the job's item. */
export interface StepState {
  readonly id: string;
  readonly step: number;
  /** `running` goes on with the step. */
  readonly status: Exclude<JobStatus, 'queued'>;
}

/** A step that the state machine caught. */
export interface CaughtStep extends StepState {
  readonly outcome: 'failed' | 'timed_out';
}

/** Where a job is, for the state machine. */
export function stateOf({ id, step, status }: Job): StepState {
  return { id, step, status: isOver({ status }) ? (status as StepState['status']) : 'running' };
}
