import type { ProviderName } from '../../contract/generate.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import { filesOf } from '../../stored/projects/stored-project.ts';
import { afterEnd, type EndPorts } from '../after-end.ts';
import { isContinued } from '../amendments.ts';
import { leftOut, missingFrom, unbuiltOf, unwrittenFiles } from '../completeness.ts';
import { newProblems } from '../edits/new-problems.ts';
import type { Attempt, Generation } from '../generation.ts';
import { imagesOf } from '../generation-log.ts';
import type { Invocation } from '../generation-store.ts';
import { lastLook, seenProblems } from '../looks.ts';
import type { Provider } from '../providers/provider.ts';
import { WORKFLOW_ERRORS, type WorkflowState, workflowState } from '../workflow.ts';
import { sentence } from './attempt-request.ts';
import {
  type CheckPorts,
  checkRound,
  type Judged,
  judge,
  type Progress,
  withPending,
} from './check-round.ts';
import type { Deadlines } from './deadlines.ts';
import { nextAttempt } from './next-attempt.ts';
import type { Round } from './round.ts';

export interface FinishPorts extends EndPorts, CheckPorts {
  readonly provider: (name: ProviderName) => Provider;
  readonly deadlines: Deadlines;
}

/** The project before the generation, and before the round. */
export interface States {
  readonly base: ProjectContents;
  readonly project: ProjectContents;
}

/** An attempt that ends without a file. The state machine catches it by its name. */
class AttemptError extends Error {
  constructor(outcome: AttemptOutcome, message: string) {
    super(message);
    const timedOut = outcome === 'timed_out' || outcome === 'silent';
    this.name = timedOut ? WORKFLOW_ERRORS.providerTimedOut : WORKFLOW_ERRORS.providerFailed;
  }
}

/**
 * Writes the ends of the attempts of a round.
 * @throws AttemptError if nothing of any answer can be kept
 */
export async function finishRound(
  invocation: Invocation,
  round: Round,
  states: States,
  generation: Generation,
  ports: FinishPorts,
): Promise<WorkflowState> {
  const last = round.ended.findLast(({ outcome }) => outcome !== 'outpaced');
  if (last === undefined) throw new Error('The round has no attempt');
  // A review that failed leaves a whole project.
  const isUseful = round.draft.isPlanned || last.kind === 'review' || round.ended.some(isKept);
  if (isUseful) return advance(last, round, states, invocation, generation, ports);
  await ports.generations.append(invocation, round.pending, generation.log.length);
  throw new AttemptError(last.outcome ?? 'failed', last.reason ?? last.outcome ?? '');
}

function isKept({ outcome, files = 0, unfinished }: Attempt): boolean {
  return outcome === 'succeeded' || files > 0 || unfinished !== undefined;
}

/** Writes the ends of the attempts together with what follows: the next attempt, or the end of the generation. */
async function advance(
  last: Attempt,
  round: Round,
  states: States,
  invocation: Invocation,
  generation: Generation,
  ports: FinishPorts,
): Promise<WorkflowState> {
  const { generations } = ports;
  const { id } = generation;
  const judged = await judgedRound(last, round, states, invocation, generation, ports);
  // Another invocation owns the generation now, or it was canceled.
  if (judged === undefined) return workflowState(await generations.get(id));
  const { progress, project } = judged;
  const now = ports.clock();
  const logged = withPending(progress);
  const wrong = [
    ...newProblems(project, states.base).map(sentence),
    ...unbuiltOf(logged),
    ...seenProblems(logged),
  ];
  const sentBack = last.kind === 'write' ? leftOut(logged).length : 0;
  const problems = unwrittenFiles(logged).length + wrong.length + sentBack;
  const isRepairable = ports.provider(last.provider).repairs !== false;
  const hasPictures = (lastLook(logged)?.widths ?? []).length > 0;
  const canReview = (name: ProviderName) => hasPictures && ports.provider(name).images === true;
  const { totalMs } = ports.deadlines;
  const next = nextAttempt(logged, isRepairable ? problems : 0, now, totalMs, canReview);
  const unused = last.matched === undefined ? [] : unusedImages(generation, project);
  const end = { finishedAt: now, problems: [...missingFrom(logged, last), ...wrong, ...unused] };
  const advanced = await generations.advance(generation, progress.pending, next, round.nextNumber, end);
  await afterEnd(advanced, ports);
  return workflowState(advanced ?? (await generations.get(id)));
}

/** Checks what a round made, unless the next one goes on with it. @returns undefined if another invocation owns the generation */
async function judgedRound(
  last: Attempt,
  { pending, draft }: Round,
  { base, project: before }: States,
  invocation: Invocation,
  stored: Generation,
  ports: FinishPorts,
): Promise<Judged | undefined> {
  const project = storedProject(draft.files, before, stored);
  const ended: Progress = { stored, pending };
  if (isToBeContinued(last, withPending(ended), ports)) return { progress: ended, project };
  const checked = await checkRound(last, ended, { base, project }, invocation, ports);
  return checked && judge(checked, { base, before, project }, ports);
}

/** Whether the next attempt goes on with a repair or a review, which is judged when it is over. */
function isToBeContinued(last: Attempt, generation: Generation, { clock, deadlines }: FinishPorts): boolean {
  if (last.kind === 'write' || !isContinued(last)) return false;
  const next = nextAttempt(generation, 0, clock(), deadlines.totalMs);
  return next.status === 'running' && next.kind === last.kind;
}

/** Returns the project after a round without changes that are not in the log. */
function storedProject(
  after: ProjectContents,
  before: ProjectContents,
  generation: Generation,
): ProjectContents {
  const stored = new Set(filesOf(generation).map(({ path }) => path));
  const project = new Map<string, string | Uint8Array>();
  for (const [path, content] of after) {
    const kept = stored.has(path) ? content : before.get(path);
    if (kept !== undefined) project.set(path, kept);
  }
  return project;
}

/** Returns a sentence for each image that a starter does not show. A model may have a reason not to use one. */
function unusedImages(generation: Generation, project: ProjectContents): string[] {
  const texts = [...project.values()].filter((content) => typeof content === 'string');
  return imagesOf(generation)
    .filter(({ path }) => !texts.some((text) => text.includes(path)))
    .map(({ path }) => `${path}: is in the project, but the starter does not show it`);
}
