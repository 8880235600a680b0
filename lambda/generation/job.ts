import type { Duration, GenerateRequest, ProviderName } from '../contract/generate.ts';

/**
 * One generation. Its id exists before any work starts, and the item in the table is the truth about it:
 * `queued → running → succeeded | failed | timed_out`.
 */
export interface Job {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'timed_out';
  readonly prompt: string;
  readonly model: GenerateRequest['model'];
  readonly duration: Duration;
  /** Unix milliseconds, like every time of a job. */
  readonly createdAt: number;
  /** Who runs it now: only the run that holds this token may write. */
  readonly run?: string;
  readonly runStartedAt?: number;
  readonly attempts: readonly Attempt[];
  readonly result?: Result;
}

/** One try with one provider. */
export interface Attempt {
  readonly provider: ProviderName;
  readonly startedAt: number;
  readonly ms: number;
  readonly outcome: 'succeeded' | 'failed' | 'timed_out';
  readonly reason?: string;
}

/** What a successful run leaves on the job; the files themselves are in S3. */
export interface Result {
  /** Such as `provider-a/blueprint`. */
  readonly model: string;
  /** The run that wrote the files: part of their key. */
  readonly run: string;
  readonly fileCount: number;
  readonly outputCharacters: number;
  readonly finishedAt: number;
}
