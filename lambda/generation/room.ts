import type { LookProblem } from '../contract/looks.ts';
import { boundedProblems, boundedText } from '../platform/bounded.ts';
import type { Attempt, Generation, GenerationEvent } from './generation.ts';
import { type Amendment, amendedPaths, lastAmendment } from './generation-log.ts';

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
    if (bytes > REJECTED_BYTES)
      return { ...kept, [`and ${entries.length - i} more files`]: 'was rejected as well' };
    kept[bounded[0]] = bounded[1];
  }
  return kept;
}
