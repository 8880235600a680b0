import type { ProviderName } from '../contract/generate.ts';

/** Names shared by the code that throws and the state machine that catches. */
export const WORKFLOW_ERRORS = {
  /** A run gave up on its provider by its own deadline. */
  providerTimedOut: 'ProviderTimedOut',
  /** A run ended without a project. */
  providerFailed: 'ProviderFailed',
  /** The execution's own end, when no provider is left. */
  allProvidersFailed: 'AllProvidersFailed',
  generationTimedOut: 'GenerationTimedOut',
} as const;

/** The state that travels through an execution: ids and the plan of attempts, never files. */
export interface AttemptState {
  readonly id: string;
  readonly provider: ProviderName;
  /** Providers to try when this one fails, in order. */
  readonly remaining: readonly ProviderName[];
  /** Whether every attempt before this one timed out. */
  readonly onlyTimeouts: boolean;
}

/** An attempt that the state machine caught. */
export interface CaughtAttempt extends AttemptState {
  readonly outcome: 'failed' | 'timed_out';
  readonly failure?: { readonly Error?: string; readonly Cause?: string };
}

/** What the state machine does after a failed attempt: the next one, or the end. */
export type NextState =
  | (AttemptState & { readonly status: 'running' })
  | { readonly status: 'failed' | 'timed_out' };
