import type { Attempt, Generation, GenerationEvent } from './generation.ts';
import { decisiveAttempts, keptLog } from './generation-log.ts';

/**
 * What one repair or review did, in one attempt or in several that continue each other. It is kept or dropped as a whole.
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
  const [last, ...earlier] = decisiveAttempts(generation).toReversed();
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
  const last = decisiveAttempts(generation).at(-1);
  if (last?.dropped !== true || last.reason === undefined) return [];
  return [`An earlier correction had no effect. ${last.reason}`];
}
