import { createHash } from 'node:crypto';

/** The output of `DescribeExecution`. Times are Unix seconds. */
export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
  readonly startDate: number;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly stopDate?: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** A running execution and the last state that it entered. */
export interface Checkpoint {
  readonly execution: Execution;
  readonly state: string;
  /** The raw input of the state. */
  readonly input: unknown;
}

/** Returns the name of an execution's file: a hash, because execution names are case-sensitive and file names may not be. */
export function fileNameOf({ executionArn }: Pick<Execution, 'executionArn'>): string {
  return createHash('sha256').update(executionArn).digest('hex');
}
