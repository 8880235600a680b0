import {
  characters,
  type Duration,
  type GeneratedFile,
  type GenerateRequest,
  type ProviderName,
  tokensOf,
} from '../contract/generate.ts';
import type { PassRequest, PlannedFile } from './providers/provider.ts';

export type JobStatus = 'queued' | 'running' | Delivered | 'failed' | 'timed_out' | 'canceled';

/** Statuses with a project. `incomplete` is one whose last answer broke off with no provider left to continue it. */
export type Delivered = 'succeeded' | 'incomplete';
export type Pass = PassRequest['pass'];

/**
 * How an attempt ended, by what a caller or an operator can do about it. `silent` is a provider that sent no useful
 * token in time; `cut_off` one that stopped before it was done; `unusable` an answer without a complete file.
 * `interrupted` is the service's own fault: its storage was out of reach, or the function died.
 */
export type Outcome =
  | 'succeeded'
  | 'cut_off'
  | 'timed_out'
  | 'silent'
  | 'overloaded'
  | 'credentials'
  | 'refused'
  | 'unusable'
  | 'failed'
  | 'interrupted';

/**
 * One generation. Its id exists before any work starts, and the item in the table is the truth about it:
 * `queued → running → succeeded | incomplete | failed | timed_out | canceled`. Times are Unix milliseconds.
 */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  readonly prompt: string;
  readonly model: GenerateRequest['model'];
  readonly duration: Duration;
  readonly createdAt: number;
  /**
   * `Caller.id` of the key or token that it belongs to and is counted for. Absent for an anonymous caller: an address is
   * personal data, and the id alone protects the generation.
   */
  readonly caller?: string | undefined;
  /** Tells whether a request that repeats an idempotency key is the same one. */
  readonly requestHash: string;
  /** The step that comes next or runs now, counted from 1. It only ever grows: a write of an older step is void. */
  readonly step: number;
  /** Name of the Step Functions execution. */
  readonly execution: string;
  /** What the step is. */
  readonly pass: Pass;
  readonly provider: ProviderName;
  /** Providers to try when this one fails, in order. */
  readonly remaining: readonly ProviderName[];
  /** Providers that had failed and not succeeded since when the job was made. */
  readonly failedLately: readonly ProviderName[];
  /** The invocation that runs the step; a second one of the same step may not write. */
  readonly run?: string;
  /** All that happened, in order; an entry's index plus one is its id for whoever resumes. */
  readonly log: readonly JobEvent[];
  readonly finishedAt?: number;
  /** What is known to be wrong with a project that was delivered all the same. */
  readonly problems?: readonly string[];
}

export type JobEvent =
  | { readonly type: 'queued'; readonly at: number }
  | ({ readonly type: 'attempt' } & Attempt)
  | { readonly type: 'plan'; readonly files: readonly PlannedFile[] }
  | ({ readonly type: 'file' } & StoredFile);

/** One pass of one provider: logged when it starts, and again with its outcome when it ends. */
export interface Attempt {
  /** The job's step. */
  readonly attempt: number;
  readonly provider: ProviderName;
  /** `provider-a/blueprint`. */
  readonly model: string;
  readonly pass: Pass;
  readonly startedAt: number;
  readonly outcome?: Outcome;
  readonly reason?: string | undefined;
  readonly ms?: number;
  /** Estimate of the answer's tokens, by the contract's four characters each. */
  readonly tokens?: number;
  /** Complete files that it wrote. */
  readonly files?: number;
}

/** A complete file: its content is an object in S3. */
export interface StoredFile extends Pick<GeneratedFile, 'path' | 'language'> {
  readonly bytes: number;
  readonly characters: number;
  readonly key: string;
  /** The step that wrote it. */
  readonly attempt: number;
}

export function isOver({ status }: Pick<Job, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Whether there is a plan and every file of it is written. */
export function isPlanWritten(job: Pick<Job, 'log'>): boolean {
  return job.log.some(({ type }) => type === 'plan') && lackingOf(job).length === 0;
}

/** The status of a job that ends with the files it has: `succeeded` takes a last answer that is complete, or the plan. */
export function deliveredStatus(job: Pick<Job, 'log'>): Delivered {
  const lastWrite = attemptsOf(job).findLast(({ pass }) => pass === 'write');
  return lastWrite?.outcome === 'succeeded' || isPlanWritten(job) ? 'succeeded' : 'incomplete';
}

export function hasProject({ status }: Pick<Job, 'status'>): boolean {
  return status === 'succeeded' || status === 'incomplete';
}

/** Longer than any job takes: a dozen attempts, of 14 minutes each at the longest that a configuration allows. */
const LOST_MS = 3 * 60 * 60_000;

/**
 * A job as it counts at a time. One that is not over long after it should be has lost its execution (the state machine
 * was deleted, the local cloud was stopped), and nobody will write its end: it ended with what there is.
 */
export function asOf(job: Job, now: number): Job {
  if (isOver(job) || now - job.createdAt < LOST_MS) return job;
  const problems = [
    'The generation was interrupted',
    ...lackingOf(job).map(({ path }) => `${path}: planned, but not written`),
  ];
  return {
    ...job,
    status: filesOf(job).length > 0 ? deliveredStatus(job) : 'failed',
    finishedAt: job.createdAt + LOST_MS,
    problems,
  };
}

/** The project as it is now: of a path that was written again, the last one. */
export function filesOf({ log }: Pick<Job, 'log'>): StoredFile[] {
  const files = new Map<string, StoredFile>();
  for (const event of log) if (event.type === 'file') files.set(event.path, event);
  return [...files.values()];
}

/** Every attempt once, as the log knows it last. */
export function attemptsOf({ log }: Pick<Job, 'log'>): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const event of log) {
    if (event.type !== 'attempt') continue;
    const { type: _, ...attempt } = event;
    attempts.set(attempt.attempt, attempt);
  }
  return [...attempts.values()];
}

/** The files of the plan that nobody wrote yet; none without a plan. */
export function lackingOf(job: Pick<Job, 'log'>): PlannedFile[] {
  const plan = job.log.findLast((event) => event.type === 'plan');
  const written = new Set(filesOf(job).map(({ path }) => path));
  return plan ? plan.files.filter(({ path }) => !written.has(path)) : [];
}

/** What a project lacks that ends with this attempt, one sentence each. */
export function missingFrom(job: Pick<Job, 'log'>, { outcome, reason }: Attempt): string[] {
  const early = outcome === 'succeeded' ? [] : [`The last attempt ended early: ${reason ?? outcome}`];
  return [...early, ...lackingOf(job).map(({ path }) => `${path}: planned, but not written`)];
}

/** The contract's estimate for a project: the tokens of its prompt and files. */
export function tokensUsed(job: Pick<Job, 'prompt' | 'log'>): number {
  const written = filesOf(job).reduce((sum, file) => sum + file.characters, 0);
  return tokensOf(characters(job.prompt) + written);
}

/** Who the answer names: the one that wrote a file last. */
export function modelOf(job: Pick<Job, 'log'>): string {
  const last = filesOf(job).reduce((step, { attempt }) => Math.max(step, attempt), 0);
  return attemptsOf(job).find(({ attempt }) => attempt === last)?.model ?? '';
}
