import type { Clock } from '../../platform/clock.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { afterEnd, type EndPorts, freeSlot } from '../after-end.ts';
import { missingFrom, unbuiltOf } from '../completeness.ts';
import type { Attempt, Generation, GenerationEvent } from '../generation.ts';
import { attemptsOf } from '../generation-log.ts';
import type { GenerationStore } from '../generation-store.ts';
import { seenProblems } from '../looks.ts';
import { type FailedAttempt, type WorkflowState, workflowState } from '../workflow.ts';
import { dropUnjudged } from './drop-unjudged.ts';
import { nextAttempt } from './next-attempt.ts';

export interface SettlePorts extends EndPorts {
  readonly generations: GenerationStore;
  readonly files: () => Promise<ProjectFileStore>;
  readonly clock: Clock;
  /** How long a round may take, in milliseconds. */
  readonly roundMs: number;
}

/**
 * Ends the attempts of an invocation whose error the state machine caught, and decides what comes next. Attempts that failed
 * have logged why; for those that were killed or hung, this logs it. A repeated call changes nothing.
 */
export async function settleAttempt(failed: FailedAttempt, ports: SettlePorts): Promise<WorkflowState> {
  const { generations, files, clock, roundMs } = ports;
  const generation = await generations.get(failed.id);
  if (generation.attempt === failed.attempt) {
    const now = endedAt(generation, clock(), roundMs);
    const { ended, events: ends } = endsOf(generation, DEATHS[failed.outcome], now);
    const after = { ...generation, log: [...generation.log, ...ends] };
    const dropped = await dropUnjudged(after, nextAttempt(after, 0, now, roundMs), files);
    const events = [...ends, ...dropped];
    const logged = { ...generation, log: [...generation.log, ...events] };
    const next = nextAttempt(logged, 0, now, roundMs);
    const missing = missingFrom(logged, ended.at(-1) ?? {});
    const end = { finishedAt: now, problems: [...missing, ...unbuiltOf(logged), ...seenProblems(logged)] };
    const number = Math.max(...ended.map(({ attempt }) => attempt)) + 1;
    const advanced = await generations.advance(generation, events, next, number, end);
    await afterEnd(advanced, ports);
  } else {
    // The invocation may have died after it wrote the end.
    await freeSlot(generation, ports);
  }
  return workflowState(await generations.get(failed.id));
}

/** The longest time from the end of an attempt until it is settled, with the check of what it wrote. */
const LONGEST_CHECK_MS = 2 * 60_000;

/**
 * Returns when the last attempt ended, by the clock of the function that made it: `now`, or a time that can be right if the two
 * clocks differ. The generation would otherwise end as if its time were over.
 */
function endedAt(generation: Generation, now: number, roundMs: number): number {
  const last = attemptsOf(generation).at(-1);
  if (last === undefined) return now;
  const earliest = last.startedAt + (last.ms ?? 0);
  const latest = last.startedAt + (last.ms ?? roundMs) + LONGEST_CHECK_MS;
  return now >= earliest && now <= latest ? now : earliest;
}

/** How the attempts ended that did not say so themselves. */
type Death = Required<Pick<Attempt, 'outcome' | 'reason'>>;

/** What killed an invocation is in the log of its function. */
const DEATHS: Readonly<Record<FailedAttempt['outcome'], Death>> = {
  timed_out: { outcome: 'timed_out', reason: 'No answer in time' },
  failed: { outcome: 'interrupted', reason: 'The function ended early' },
};

/** Returns the attempts of the last invocation, all of them ended, and the entries of the log for those that had not. */
export function endsOf(
  generation: Generation,
  death: Death,
  now: number,
): { readonly ended: readonly Attempt[]; readonly events: readonly GenerationEvent[] } {
  const round = roundOf(generation, now);
  const ended = round.map((attempt) =>
    attempt.outcome ? attempt : endAttempt(attempt, generation, death, now),
  );
  const events = ended
    .filter((attempt) => !round.includes(attempt))
    .map((attempt) => ({ type: 'attempt', ...attempt }) as const);
  return { ended, events };
}

/** Returns the attempts that the invocation made; one that it did not begin if it died before that. */
function roundOf(generation: Generation, now: number): Attempt[] {
  const { attempt, provider, kind } = generation;
  const logged = attemptsOf(generation).filter((other) => other.attempt >= attempt);
  return logged.length > 0 ? logged : [{ attempt, provider, model: provider, kind, startedAt: now }];
}

function endAttempt(started: Attempt, { log }: Generation, death: Death, now: number): Attempt {
  const files = log.filter(
    (event) => (event.type === 'file' || event.type === 'deleted') && event.attempt === started.attempt,
  ).length;
  return { ...started, ms: Math.max(0, now - started.startedAt), files, ...death };
}
