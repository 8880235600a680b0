import type { DeployOutcome } from '../projects/deploy-target.ts';
import type { Generation, GenerationStatus } from './generation.ts';

/** Error names shared by the code that throws them and the state machine that catches them. */
export const WORKFLOW_ERRORS = {
  /** An attempt gave up on its provider at one of its own deadlines. */
  providerTimedOut: 'ProviderTimedOut',
  /** An attempt ended without a file. */
  providerFailed: 'ProviderFailed',
  /** The execution ends with one of these when no provider is left. */
  allProvidersFailed: 'AllProvidersFailed',
  generationTimedOut: 'GenerationTimedOut',
} as const;

/** The state of an execution: which attempt of which generation. Everything else is on the generation's item. */
export interface WorkflowState {
  readonly id: string;
  readonly attempt: number;
  /** `running` goes on with the attempt, `deploying` with the deploy. */
  readonly status: Exclude<GenerationStatus, 'queued'>;
}

/** The state after the deploy, unless that failed without an outcome. */
export interface DeployedState extends WorkflowState {
  readonly deployed?: DeployOutcome;
}

/** An attempt whose error the state machine caught. */
export interface FailedAttempt extends WorkflowState {
  readonly outcome: 'failed' | 'timed_out';
}

/** The state of a generation for the state machine. */
export function workflowState({ id, attempt, status }: Generation): WorkflowState {
  return { id, attempt, status: status === 'queued' ? 'running' : status };
}
