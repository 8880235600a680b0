import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptKind, AttemptOutcome } from '../../contract/responses/generate.ts';
import { deliveredStatus, endOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import { DEPTHS, LEAST_PART, LEAST_REVIEW_PART, MOST_ATTEMPTS, timeLeft } from '../durations.ts';
import type { Attempt, Generation, NextAttempt } from '../generation.ts';
import {
  amendedPaths,
  attemptsOf,
  hasChanges,
  isContinued,
  lastAmendment,
  leftAnything,
  planOf,
  roomOf,
} from '../generation-log.ts';
import type { Task } from './draft.ts';
import { compare, type Quality } from './quality.ts';

/** Attempts of a sole provider that add nothing, one after another: so many end the generation. */
const MOST_USELESS = 2;
const MOST_OVERLOADS = 4;
/** The pause after an overload if the provider names none; doubled with each further one. */
const FIRST_WAIT_SECONDS = 2;

/** Outcomes after which a generation without a file is a timeout (504), when it had no other outcome. */
const TIMEOUTS: ReadonlySet<AttemptOutcome> = new Set(['timed_out', 'silent']);

/** The state of a round whose attempts are over. */
export type Situation =
  /** Their invocation has ended them, and can check the project. */
  | { readonly state: 'ended' }
  | { readonly state: 'checked'; readonly check: Check }
  /** Their invocation failed or died: nobody checks the project. */
  | { readonly state: 'died' }
  /** The execution is over: no attempt can follow. */
  | { readonly state: 'over' };

/** The findings of a check. */
export interface Check {
  readonly is: Quality;
  /** The project before its last repair or review; undefined without one. */
  readonly was: Quality | undefined;
  /** Number of problems that a repair may correct. */
  readonly problems: number;
  /** Reports if there are pictures of the page that a provider can see. */
  readonly canReview: (provider: ProviderName) => boolean;
}

type Decision =
  /** Nothing of any answer can be kept: the state machine has the attempts settled. */
  | { readonly do: 'fail' }
  /** Check the project. Only one that is `whole`, and new, is built and opened in a browser. */
  | { readonly do: 'check'; readonly whole: boolean }
  /** Drop the last repair or review. @param reason a sentence */
  | { readonly do: 'drop'; readonly reason: string }
  /** Write the ends of the attempts, and what follows: another attempt, or the end of the generation. */
  | { readonly do: 'advance'; readonly next: NextAttempt };

/**
 * Decides what follows the attempts of the last round, whose outcomes and files are in the generation's log. What it
 * decides is executed, and then it is asked again with what is known by then, until it decides how to advance.
 * @param roundMs how long a round may take
 */
export function decide(generation: Generation, situation: Situation, now: number, roundMs: number): Decision {
  const round = attemptsOf(generation).filter((one) => one.attempt >= generation.attempt && !isForThought(one));
  const last = round.at(-1);
  const unchecked = () => nextAttempt(generation, round, 0, now, roundMs, () => false);
  switch (situation.state) {
    case 'ended': {
      // A repair or a review that failed leaves a project: only here can its problems be found again.
      const amends = last !== undefined && last.kind !== 'write';
      if (!amends && !round.some(isKept) && !addsPlan(generation)) return { do: 'fail' };
      const next = unchecked();
      // A repair is judged when it is over.
      if (last?.kind === 'repair' && isContinued(last) && isOfKind(next, 'repair')) return { do: 'advance', next };
      const amendment = lastAmendment(generation);
      const isNew = amendment === undefined || amendedPaths(amendment).length > 0;
      return { do: 'check', whole: isNew && deliveredStatus(generation) === 'succeeded' };
    }
    case 'checked': {
      const { check } = situation;
      const reason = check.was && reasonToDrop(generation, check.was, check.is);
      if (reason !== undefined) return { do: 'drop', reason };
      const canReview = round.some(isKept) ? check.canReview : () => false;
      return { do: 'advance', next: nextAttempt(generation, round, check.problems, now, roundMs, canReview) };
    }
    case 'died': {
      const next = unchecked();
      const kind = judgedKind(generation);
      if (kind !== undefined && !isOfKind(next, kind)) return { do: 'drop', reason: ENDED_EARLY };
      return { do: 'advance', next };
    }
    case 'over':
      if (judgedKind(generation) !== undefined) return { do: 'drop', reason: ENDED_EARLY };
      return {
        do: 'advance',
        next: { status: hasChanges(generation) ? deliveredStatus(generation) : 'failed' },
      };
  }
}

/** Whether an attempt wrote for a plan that was a part of a thought. */
function isForThought({ kind, dropped }: Attempt): boolean {
  return kind === 'write' && dropped === true;
}

const ENDED_EARLY = 'Dropped: it ended early';

/**
 * Returns the kind of the last repair or review if it is still to be kept or dropped: it left something, and there was
 * a project before it.
 */
export function judgedKind(generation: Pick<Generation, 'log'>): AttemptKind | undefined {
  const amendment = lastAmendment(generation);
  if (amendment === undefined || !leftAnything(amendment)) return undefined;
  return hasChanges({ log: amendment.before }) ? amendment.attempts[0].kind : undefined;
}

/** A repair must make the project better, a review must not make it worse. */
function reasonToDrop(generation: Generation, was: Quality, is: Quality): string | undefined {
  const kind = judgedKind(generation);
  if (kind === undefined) return undefined;
  const { order, reason } = compare(was, is);
  const isKeptOf = kind === 'repair' ? order > 0 : order >= 0;
  return isKeptOf ? undefined : `Dropped: ${reason}`;
}

function isOfKind(next: NextAttempt, kind: AttemptKind): boolean {
  return next.status === 'running' && next.kind === kind;
}

/** Reports if something of an answer is kept, even if that is only that nothing is wrong. */
function isKept({ outcome, files = 0, unfinished }: Attempt): boolean {
  return outcome === 'succeeded' || files > 0 || unfinished !== undefined;
}

/** Returns the next attempt, or how the generation ends. @param problems matters after a success only */
function nextAttempt(
  generation: Generation,
  round: readonly Attempt[],
  problems: number,
  now: number,
  roundMs: number,
  canReview: Check['canReview'],
): NextAttempt {
  const kind = neededKind(generation, round, problems);
  const asked = whoIsNext(generation, round);
  const hasTime = (waitSeconds = 0, part = LEAST_PART) =>
    attemptsOf(generation).length < MOST_ATTEMPTS &&
    roomOf(generation) > 0 &&
    timeLeft(generation, now, roundMs) - waitSeconds * 1000 >= roundMs * part;
  const isReviewed = kind === 'write' || !awaitsReview(generation);
  if (!isReviewed && asked && canReview(asked.provider) && hasTime(asked.waitSeconds, LEAST_REVIEW_PART))
    return { status: 'running', kind: 'review', ...asked };
  if (kind === undefined) return endOf(generation);
  if (asked && mayBe(kind, generation) && hasTime(asked.waitSeconds)) return { status: 'running', kind, ...asked };
  // Without a change there is nothing to deliver: another provider starts over.
  const [other, ...others] = generation.remaining;
  if (kind === 'repair' && !hasChanges(generation) && other && hasTime())
    return { status: 'running', kind: 'write', provider: other, remaining: others, waitSeconds: 0 };
  if (hasChanges(generation)) return endOf(generation);
  const outcomes = calledOutcomes(generation);
  // Its first file is still being written.
  const isTooSlow = outcomes.at(-1) === 'cut_off' && !hasTime();
  const isTimeout = isTooSlow || (outcomes.length > 0 && outcomes.every((outcome) => TIMEOUTS.has(outcome)));
  return { status: isTimeout ? 'timed_out' : 'failed' };
}

/** Returns the outcomes of the attempts whose provider was called. */
function calledOutcomes(generation: Generation): AttemptOutcome[] {
  const outcomes = attemptsOf(generation).map(({ outcome = 'failed' }) => outcome);
  return outcomes.filter((outcome) => outcome !== 'over_budget');
}

/** Rejected changes are sent back once: those of a repair are left out, and a cut-off answer is continued first. */
function sendsBack({ kind, outcome, rejected }: Attempt): boolean {
  return kind === 'write' && outcome === 'succeeded' && rejected !== undefined;
}

/** Whether an attempt added to the project, or to one of its files; one that repeats itself writes, but adds nothing. */
function adds({ outcome, files = 0, unfinished }: Attempt): boolean {
  return outcome !== 'unusable' && (files > 0 || unfinished !== undefined);
}

/**
 * Whether the provider of an attempt is asked again: also to correct what was rejected, or after a review without a
 * fault.
 */
function isUseful(attempt: Attempt): boolean {
  const approves = attempt.kind === 'review' && attempt.outcome === 'succeeded';
  return adds(attempt) || sendsBack(attempt) || approves;
}

/** Whether the page of a whole project is still to be compared with the request. */
function awaitsReview(generation: Generation): boolean {
  const isDue = DEPTHS[generation.duration].isReviewed;
  return isDue && attemptsOf(generation).every(({ kind }) => kind !== 'review');
}

/** Whether the attempts of a round added anything, a plan included. */
function addsAnything(generation: Generation, round: readonly Attempt[]): boolean {
  return round.some(isUseful) || addsPlan(generation);
}

/** Reports if the last round made the plan. */
function addsPlan({ log, attempt }: Generation): boolean {
  const begun = log.findIndex((event) => event.type === 'attempt' && event.attempt >= attempt);
  return log.slice(begun).some(({ type }) => type === 'plan');
}

/** The kind of attempt that the project needs; undefined when it is done. */
function neededKind(generation: Generation, round: readonly Attempt[], problems: number): AttemptKind | undefined {
  const last = round.at(-1);
  const useful = addsAnything(generation, round);
  if (last?.kind === 'repair') {
    if (last.dropped) return last.outcome === 'succeeded' && problems > 0 ? 'repair' : undefined;
    if (last.outcome === 'interrupted' || (last.outcome === 'cut_off' && useful)) return 'repair';
    return last.outcome === 'succeeded' && problems > 0 ? 'repair' : undefined;
  }
  // A review leaves the project whole, however it ends.
  if (last?.kind === 'review') return problems > 0 ? 'repair' : undefined;
  if (!hasChanges(generation)) return last && sendsBack(last) ? 'repair' : 'write';
  const missing = unwrittenFiles(generation).length + unfinishedFiles(generation).length;
  const isPlanWritten = planOf(generation) !== undefined && missing === 0;
  const succeeded = round.every(({ outcome }) => outcome === 'succeeded');
  if (!succeeded && !isPlanWritten) return 'write';
  // After a complete answer that adds nothing, another attempt would not write the missing files either.
  if (missing > 0 && round.some(adds)) return 'write';
  return problems > 0 ? 'repair' : undefined;
}

/** The number of repairs is limited. One that was cut off or interrupted is continued, and does not count again. */
function mayBe(kind: AttemptKind, generation: Generation): boolean {
  const repairs = attemptsOf(generation).filter(
    (attempt) => attempt.kind === 'repair' && attempt.outcome !== 'interrupted' && attempt.outcome !== 'cut_off',
  );
  return kind !== 'repair' || repairs.length < DEPTHS[generation.duration].repairs;
}

type NextProvider = Pick<Extract<NextAttempt, { status: 'running' }>, 'provider' | 'remaining' | 'waitSeconds'>;

/** Returns the provider of the next attempt; undefined if no one is left to ask. */
function whoIsNext(generation: Generation, round: readonly Attempt[]): NextProvider | undefined {
  const { provider, remaining } = generation;
  const last = round.at(-1);
  const again = { provider, remaining, waitSeconds: 0 };
  const useful = addsAnything(generation, round);
  // A provider that was cut off goes on, as does one whose function died or whose files could not be stored.
  if (useful && (last?.outcome === 'succeeded' || last?.outcome === 'cut_off')) return again;
  if (last?.outcome === 'interrupted' && uselessInARow(generation, provider) < MOST_USELESS) return again;
  const [other, ...others] = remaining;
  if (other) return { provider: other, remaining: others, waitSeconds: 0 };
  if (round.some(isFutile) && round.every((one) => one.outcome === 'succeeded' || isFutile(one))) return undefined;
  return isWorthAnother(generation, useful) ? { ...again, waitSeconds: waitAfter(generation) } : undefined;
}

/** Whether the same request to the same provider would end like this again: waiting adds no credit, and no key. */
function isFutile({ outcome, isUnacceptable }: Attempt): boolean {
  return outcome === 'credentials' || isUnacceptable === true;
}

/** Whether the last provider that is left is asked once more. */
function isWorthAnother(generation: Generation, useful: boolean): boolean {
  if (useful) return true;
  if (attemptsOf(generation).at(-1)?.outcome === 'over_budget') return false;
  const { provider } = generation;
  const attempts = attemptsOf(generation);
  const { outcome, tokens = 0 } = attempts.at(-1) ?? {};
  const useless = uselessInARow(generation, provider);
  const isSole = attempts.every((attempt) => attempt.provider === provider);
  const hasPart = hasChanges(generation) || unfinishedFiles(generation).length > 0;
  if (outcome === 'overloaded') return (isSole || hasPart) && useless < MOST_OVERLOADS;
  const brokeOff = outcome === 'cut_off' || (outcome === 'silent' && tokens > 0);
  // It is reminded of the format.
  const isUnreadable = outcome === 'unusable';
  return (hasPart || isUnreadable || (isSole && brokeOff)) && useless < MOST_USELESS;
}

/** Returns the number of a provider's last attempts, one after another, that added nothing. */
function uselessInARow(generation: Generation, provider: ProviderName): number {
  const attempts = attemptsOf(generation).toReversed();
  const end = attempts.findIndex((attempt) => attempt.provider !== provider || isUseful(attempt));
  return end === -1 ? attempts.length : end;
}

/** Returns the seconds until an overloaded provider is asked again. */
function waitAfter(generation: Generation): number {
  const { outcome, retryAfterSeconds } = attemptsOf(generation).at(-1) ?? {};
  if (outcome !== 'overloaded') return 0;
  const further = uselessInARow(generation, generation.provider) - 1;
  return retryAfterSeconds ?? FIRST_WAIT_SECONDS * 2 ** Math.max(0, further);
}

/** A task with the provider that is asked next, those to ask after it, and how often it failed. */
export interface QueuedTask {
  readonly task: Task;
  readonly providers: readonly [ProviderName, ...ProviderName[]];
  readonly failures: number;
  /** Why the last answer of the first provider was not usable, as a sentence. */
  readonly reminder?: string | undefined;
}

/** How often the group of a plan may fail within a round. */
const MOST_FAILURES = 2;

/** The next task of a group, and when it begins: before other tasks, after them, or once another attempt has ended. */
interface FollowUp {
  readonly queued: QueuedTask;
  readonly when: 'next' | 'last' | 'after another';
}

/**
 * Returns how a round continues with the rest of a task while its other attempts run; undefined if that is decided when
 * all have ended, as it is for a project without groups.
 */
export function followUp(rest: QueuedTask, ended: Attempt): FollowUp | undefined {
  const { outcome, reason } = ended;
  if (rest.task.group === undefined || outcome === 'interrupted') return undefined;
  if (adds(ended)) return { queued: { ...rest, failures: 0, reminder: undefined }, when: 'next' };
  const [provider, other, ...others] = rest.providers;
  const failures = rest.failures + 1;
  if (outcome === 'succeeded' || failures > MOST_FAILURES) return undefined;
  if (other !== undefined)
    return { queued: { task: rest.task, providers: [other, ...others], failures }, when: 'last' };
  if (isFutile(ended)) return undefined;
  const reminder = outcome === 'unusable' ? reason : undefined;
  return { queued: { ...rest, providers: [provider], failures, reminder }, when: 'after another' };
}
