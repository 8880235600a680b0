import {
  characters,
  type Duration,
  type GenerateRequest,
  type OriginalRequest,
  type ProviderName,
  tokensOf,
} from '../contract/generate.ts';
import type { AttemptKind, AttemptOutcome } from '../contract/responses/generate.ts';
import type { Receiver } from '../http/webhook.ts';
import type { DeployOutcome } from '../stored/deploy-target.ts';
import type { StoredGeneration } from '../stored/generations.ts';
import type { Plan, PlannedFile, UnfinishedFile } from '../stored/project-parts.ts';
import { filesOf, type ProjectEvent, type ProjectStatus, type StoredFile } from '../stored/stored-project.ts';

/**
 * One request for a project, from prompt to end. Its id exists before any work starts, and its item in the table is the
 * source of truth: `queued → running → succeeded | incomplete | failed | timed_out | canceled`, with `deploying` before
 * `succeeded` if it is to be deployed. Times are Unix milliseconds.
 */
export interface Generation extends StoredGeneration {
  readonly prompt: string;
  readonly model: GenerateRequest['model'];
  readonly duration: Duration;
  readonly createdAt: number;
  /** Receives a notification of the end. */
  readonly receiver?: Receiver | undefined;
  /** The generation or deployment whose project this one changes. */
  readonly from?: string | undefined;
  /** What the project that is changed was generated from first. */
  readonly origin?: OriginalRequest | undefined;
  /** Patterns of paths that must not change. */
  readonly locked?: readonly string[] | undefined;
  /** Digest of the request, to recognize a different request under the same idempotency key. */
  readonly requestHash: string;
  /**
   * Number of the attempt that runs or comes next, from 1; of several that one invocation makes, the first. It only increases,
   * and every write names it, so a write of an earlier invocation fails its condition.
   */
  readonly attempt: number;
  /** Name of the Step Functions execution. */
  readonly execution: string;
  /** Kind and provider of the attempt that runs or comes next. */
  readonly kind: AttemptKind;
  readonly provider: ProviderName;
  /** Providers to try when this one fails, in order. */
  readonly remaining: readonly ProviderName[];
  /** Seconds to wait before the next attempt; absent in an item of an earlier version. */
  readonly waitSeconds?: number;
  /** Providers that had failed and not yet succeeded again when the generation was created. */
  readonly failedLately: readonly ProviderName[];
  /** Characters per second that each provider wrote lately, when the generation was created. */
  readonly paces?: Readonly<Partial<Record<ProviderName, number>>>;
  /** The files that are being written, as of the last write of the item that mentions them. */
  readonly writing?: readonly FileInProgress[];
  /** The Lambda invocation that owns the running attempt; no other invocation may write. */
  readonly invocationId?: string;
  /** Everything that happened, in order. An event's index plus one is its id in the event stream. */
  readonly log: readonly GenerationEvent[];
  readonly finishedAt?: number;
  /** What is missing from a delivered project or wrong with it. */
  readonly problems?: readonly string[];
  /** Absent until the deploy is over, and if there is none. */
  readonly deployed?: DeployOutcome | undefined;
}

export type GenerationEvent =
  | { readonly type: 'queued'; readonly at: number }
  | ({ readonly type: 'attempt' } & Attempt)
  | ({ readonly type: 'plan' } & Partial<Plan> & Pick<Plan, 'files'>)
  | ProjectEvent;

/** A file that an attempt is writing. */
export interface FileInProgress {
  readonly path: string;
  /** Number of characters so far. */
  readonly characters: number;
  readonly attempt: number;
}

/** An unfinished file, whose lines are an object in S3. */
export type StoredUnfinished = Pick<UnfinishedFile, 'path' | 'edits'> & {
  readonly key: string;
  readonly attempt: number;
};

