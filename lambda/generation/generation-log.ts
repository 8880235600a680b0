import { characters, tokensOf } from '../contract/generate.ts';
import { lookLine } from '../contract/looks.ts';
import { usdOf } from '../contract/prices.ts';
import type { GenerationCost } from '../contract/responses/generate.ts';
import type { Plan } from '../stored/projects/stored-project.ts';
import { filesOf, type StoredFile } from '../stored/projects/stored-project.ts';
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
  return event && { files: event.files, shared: event.shared ?? '' };
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
  const dropped = new Set(
    attemptsOf(generation).flatMap((one) => (one.dropped === true ? [one.attempt] : [])),
  );
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
export function filesInProgress({
  writing = [],
  log,
}: Pick<Generation, 'writing' | 'log'>): FileInProgress[] {
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
    const attempt =
      event.type === 'file' || event.type === 'deleted' ? attempts.get(event.attempt) : undefined;
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
  const paths = own.flatMap((event) =>
    event.type === 'file' || event.type === 'deleted' ? [event.path] : [],
  );
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
export interface CostFields {
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
  return (lastLook(generation)?.problems ?? []).map(lookLine);
}
