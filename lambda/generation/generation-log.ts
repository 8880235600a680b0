import { characters, tokensOf } from '../contract/generate.ts';
import type { LookProblem } from '../contract/looks.ts';
import { placedLine } from '../contract/messages.ts';
import { usdOf } from '../contract/prices.ts';
import type { GenerationCost } from '../contract/responses/generate.ts';
import { boundedProblems, boundedText } from '../platform/bounded.ts';
import { filesOf, type Plan, type StoredFile } from '../stored/projects/stored-project.ts';
import {
  type Attempt,
  type FileInProgress,
  type Generation,
  type GenerationEvent,
  isOver,
  type LookEntry,
} from './generation.ts';

/** The plan of the project; undefined without one. */
export function planOf({ log }: Pick<Generation, 'log'>): Plan | undefined {
  const event = log.findLast((event) => event.type === 'plan');
  // A plan without files takes back one that was a part of a thought.
  if (event === undefined || event.files.length === 0) return undefined;
  return { files: event.files, shared: event.shared ?? '' };
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

/** The entries of the log without those of attempts whose changes were dropped. */
export function keptLog(generation: Pick<Generation, 'log'>): readonly GenerationEvent[] {
  const { log } = generation;
  const dropped = new Set(attemptsOf(generation).flatMap((one) => (one.dropped === true ? [one.attempt] : [])));
  if (dropped.size === 0) return log;
  return log.filter((event) => !('attempt' in event) || !dropped.has(event.attempt));
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

/** The files that are being written. The list is some seconds old: the log may have the complete file already. */
export function filesInProgress({ writing = [], log }: Pick<Generation, 'writing' | 'log'>): FileInProgress[] {
  const isComplete = ({ path, attempt }: FileInProgress) =>
    log.some((event) => event.type === 'file' && event.path === path && event.attempt === attempt);
  return writing.filter((file) => !isComplete(file));
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

/**
 * The model in the response: the last one that wrote or deleted a file of the first group, or of a project without
 * groups.
 */
export function modelOf(generation: Pick<Generation, 'log'>): string {
  const attempts = new Map(attemptsOf(generation).map((attempt) => [attempt.attempt, attempt]));
  const writers = keptLog(generation).flatMap((event) => {
    const attempt = event.type === 'file' || event.type === 'deleted' ? attempts.get(event.attempt) : undefined;
    return attempt ? [attempt] : [];
  });
  const first = Math.min(...writers.map(({ group = 0 }) => group));
  return writers.findLast(({ group = 0 }) => group === first)?.model ?? '';
}

/**
 * The changes of one repair or review, in one attempt or in several that continue each other; kept or dropped as a
 * whole.
 */
export interface Amendment {
  readonly attempts: readonly [Attempt, ...Attempt[]];
  /** The log before it, without what was dropped earlier. */
  readonly before: readonly GenerationEvent[];
  /** Its own entries. */
  readonly own: readonly GenerationEvent[];
}

/** Returns the amendment that the last attempt belongs to; undefined if that attempt wrote, or was dropped. */
export function lastAmendment(generation: Pick<Generation, 'log'>): Amendment | undefined {
  const [last, ...earlier] = attemptsOf(generation).toReversed();
  if (last === undefined || last.kind === 'write' || last.dropped) return undefined;
  const end = earlier.findIndex((one) => one.kind !== last.kind || !isContinued(one));
  const attempts = [last, ...(end === -1 ? earlier : earlier.slice(0, end))].toReversed();
  const [first = last, ...others] = attempts;
  const { log } = generation;
  const begin = log.findIndex((event) => event.type === 'attempt' && event.attempt >= first.attempt);
  const before = keptLog({ log: log.slice(0, begin) });
  return { attempts: [first, ...others], before, own: log.slice(begin) };
}

/** Whether an attempt ended so that the next one of the same kind goes on with it. */
export function isContinued({ outcome, dropped }: Attempt): boolean {
  return (outcome === 'cut_off' || outcome === 'interrupted') && dropped !== true;
}

/** Returns the paths that an amendment wrote or deleted. */
export function amendedPaths({ own }: Amendment): string[] {
  const paths = own.flatMap((event) => (event.type === 'file' || event.type === 'deleted' ? [event.path] : []));
  return [...new Set(paths)];
}

/** Whether an amendment left anything: a change, or the record of one that it could not make. */
export function leftAnything(amendment: Amendment): boolean {
  const hasRest = amendment.attempts.some(({ unfinished, rejected }) => unfinished ?? rejected);
  return hasRest || amendedPaths(amendment).length > 0;
}

/** Returns a sentence for the next repair if the last one was dropped, so that it does not make the same. */
export function droppedLast(generation: Pick<Generation, 'log'>): string[] {
  const last = attemptsOf(generation).at(-1);
  if (last?.dropped !== true || last.reason === undefined) return [];
  return [`An earlier correction had no effect. ${last.reason}`];
}

/** The cost of a generation for responses. */
interface CostFields {
  readonly cost?: GenerationCost;
  readonly costUnknown?: string;
}

/**
 * Returns what the attempts of a generation cost, or why that is not known; neither if it has no attempt, or if an
 * earlier version of the service made them, which did not count.
 */
export function costFields({ log }: Pick<Generation, 'log'>): CostFields {
  const attempts = attemptsOf({ log });
  const unpriced = attempts.filter(isUnpriced).map(({ model }) => model);
  if (unpriced.length > 0) return { costUnknown: unknownPrice([...new Set(unpriced)]) };
  if (attempts.length === 0 || attempts.some(({ cost }) => cost === undefined)) return {};
  const repairs = attempts.filter(({ kind }) => kind === 'repair');
  const usd = usdOf(sumOf(attempts));
  return { cost: repairs.length === 0 ? { usd } : { usd, repairsUsd: usdOf(sumOf(repairs)) } };
}

/** Returns the known part of what a generation cost in micro-dollars, and whether an attempt has no known price. */
export function costAmounts({ log }: Pick<Generation, 'log'>): {
  readonly cost: number;
  readonly unpriced: 0 | 1;
} {
  const attempts = attemptsOf({ log });
  return { cost: sumOf(attempts), unpriced: attempts.some(isUnpriced) ? 1 : 0 };
}

/** Whether an attempt used tokens of a model without a known price. */
function isUnpriced({ usage, cost }: Attempt): boolean {
  return usage !== undefined && cost === undefined;
}

function sumOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

function unknownPrice(models: readonly string[]): string {
  const names = models.join(' and ');
  return `The price of ${names} is not known: the operator of the service can add it to prices in the configuration`;
}

type Looked = Pick<Generation, 'status' | 'log'>;

/** Returns what a browser saw after each attempt, in its latest state, by the number of the attempt. */
export function looksOf({ status, log }: Looked): Map<number, LookEntry> {
  const looks = new Map<number, LookEntry>();
  for (const event of log) {
    if (event.type !== 'look') continue;
    const { type: _, ...entry } = event;
    looks.set(entry.attempt, ended(entry, isOver({ status })));
  }
  return looks;
}

/** Returns a look as it counts: nobody ends one whose generation is over. */
function ended(entry: LookEntry, over: boolean): LookEntry {
  if (entry.state !== 'looking' || !over) return entry;
  return { attempt: entry.attempt, state: 'failed', reason: 'The look was interrupted' };
}

/** Returns the last look at the project as it is: looks at changes that were dropped do not count. */
export function lastLook(generation: Looked): LookEntry | undefined {
  const attempts = attemptsOf(generation);
  const dropped = new Set(attempts.flatMap((one) => (one.dropped ? [one.attempt] : [])));
  return [...looksOf(generation).values()].findLast(({ attempt }) => !dropped.has(attempt));
}

/** Returns what is wrong with the page of the project as it is, one sentence each with its place. */
export function seenProblems(generation: Looked): string[] {
  return (lastLook(generation)?.problems ?? []).map(placedLine);
}

/**
 * The largest item of DynamoDB, in bytes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const ITEM_BYTES = 400 * 1024;
/** Kept for the ends of the running attempts, of the generation and of its deploy: without them, it would never end. */
const RESERVED_BYTES = 120 * 1024;
/** The most that the rejected changes of one attempt may take. */
const REJECTED_BYTES = 4 * 1024;
/**
 * The most that the problems of one look may take. A generation has a look after its writing, its review and each
 * repair.
 */
const LOOK_BYTES = 8 * 1024;
/** The bytes of the entry of a dropped attempt, with its reason. */
const DROPPED_BYTES = 2 * 1024;
/** The bytes of a file's entry in the log besides its path. */
const FILE_BYTES = 300;

/**
 * Returns how many bytes the log of a generation may still grow; none if it is 0 or less. There is also room to undo a
 * repair that is not over.
 */
export function roomOf(generation: Generation): number {
  const amendment = lastAmendment(generation);
  return ITEM_BYTES - RESERVED_BYTES - bytesOf(generation) - (amendment ? undoBytes(amendment) : 0);
}

/** Returns the most bytes of the entries that drop an amendment: its files as they were, and its attempts. */
function undoBytes(amendment: Amendment): number {
  const files = amendedPaths(amendment).reduce((sum, path) => sum + fileBytes(path), 0);
  return files + amendment.attempts.length * DROPPED_BYTES;
}

/** Returns the most bytes of a file's entry in the log. */
export function fileBytes(path: string): number {
  return bytesOf(path) + FILE_BYTES;
}

/**
 * Returns an upper bound of what a value takes in an item: its JSON has a quote, a comma or a bracket for each byte
 * that DynamoDB counts besides names and values.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** Returns an entry of the log with bounded texts. Paths and plans are bounded where they are read. */
export function boundedEvent(event: GenerationEvent): GenerationEvent {
  if (event.type === 'look') return boundedLook(event);
  if (event.type !== 'attempt') return event;
  const reason = event.reason === undefined ? undefined : boundedText(event.reason);
  const rejected = event.rejected === undefined ? undefined : boundedReasons(event.rejected);
  const unbuilt = event.unbuilt === undefined ? undefined : boundedProblems(event.unbuilt);
  return { ...event, reason, rejected, unbuilt };
}

function boundedLook(event: Extract<GenerationEvent, { readonly type: 'look' }>): GenerationEvent {
  const reason = event.reason === undefined ? undefined : boundedText(event.reason);
  return { ...event, reason, problems: event.problems && lookProblems(event.problems) };
}

/** Returns as many problems of a look as fit. The first ones weigh most. */
export function lookProblems(problems: readonly LookProblem[]): LookProblem[] {
  let bytes = 0;
  return problems.filter((problem) => {
    bytes += bytesOf(problem);
    return bytes <= LOOK_BYTES;
  });
}

/** Returns as many rejected changes as fit, with a last entry for the others. */
function boundedReasons(rejected: NonNullable<Attempt['rejected']>): NonNullable<Attempt['rejected']> {
  const entries = Object.entries(rejected);
  const kept: Record<string, string> = {};
  let bytes = 0;
  for (const [i, [path, reason]] of entries.entries()) {
    const bounded = [boundedText(path), boundedText(reason)] as const;
    bytes += bytesOf(bounded);
    if (bytes > REJECTED_BYTES) return { ...kept, [`and ${entries.length - i} more files`]: 'was rejected as well' };
    kept[bounded[0]] = bounded[1];
  }
  return kept;
}