/** One call of one provider: logged when it starts, and again with its outcome when it ends. */
export interface Attempt {
  readonly attempt: number;
  readonly provider: ProviderName;
  /** `provider-a/blueprint`. */
  readonly model: string;
  readonly kind: AttemptKind;
  /** The group of the plan that it writes. */
  readonly group?: number | undefined;
  readonly startedAt: number;
  readonly outcome?: AttemptOutcome | undefined;
  readonly reason?: string | undefined;
  readonly ms?: number;
  /** Estimated tokens of the answer: four characters each, as in the contract. */
  readonly tokens?: number;
  /** Number of complete files it wrote. */
  readonly files?: number;
  /** The kind of the starter that the provider chose, null if none fits the prompt. */
  readonly matched?: string | null | undefined;
  /** Changes of an existing project that were not made: the reason by path, as a predicate. */
  readonly rejected?: Readonly<Record<string, string>> | undefined;
  /** The file in which the answer ended. */
  readonly unfinished?: StoredUnfinished | undefined;
  /** Seconds that an overloaded provider asked to wait. */
  readonly retryAfterSeconds?: number | undefined;
}

/** What follows an attempt, or several at the same time: another one, or the end of the generation. */
export type NextAttempt =
  | {
      readonly status: 'running';
      readonly kind: AttemptKind;
      readonly provider: ProviderName;
      readonly remaining: readonly ProviderName[];
      readonly waitSeconds: number;
    }
  | { readonly status: ProjectStatus | 'deploying' | 'failed' | 'timed_out' };

export function isOver({ status }: Pick<Generation, 'status'>): boolean {
  return status !== 'queued' && status !== 'running' && status !== 'deploying';
}

/** The plan of the project; undefined without one. */
export function planOf({ log }: Pick<Generation, 'log'>): Plan | undefined {
  const event = log.findLast((event) => event.type === 'plan');
  return event && { files: event.files, shared: event.shared ?? '' };
}

/** The final status of a generation with files: `succeeded` takes a fully written plan, or a complete last answer. */
export function deliveredStatus(generation: Pick<Generation, 'log'>): ProjectStatus {
  const missing = [...leftOut(generation), ...unwrittenFiles(generation), ...unfinishedFiles(generation)];
  if (missing.length > 0) return 'incomplete';
  if (planOf(generation)) return 'succeeded';
  const lastWrite = attemptsOf(generation).findLast(({ kind }) => kind !== 'repair');
  return lastWrite?.outcome === 'succeeded' ? 'succeeded' : 'incomplete';
}

/** What a generation with its last change becomes: a complete one is still to be deployed, if the request asks for it. */
export function endOf(generation: Pick<Generation, 'log' | 'deploy'>): ProjectStatus | 'deploying' {
  const status = deliveredStatus(generation);
  return status === 'succeeded' && generation.deploy ? 'deploying' : status;
}

/** The first problem of a generation whose execution ended before it did. */
export const INTERRUPTED = 'The generation was interrupted';

/** Longer than any generation takes, with waits for storage and retries of a deploy. */
const LOST_MS = 3 * 60 * 60_000;

/**
 * The generation as it counts at a time. One that is still not over long after it should be has lost its execution, and the
 * event about that, which Step Functions sends with best effort. Nothing will write its end, so it counts as ended with the files
 * it has.
 */
export function asOf(generation: Generation, now: number): Generation {
  if (isOver(generation) || now - generation.createdAt < LOST_MS) return generation;
  if (generation.status === 'deploying') return { ...generation, status: 'succeeded' };
  return {
    ...generation,
    status: hasChanges(generation) ? deliveredStatus(generation) : 'failed',
    finishedAt: generation.createdAt + LOST_MS,
    problems: interruptedProblems(generation),
  };
}

/** What is missing from a generation whose execution ended before it did. */
export function interruptedProblems(generation: Pick<Generation, 'log'>): string[] {
  return [INTERRUPTED, ...missingFiles(generation), ...leftOut(generation)];
}

/** The images that the caller gave to the generation. */
export function imagesOf(generation: Pick<Generation, 'log'>): StoredFile[] {
  return filesOf(generation).filter(({ attempt }) => attempt === 0);
}

/** The files that attempts wrote; of a path that was written twice, the last one. */
export function writtenFiles(generation: Pick<Generation, 'log'>): StoredFile[] {
  return filesOf(generation).filter(({ attempt }) => attempt > 0);
}

/** Whether an attempt wrote or deleted a file. */
export function hasChanges({ log }: Pick<Generation, 'log'>): boolean {
  return log.some((event) => (event.type === 'file' || event.type === 'deleted') && event.attempt > 0);
}

