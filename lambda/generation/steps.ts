import type { Duration, ProviderName } from '../contract/generate.ts';
import {
  type Attempt,
  attemptsOf,
  type Delivered,
  deliveredStatus,
  filesOf,
  isPlanWritten,
  type Job,
  lackingOf,
  type Outcome,
  type Pass,
} from './job.ts';

/** What follows a step: another one, or the end. */
export type Next =
  | {
      readonly status: 'running';
      readonly pass: Pass;
      readonly provider: ProviderName;
      readonly remaining: readonly ProviderName[];
    }
  | { readonly status: Delivered | 'failed' | 'timed_out' };

interface Depth {
  /** No step begins later than this after the job was made. */
  readonly budgetMs: number;
  readonly plan: boolean;
  /** At most so many answers with files, and so many repairs. */
  readonly writes: number;
  readonly repairs: number;
}

const MINUTE = 60_000;

/** What a duration buys. `auto` is one pass and one repair; its further writes only continue what was cut off. */
export const DEPTHS: Readonly<Record<Duration, Depth>> = {
  auto: { budgetMs: Number.POSITIVE_INFINITY, plan: false, writes: 3, repairs: 1 },
  '5min': { budgetMs: 5 * MINUTE, plan: true, writes: 10, repairs: 2 },
  '10min': { budgetMs: 10 * MINUTE, plan: true, writes: 20, repairs: 3 },
};

/** The pass that a job begins with. */
export function firstPass(duration: Duration): Pass {
  return DEPTHS[duration].plan ? 'plan' : 'write';
}

/** Outcomes that make a job without a file a timeout rather than a failure, when there was no other. */
const TIMEOUTS: ReadonlySet<Outcome> = new Set(['timed_out', 'silent']);

/**
 * Decides what follows the attempt that just ended, which is in the job's log with its outcome and its files.
 * @param problems how many things are wrong with the project; only looked at after a success
 */
export function nextStep(job: Job, ended: Attempt, problems: number, now: number): Next {
  const [other, ...others] = job.remaining;
  const again = goesOn(ended) || mayBeAskedAgain(job);
  const [provider, remaining] = again ? [job.provider, job.remaining] : [other, others];
  const pass = wantedPass(job, ended, problems);
  if (pass === undefined) return { status: deliveredStatus(job) };
  if (provider && hasRoom(job, pass, now)) return { status: 'running', pass, provider, remaining };
  if (filesOf(job).length > 0) return { status: deliveredStatus(job) };
  const outcomes = attemptsOf(job).map(({ outcome }) => outcome ?? 'failed');
  return { status: outcomes.every((outcome) => TIMEOUTS.has(outcome)) ? 'timed_out' : 'failed' };
}

/** Whether the same provider may go on: it answered, and not in vain. After anything else it is the next one's turn. */
function goesOn({ pass, outcome, files }: Attempt): boolean {
  if (pass === 'plan') return outcome === 'succeeded' || outcome === 'unusable';
  return (outcome === 'succeeded' || outcome === 'cut_off') && files !== 0;
}

/**
 * An interrupted attempt says nothing about its provider, so the provider is asked again. Not after two in a row: its
 * answers may be what kills the function.
 */
function mayBeAskedAgain(job: Job): boolean {
  const [last, before] = attemptsOf(job).toReversed();
  const interruptedTwice = before?.outcome === 'interrupted' && before.provider === last?.provider;
  return last?.outcome === 'interrupted' && !interruptedTwice;
}

/** What the project needs; undefined when it is done. */
function wantedPass(job: Job, ended: Attempt, problems: number): Pass | undefined {
  const { pass, outcome } = ended;
  if (outcome === 'interrupted' && pass !== 'write') return pass;
  if (pass === 'plan' && !goesOn(ended)) return 'plan';
  if (filesOf(job).length === 0) return 'write';
  if (pass === 'repair') return outcome === 'succeeded' && problems > 0 ? 'repair' : undefined;
  if (outcome !== 'succeeded' && !isPlanWritten(job)) return 'write';
  // An answer that is complete and still brought nothing new will not bring it the next time either.
  if (lackingOf(job).length > 0 && (ended.files !== 0 || pass === 'plan')) return 'write';
  return problems > 0 ? 'repair' : undefined;
}

function hasRoom(job: Job, pass: Pass, now: number): boolean {
  const { budgetMs, writes, repairs } = DEPTHS[job.duration];
  if (now - job.createdAt >= budgetMs) return false;
  const ended = attemptsOf(job).filter(({ outcome }) => outcome !== 'interrupted');
  if (pass === 'repair') return ended.filter((attempt) => attempt.pass === 'repair').length < repairs;
  return ended.filter((attempt) => attempt.pass === 'write' && (attempt.files ?? 0) > 0).length < writes;
}
