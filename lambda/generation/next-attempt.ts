import type { Duration, ProviderName } from '../contract/generate.ts';
import type { Delivered } from '../projects/stored-project.ts';
import {
  type Attempt,
  type AttemptKind,
  attemptsOf,
  endOf,
  type Generation,
  hasChanges,
  isPlanWritten,
  type Outcome,
  unwrittenFiles,
} from './generation.ts';

/** What follows an attempt: another one, or the end of the generation. */
export type NextAttempt =
  | {
      readonly status: 'running';
      readonly kind: AttemptKind;
      readonly provider: ProviderName;
      readonly remaining: readonly ProviderName[];
    }
  | { readonly status: Delivered | 'deploying' | 'failed' | 'timed_out' };

interface Depth {
  /** No attempt begins later than this after the generation was created. */
  readonly budgetMs: number;
  readonly plan: boolean;
  /** Maximum number of answers with files, and of repairs. */
  readonly writes: number;
  readonly repairs: number;
}

const MINUTE = 60_000;

/** The work behind each duration. `auto` is one answer and one repair; its further writes only continue a cut-off answer. */
export const DEPTHS: Readonly<Record<Duration, Depth>> = {
  auto: { budgetMs: Number.POSITIVE_INFINITY, plan: false, writes: 3, repairs: 1 },
  '5min': { budgetMs: 5 * MINUTE, plan: true, writes: 10, repairs: 2 },
  '10min': { budgetMs: 10 * MINUTE, plan: true, writes: 20, repairs: 3 },
};

export function firstKind(duration: Duration): AttemptKind {
  return DEPTHS[duration].plan ? 'plan' : 'write';
}

/** Outcomes after which a generation without a file is a timeout (504), when it had no other outcome. */
const TIMEOUTS: ReadonlySet<Outcome> = new Set(['timed_out', 'silent']);

/**
 * Decides what follows the attempt that just ended, whose outcome and files are in the generation's log.
 * @param problems number of problems of the project; matters after a success only
 */
export function nextAttempt(
  generation: Generation,
  ended: Attempt,
  problems: number,
  now: number,
): NextAttempt {
  const [other, ...others] = generation.remaining;
  const keep = answeredUsefully(ended) || wasInterruptedOnce(generation);
  const [provider, remaining] = keep ? [generation.provider, generation.remaining] : [other, others];
  const kind = neededKind(generation, ended, problems);
  if (kind === undefined) return { status: endOf(generation) };
  if (provider && hasRoom(generation, kind, now)) return { status: 'running', kind, provider, remaining };
  // Without a change there is nothing to deliver: another provider starts over.
  if (kind === 'repair' && !hasChanges(generation) && other && hasRoom(generation, 'write', now))
    return { status: 'running', kind: 'write', provider: other, remaining: others };
  if (hasChanges(generation)) return { status: endOf(generation) };
  const outcomes = attemptsOf(generation).map(({ outcome }) => outcome ?? 'failed');
  return { status: outcomes.every((outcome) => TIMEOUTS.has(outcome)) ? 'timed_out' : 'failed' };
}

/** The same provider continues only after an answer with a plan or changes, or with changes that it can correct. */
function answeredUsefully(ended: Attempt): boolean {
  const { kind, outcome, files } = ended;
  if (kind === 'plan') return outcome === 'succeeded' || outcome === 'unusable';
  return (outcome === 'succeeded' || outcome === 'cut_off') && (files !== 0 || sendsBack(ended));
}

/** Rejected changes are sent back once: those of a repair are left out, and a cut-off answer is continued first. */
export function sendsBack({ kind, outcome, rejected }: Attempt): boolean {
  return kind === 'write' && outcome === 'succeeded' && rejected !== undefined;
}

/**
 * An interruption is not the provider's fault, so the provider is called again, but not after two in a row: its answers may
 * be what kills the function.
 */
function wasInterruptedOnce(generation: Generation): boolean {
  const [last, before] = attemptsOf(generation).toReversed();
  const twice = before?.outcome === 'interrupted' && before.provider === last?.provider;
  return last?.outcome === 'interrupted' && !twice;
}

/** The kind of attempt that the project needs; undefined when it is done. */
function neededKind(generation: Generation, ended: Attempt, problems: number): AttemptKind | undefined {
  const { kind, outcome } = ended;
  if (outcome === 'interrupted' && kind !== 'write') return kind;
  if (kind === 'plan' && !answeredUsefully(ended)) return 'plan';
  if (!hasChanges(generation)) return sendsBack(ended) ? 'repair' : 'write';
  if (kind === 'repair') return outcome === 'succeeded' && problems > 0 ? 'repair' : undefined;
  if (outcome !== 'succeeded' && !isPlanWritten(generation)) return 'write';
  // After a complete answer without new files, another attempt would not write the missing ones either.
  if (unwrittenFiles(generation).length > 0 && (ended.files !== 0 || kind === 'plan')) return 'write';
  return problems > 0 ? 'repair' : undefined;
}

function hasRoom(generation: Generation, kind: AttemptKind, now: number): boolean {
  const { budgetMs, writes, repairs } = DEPTHS[generation.duration];
  if (now - generation.createdAt >= budgetMs) return false;
  const ended = attemptsOf(generation).filter(({ outcome }) => outcome !== 'interrupted');
  if (kind === 'repair') return ended.filter((attempt) => attempt.kind === 'repair').length < repairs;
  return ended.filter((attempt) => attempt.kind === 'write' && (attempt.files ?? 0) > 0).length < writes;
}