/** The changes that were rejected and not made in another way since, one sentence each. */
export function leftOut({ log }: Pick<Generation, 'log'>): string[] {
  const rejected = new Map<string, string>();
  for (const event of log) {
    if (event.type === 'file' || event.type === 'deleted') rejected.delete(event.path);
    if (event.type !== 'attempt') continue;
    for (const [path, reason] of Object.entries(event.rejected ?? {})) rejected.set(path, reason);
  }
  return Array.from(rejected, ([path, reason]) => `${path}: not changed, because the change ${reason}`);
}

/** Every attempt once, in its latest state. */
export function attemptsOf({ log }: Pick<Generation, 'log'>): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const event of log) {
    if (event.type !== 'attempt') continue;
    const { type: _, ...attempt } = event;
    attempts.set(attempt.attempt, attempt);
  }
  return [...attempts.values()];
}

/** The planned files that are not written yet; empty without a plan. */
export function unwrittenFiles(generation: Pick<Generation, 'log'>): PlannedFile[] {
  const written = new Set(filesOf(generation).map(({ path }) => path));
  return planOf(generation)?.files.filter(({ path }) => !written.has(path)) ?? [];
}

/** The files that an attempt began and none has finished or had rejected since, each as far as it got. */
export function unfinishedFiles({ log }: Pick<Generation, 'log'>): StoredUnfinished[] {
  const files = new Map<string, StoredUnfinished>();
  for (const event of log) {
    if (event.type === 'file' || event.type === 'deleted') files.delete(event.path);
    if (event.type !== 'attempt') continue;
    for (const path of Object.keys(event.rejected ?? {})) files.delete(path);
    if (event.unfinished) files.set(event.unfinished.path, event.unfinished);
  }
  return [...files.values()];
}

/** The files that are being written. The list is some seconds old: the log may have the complete file already. */
export function filesInProgress({
  writing = [],
  log,
}: Pick<Generation, 'writing' | 'log'>): FileInProgress[] {
  const isComplete = ({ path, attempt }: FileInProgress) =>
    log.some((event) => event.type === 'file' && event.path === path && event.attempt === attempt);
  return writing.filter((file) => !isComplete(file));
}

/** What is missing from a project that ends with this attempt, one sentence each, and how to go on. */
export function missingFrom(
  generation: Pick<Generation, 'id' | 'log'>,
  { outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>,
): string[] {
  if (hasChanges(generation) && deliveredStatus(generation) === 'succeeded') return [];
  const early = outcome === 'succeeded' ? [] : [`The last attempt ended early: ${reason ?? outcome}`];
  const missing = [...early, ...missingFiles(generation)];
  if (missing.length > 0 && hasChanges(generation))
    missing.push(`To have the rest written, send a request with "from": "${generation.id}"`);
  return [...missing, ...leftOut(generation)];
}

function missingFiles(generation: Pick<Generation, 'log'>): string[] {
  const unfinished = unfinishedFiles(generation).map(({ path }) => path);
  const planned = unwrittenFiles(generation).filter(({ path }) => !unfinished.includes(path));
  return [
    ...unfinished.map((path) => `${path}: begun, but not finished`),
    ...planned.map(({ path }) => `${path}: planned, but not written`),
  ];
}

/** The contract's estimate for a project: the tokens of its prompt and files. */
export function tokensUsed(generation: Pick<Generation, 'prompt' | 'log'>): number {
  const written = filesOf(generation).reduce((sum, file) => sum + file.characters, 0);
  return tokensOf(characters(generation.prompt) + written);
}

/** The starter of the project, null if none fits the prompt; undefined if a model writes the project. */
export function matchedStarter(generation: Pick<Generation, 'log'>): string | null | undefined {
  return attemptsOf(generation).findLast(({ outcome }) => outcome === 'succeeded')?.matched;
}

/** The model in the response: the last one that wrote or deleted a file of the first group, or of a project without groups. */
export function modelOf(generation: Pick<Generation, 'log'>): string {
  const attempts = new Map(attemptsOf(generation).map((attempt) => [attempt.attempt, attempt]));
  const writers = generation.log.flatMap((event) => {
    const attempt =
      event.type === 'file' || event.type === 'deleted' ? attempts.get(event.attempt) : undefined;
    return attempt ? [attempt] : [];
  });
  const first = Math.min(...writers.map(({ group = 0 }) => group));
  return writers.findLast(({ group = 0 }) => group === first)?.model ?? '';
}
