import type { Delivery } from '../../contract/responses/webhooks.ts';
import { log } from '../../platform/log.ts';
import type { DeployOutcome } from '../../stored/generations.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { afterEnd, type EndStores, freeSlot } from '../after-end.ts';
import { interruptedProblems, missingFrom, unbuiltOf } from '../completeness.ts';
import {
  type Attempt,
  DEPLOY_INTERRUPTED,
  type DeployedState,
  type FailedAttempt,
  type Generation,
  type GenerationEvent,
  isOver,
  type NextAttempt,
  type WorkflowState,
  workflowState,
} from '../generation.ts';
import { attemptsOf, seenProblems } from '../generation-log.ts';
import type { GenerationStore } from '../generation-store.ts';
import { decide, type Situation } from './decide.ts';
import { undoAmendment } from './quality.ts';

/** The dependencies of settling attempts and generations. */
export interface Settling extends EndStores {
  readonly generations: GenerationStore;
  /** Loads the files: few settlings need them. */
  readonly files: () => Promise<ProjectFileStore>;
  /** How long a round may take, in milliseconds. */
  readonly roundMs: number;
}

/**
 * Ends the attempts of an invocation whose error the state machine caught, and what follows. Attempts that failed have
 * logged why; for those that were killed or hung, this logs it. A repeated call changes nothing.
 */
export async function settleAttempt(failed: FailedAttempt, settling: Settling): Promise<WorkflowState> {
  const { generations, clock, roundMs } = settling;
  const generation = await generations.get(failed.id);
  if (generation.attempt === failed.attempt) {
    const now = endedAt(generation, clock(), roundMs);
    const { ended, events: ends } = endsOf(generation, DEATHS[failed.outcome], now);
    const { logged, events, next } = await settled(generation, ends, { state: 'died' }, now, settling);
    const missing = missingFrom(logged, ended.at(-1) ?? {});
    const end = { finishedAt: now, problems: [...missing, ...unbuiltOf(logged), ...seenProblems(logged)] };
    const number = Math.max(...ended.map(({ attempt }) => attempt)) + 1;
    const advanced = await generations.advance(generation, events, next, number, end);
    await afterEnd(advanced, settling);
  } else {
    // The invocation may have died after it wrote the end.
    await freeSlot(generation, settling);
  }
  return workflowState(await generations.get(failed.id));
}

/** Does what follows the ends of attempts, as `decide` says. @returns what is to be written */
async function settled(
  generation: Generation,
  ends: readonly GenerationEvent[],
  situation: Extract<Situation, { state: 'died' | 'over' }>,
  now: number,
  { files, roundMs }: Pick<Settling, 'files' | 'roundMs'>,
): Promise<{ logged: Generation; events: readonly GenerationEvent[]; next: NextAttempt }> {
  let events = ends;
  for (;;) {
    const logged = { ...generation, log: [...generation.log, ...events] };
    const decision = decide(logged, situation, now, roundMs);
    if (decision.do === 'advance') return { logged, events, next: decision.next };
    if (decision.do !== 'drop') throw new Error(`Nobody is there to ${decision.do}`);
    events = [...events, ...(await undoAmendment(logged, decision.reason, await files()))];
  }
}

/** The longest time from the end of an attempt until it is settled, with the check of what it wrote. */
const LONGEST_CHECK_MS = 2 * 60_000;

/**
 * Returns when the last attempt ended, by the clock of the function that made it: `now`, or a time that can be right if
 * the two clocks differ. The generation would otherwise end as if its time were over.
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

/** The log of the function says why an invocation ended. */
const DEATHS: Readonly<Record<FailedAttempt['outcome'], Death>> = {
  timed_out: { outcome: 'timed_out', reason: 'No answer in time' },
  failed: { outcome: 'interrupted', reason: 'The function ended early' },
};

/**
 * Returns the attempts of the last invocation, all of them ended, and the entries of the log for those that had not.
 */
