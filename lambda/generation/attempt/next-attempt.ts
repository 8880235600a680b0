import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptKind, AttemptOutcome } from '../../contract/responses/generate.ts';
import { endOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import { DEPTHS, LEAST_PART, LEAST_REVIEW_PART, MOST_ATTEMPTS, timeLeft } from '../durations.ts';
import type { Attempt, Generation, NextAttempt } from '../generation.ts';
import { attemptsOf, decisiveAttempts, hasChanges, planOf } from '../generation-log.ts';
import { roomOf } from '../room.ts';

/** Attempts of a sole provider that add nothing, one after another: so many end the generation. */
const MOST_USELESS = 2;
const MOST_OVERLOADS = 4;
/** The pause after an overload if the provider names none; doubled with each further one. */
const FIRST_WAIT_SECONDS = 2;

/** Outcomes after which a generation without a file is a timeout (504), when it had no other outcome. */
const TIMEOUTS: ReadonlySet<AttemptOutcome> = new Set(['timed_out', 'silent']);

/**
 * Decides what follows the attempts of the round that just ended, whose outcomes and files are in the generation's log.
 * @param problems number of problems of the project; matters after a success only
 * @param roundMs how long a round may take
 * @param canReview whether there are pictures of the page that a provider can see
 */
export function nextAttempt(
  logged: Generation,
  problems: number,
  now: number,
  roundMs: number,
  canReview: (provider: ProviderName) => boolean = () => false,
): NextAttempt {
  const generation = withoutRaces(logged);
  const round = attemptsOf(generation).filter(({ attempt }) => attempt >= generation.attempt);
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
  if (asked && mayBe(kind, generation) && hasTime(asked.waitSeconds))
    return { status: 'running', kind, ...asked };
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

/** Returns a generation without attempts that lost a race. The provider that won the last one goes on. */
function withoutRaces(generation: Generation): Generation {
  const decisive = decisiveAttempts(generation);
  const numbers = new Set(decisive.map(({ attempt }) => attempt));
  const lost = attemptsOf(generation).filter(({ attempt }) => !numbers.has(attempt));
  if (lost.length === 0) return generation;
  const log = generation.log.filter((event) => event.type !== 'attempt' || numbers.has(event.attempt));
  const { provider, remaining } = generation;
  const wasRaced = lost.some((one) => one.attempt >= generation.attempt && one.provider === provider);
  const winner = decisive.at(-1)?.provider ?? provider;
  if (!wasRaced || winner === provider) return { ...generation, log };
  return { ...generation, log, provider: winner, remaining: remaining.slice(remaining.indexOf(winner) + 1) };
}

/** Rejected changes are sent back once: those of a repair are left out, and a cut-off answer is continued first. */
export function sendsBack({ kind, outcome, rejected }: Attempt): boolean {
  return kind === 'write' && outcome === 'succeeded' && rejected !== undefined;
}

/** Whether an attempt added to the project, or to one of its files. */
function adds({ files = 0, unfinished }: Attempt): boolean {
  return files > 0 || unfinished !== undefined;
}

/** Whether the provider of an attempt is asked again: also to correct what was rejected, or after a review without a fault. */
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
  if (round.some(isUseful)) return true;
  const begun = generation.log.findIndex(
    (event) => event.type === 'attempt' && event.attempt >= generation.attempt,
  );
  return generation.log.slice(begun).some(({ type }) => type === 'plan');
}

/** The kind of attempt that the project needs; undefined when it is done. */
function neededKind(
  generation: Generation,
  round: readonly Attempt[],
  problems: number,
): AttemptKind | undefined {
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
    (attempt) =>
      attempt.kind === 'repair' && attempt.outcome !== 'interrupted' && attempt.outcome !== 'cut_off',
  );
  return kind !== 'repair' || repairs.length < DEPTHS[generation.duration].repairs;
}

type NextProvider = Pick<
  Extract<NextAttempt, { status: 'running' }>,
  'provider' | 'remaining' | 'waitSeconds'
>;

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
  return isWorthAnother(generation, useful) ? { ...again, waitSeconds: waitAfter(generation) } : undefined;
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
  return (hasPart || (isSole && brokeOff)) && useless < MOST_USELESS;
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
