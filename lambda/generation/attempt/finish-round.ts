import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Builder } from '../../stored/builder.ts';
import type { ProjectContents } from '../../stored/project-contents.ts';
import { filesOf } from '../../stored/stored-project.ts';
import { afterEnd, type EndPorts } from '../after-end.ts';
import { deliveredStatus, leftOut, missingFrom, unwrittenFiles } from '../completeness.ts';
import { newProblems } from '../edits/new-problems.ts';
import type { Attempt, Generation, GenerationEvent } from '../generation.ts';
import { imagesOf } from '../generation-log.ts';
import type { GenerationStore, Invocation } from '../generation-store.ts';
import { WORKFLOW_ERRORS, type WorkflowState, workflowState } from '../workflow.ts';
import { sentence } from './attempt-request.ts';
import { problemsOfBuild } from './build-check.ts';
import type { Deadlines } from './deadlines.ts';
import { nextAttempt } from './next-attempt.ts';
import type { Round } from './round.ts';

export interface FinishPorts extends EndPorts {
  readonly generations: GenerationStore;
  readonly builder: Builder;
  readonly clock: Clock;
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
  if (isUseful) return advance(last, round, states, generation, ports);
  await ports.generations.append(invocation, round.pending, generation.log.length);
  throw new AttemptError(last.outcome ?? 'failed', last.reason ?? last.outcome ?? '');
}

function isKept({ outcome, files = 0, unfinished }: Attempt): boolean {
  return outcome === 'succeeded' || files > 0 || unfinished !== undefined;
}

/** Writes the ends of the attempts together with what follows: the next attempt, or the end of the generation. */
async function advance(
  ended: Attempt,
  round: Round,
  { base, project }: States,
  generation: Generation,
  ports: FinishPorts,
): Promise<WorkflowState> {
  const { generations, builder, clock, deadlines } = ports;
  const after = storedProject(round.draft.files, project, generation);
  const isWhole = deliveredStatus({ log: [...generation.log, ...round.pending] }) === 'succeeded';
  const unbuilt = isWhole ? await problemsOfBuild(generation, after, builder) : undefined;
  const now = clock();
  const wrong = [...newProblems(after, base).map(sentence), ...(unbuilt ?? [])];
  const events = unbuilt === undefined ? round.pending : withBuild(round.pending, { ...ended, unbuilt });
  const log = [...generation.log, ...events];
  const sentBack = ended.kind === 'write' ? leftOut({ log }).length : 0;
  const problems = unwrittenFiles(generation).length + wrong.length + sentBack;
  const next = nextAttempt({ ...generation, log }, problems, now, deadlines.totalMs);
  const unused = ended.matched === undefined ? [] : unusedImages(generation, after);
  const { id } = generation;
  const end = { finishedAt: now, problems: [...missingFrom({ id, log }, ended), ...wrong, ...unused] };
  const advanced = await generations.advance(generation, events, next, round.nextNumber, end);
  await afterEnd(advanced, ports);
  return workflowState(advanced ?? (await generations.get(id)));
}

/** Returns the entries of the log with an attempt whose project was built. */
function withBuild(events: readonly GenerationEvent[], ended: Attempt): GenerationEvent[] {
  const others = events.filter(
    (event) => event.type !== 'attempt' || event.attempt !== ended.attempt || event.outcome === undefined,
  );
  return [...others, { type: 'attempt', ...ended }];
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