function endsOf(
  generation: Generation,
  death: Death,
  now: number,
): { readonly ended: readonly Attempt[]; readonly events: readonly GenerationEvent[] } {
  const round = roundOf(generation, now);
  const ended = round.map((attempt) => (attempt.outcome ? attempt : endAttempt(attempt, generation, death, now)));
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

/** The outcome of a deploy whose function died or could not reach its backend. */
const UNREACHABLE: DeployOutcome = {
  status: 502,
  error: 'The deployment backend is unreachable: deploy the project again with its generationId',
};

/**
 * Ends a generation with the outcome of its deploy, and records the usage of the deploy. A repeated call changes
 * nothing.
 */
export async function settleDeploy(
  { id, deployed: outcome = UNREACHABLE }: DeployedState,
  settling: Omit<Settling, 'files' | 'roundMs'>,
): Promise<WorkflowState> {
  const { generations, usage, clock } = settling;
  const { owner, problems = [] } = await generations.get(id);
  const visited = 'response' in outcome ? outcome.problems : [];
  const found = visited.filter((problem) => !isKnown(problem, problems));
  const ended = await generations.deployed(id, outcome, [...problems, ...found]);
  if (ended && owner !== undefined && 'response' in outcome) {
    const amounts = { files: outcome.response.fileCount, bytes: outcome.bytes };
    await usage
      .recordAmounts({ caller: owner, operation: 'deploy', at: clock(), ...amounts })
      .catch((error: unknown) => log.error('usage not recorded', { caller: owner, generation: id, error }));
  }
  const generation = ended ?? (await generations.get(id));
  await freeSlot(generation, settling);
  return workflowState(generation);
}

/** Reports if a reference that a visit of the page could not load is among the problems of the project already. */
function isKnown(visited: string, problems: readonly string[]): boolean {
  const [, name] = /^(?:\/d\/[^/]+)?\/(.+?): the page refers to it/.exec(visited) ?? [];
  if (name === undefined) return false;
  return problems.some((problem) => /does not exist|missing file/.test(problem) && problem.includes(name));
}

/**
 * The event of EventBridge about an execution that did not succeed.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export interface ExecutionEvent {
  readonly detail: { readonly name: string };
}

const EXECUTION_DEATH = { outcome: 'interrupted', reason: 'The execution ended early' } as const;
const INTERRUPTED: DeployOutcome = { status: 502, error: DEPLOY_INTERRUPTED };

/**
 * Ends a generation whose execution ended before it, because it exceeded a limit of Step Functions or was stopped: with
 * the files that it has, or as failed. Then starts the delivery of its notification, which the execution may not have
 * done. Changes nothing for a generation that is over, or that another execution has begun again, so the event may come
 * twice.
 * @param notify starts the delivery of a notification, unless it has been started
 */
export async function settleExecution(
  { detail: { name } }: ExecutionEvent,
  settling: Settling,
  notify: (delivery: Delivery) => Promise<void>,
): Promise<void> {
  const { generations, clock } = settling;
  const id = generationOf(name);
  for (;;) {
    const generation = await generations.find(id);
    if (generation?.execution !== name) return;
    if (isOver(generation)) {
      await freeSlot(generation, settling);
      const { delivery } = workflowState(generation);
      if (delivery) await notify(delivery);
      return;
    }
    if (generation.status === 'deploying') {
      await settleDeploy({ ...workflowState(generation), deployed: INTERRUPTED }, settling);
      continue;
    }
    const now = clock();
    const { events: ends } = endsOf(generation, EXECUTION_DEATH, now);
    const { logged, events, next } = await settled(generation, ends, { state: 'over' }, now, settling);
    const end = { finishedAt: now, problems: interruptedProblems(logged) };
    // An attempt that still runs may have written a file in the meantime: then the next round sees it.
    await afterEnd(await generations.interrupt(generation, events, next.status, end), settling);
  }
}

/** Returns the generation of an execution: see `executionName`. */
function generationOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-'));
}
