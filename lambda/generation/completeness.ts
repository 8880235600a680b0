import type { LookProblem } from '../contract/looks.ts';
import { placedLine } from '../contract/messages.ts';
import { boundedText } from '../platform/bounded.ts';
import { isCorrected, pathProblem } from '../sites/paths.ts';
import { filesOf, type PlannedFile, type ProjectStatus } from '../stored/projects/stored-project.ts';
import { type Attempt, type Generation, isOver, type NextAttempt, type StoredUnfinished } from './generation.ts';
import { attemptsOf, hasChanges, keptLog, lastLook, planOf } from './generation-log.ts';

/** The final status of a generation with files: `succeeded` takes a fully written plan, or a complete last answer. */
export function deliveredStatus(generation: Pick<Generation, 'log'>): ProjectStatus {
  const missing = [...leftOut(generation), ...unwrittenFiles(generation), ...unfinishedFiles(generation)];
  if (missing.length > 0) return 'incomplete';
  if (planOf(generation)) return 'succeeded';
  const lastWrite = attemptsOf(generation).findLast(({ kind, dropped }) => kind === 'write' && !dropped);
  return lastWrite?.outcome === 'succeeded' ? 'succeeded' : 'incomplete';
}

/**
 * Returns the end of a generation with its last change: a complete one is still to be deployed, if the request asks for
 * it and the page loads.
 */
export function endOf(
  generation: Pick<Generation, 'id' | 'log' | 'status' | 'deploy'>,
): Exclude<NextAttempt, { readonly status: 'running' }> {
  const status = deliveredStatus(generation);
  if (status !== 'succeeded' || !generation.deploy) return { status };
  const blocking = lastLook(generation)?.problems?.filter((problem) => problem.blocking === true) ?? [];
  if (blocking.length === 0) return { status: 'deploying' };
  return { status, deployed: { status: 400, error: notPublished(generation.id, blocking) } };
}

/** Returns why a page that does not load is not published, and how to publish it. */
function notPublished(id: string, [first, ...others]: readonly LookProblem[]): string {
  const seen = first === undefined ? '' : boundedText(placedLine(first));
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `Not published, because a browser found: ${seen}${more}. Change it with "from", or deploy it as it is with "generationId": "${id}"`;
}

/** Longer than any generation takes, with waits for storage and retries of a deploy. */
const LOST_MS = 3 * 60 * 60_000;

/**
 * The generation as it counts at a time. One that is still not over long after it should be has lost its execution, and
 * the event about that, which Step Functions sends with best effort. Nothing will write its end, so it counts as ended
 * with the files it has.
 */
export function asOf(generation: Generation, now: number): Generation {
  if (isOver(generation) || now - generation.createdAt < LOST_MS) return generation;
  if (generation.status === 'deploying') return { ...generation, status: 'succeeded' };
  return {
    ...generation,
    status: hasChanges(generation) ? deliveredStatus(generation) : 'failed',
    finishedAt: generation.createdAt + LOST_MS,
    problems: interruptedProblems(generation),
  };
}

/** The first problem of a generation whose execution ended before it did. */
export const INTERRUPTED = 'The generation was interrupted';

/** Returns what a generation lacks whose execution ended before it did. */
export function interruptedProblems(generation: Pick<Generation, 'log'>): string[] {
  return [INTERRUPTED, ...missingFiles(generation), ...leftOut(generation)];
}

/** Returns what a project lacks that ends with this attempt, one sentence each, and how to go on. */
export function missingFrom(
  generation: Pick<Generation, 'id' | 'log'>,
  { outcome, reason }: Pick<Attempt, 'outcome' | 'reason'>,
): string[] {
  if (hasChanges(generation) && deliveredStatus(generation) === 'succeeded') return [];
  const early = outcome === 'succeeded' ? [] : [`The last attempt ended early: ${reason ?? outcome}`];
  const missing = [...early, ...missingFiles(generation)];
  if (missing.length > 0 && hasChanges(generation))
    missing.push(`To have the rest written, send a request with "from": "${generation.id}"`);
  return [...missing, ...leftOut(generation)];
}

function missingFiles(generation: Pick<Generation, 'log'>): string[] {
  const unfinished = unfinishedFiles(generation).map(({ path }) => path);
  const planned = unwrittenFiles(generation).filter(({ path }) => !unfinished.includes(path));
  return [
    ...unfinished.map((path) => `${path}: begun, but not finished`),
    ...planned.map(({ path }) => `${path}: planned, but not written`),
  ];
}

/**
 * The files that were rejected and not written in another way since, one sentence each. A file whose path was not valid
 * is written once one of the same name is.
 */
export function leftOut(generation: Pick<Generation, 'log'>): string[] {
  const rejected = new Map<string, string>();
  for (const event of keptLog(generation)) {
    if (event.type === 'file' || event.type === 'deleted') {
      rejected.delete(event.path);
      for (const path of rejected.keys()) if (isCorrected(path, event.path)) rejected.delete(path);
    }
    if (event.type !== 'attempt') continue;
    for (const [path, reason] of Object.entries(event.rejected ?? {})) rejected.set(path, reason);
  }
  return Array.from(rejected, ([path, reason]) =>
    pathProblem(path) === undefined
      ? `${path}: not changed, because the change ${reason}`
      : `${path}: not written, because its path ${reason}`,
  );
}

/** Why the project did not build when it was built last, one sentence each. */
export function unbuiltOf(generation: Pick<Generation, 'log'>): readonly string[] {
  const attempts = attemptsOf({ log: keptLog(generation) });
  return attempts.findLast(({ unbuilt }) => unbuilt !== undefined)?.unbuilt ?? [];
}

/** The planned files that are not written yet; empty without a plan. */
export function unwrittenFiles(generation: Pick<Generation, 'log'>): PlannedFile[] {
  const written = new Set(filesOf(generation).map(({ path }) => path));
  return planOf(generation)?.files.filter(({ path }) => !written.has(path)) ?? [];
}

/** The files that an attempt began and none has finished or had rejected since, each as far as it got. */
export function unfinishedFiles(generation: Pick<Generation, 'log'>): StoredUnfinished[] {
  const files = new Map<string, StoredUnfinished>();
  for (const event of keptLog(generation)) {
    if (event.type === 'file' || event.type === 'deleted') files.delete(event.path);
    if (event.type !== 'attempt') continue;
    for (const path of Object.keys(event.rejected ?? {})) files.delete(path);
    if (event.unfinished) files.set(event.unfinished.path, event.unfinished);
  }
  return [...files.values()];
}
