import { type LookProblem, lookLine } from '../../contract/looks.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import type { Amendment } from '../amendments.ts';
import { deliveredStatus, leftOut, unbuiltOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import { newProblems } from '../edits/new-problems.ts';
import type { Generation, GenerationEvent, LookEntry } from '../generation.ts';
import { hasChanges } from '../generation-log.ts';
import { lastLook } from '../looks.ts';
import { sentence } from './attempt-request.ts';

/** What is known of a project. */
export interface Quality {
  /** Whether nothing that was to be written is missing. */
  readonly isWhole: boolean;
  /** Why it does not build. */
  readonly unbuilt: readonly string[];
  /** What is wrong with its files, or missing from them. */
  readonly flaws: readonly string[];
  /** What a browser saw; undefined if none looked. */
  readonly seen: readonly LookProblem[] | undefined;
}

/** Returns the quality of a project. @param look what a browser saw of it */
export function qualityOf(
  generation: Pick<Generation, 'log'>,
  project: ProjectContents,
  base: ProjectContents,
  look: LookEntry | undefined,
): Quality {
  const missing = [...unfinishedFiles(generation), ...unwrittenFiles(generation)].map(({ path }) => path);
  return {
    isWhole: deliveredStatus(generation) === 'succeeded',
    unbuilt: unbuiltOf(generation),
    flaws: [...newProblems(project, base).map(sentence), ...missing, ...leftOut(generation)],
    seen: look?.state === 'looked' ? (look.problems ?? []) : undefined,
  };
}

/**
 * Returns why an amendment is dropped, as a sentence; undefined if it is kept. A repair must make the project better, a review must
 * not make it worse. Without a project before it, there is nothing to go back to.
 * @param log with the amendment
 * @param before the project before it
 */
export function verdict(
  { attempts: [{ kind }], before: logBefore, attempts }: Amendment,
  log: readonly GenerationEvent[],
  { before, after, base }: Readonly<Record<'before' | 'after' | 'base', ProjectContents>>,
): string | undefined {
  if (!hasChanges({ log: logBefore })) return undefined;
  const look = lastLook({ status: 'running', log });
  const isOwn = attempts.some(({ attempt }) => attempt === look?.attempt);
  const was = qualityOf({ log: logBefore }, before, base, lastLook({ status: 'running', log: logBefore }));
  const is = qualityOf({ log }, after, base, isOwn ? look : undefined);
  const { order, reason } = compare(was, is);
  const isKept = kind === 'repair' ? order > 0 : order >= 0;
  return isKept ? undefined : `Dropped: ${reason}`;
}

interface Comparison {
  /** Positive if the project is better than it was, negative if it is worse. */
  readonly order: number;
  /** Why it is not better, as a clause. */
  readonly reason: string;
}

/** Compares a project with what it was: whether it is whole, then whether it builds, whether it loads, and all that is wrong. */
export function compare(was: Quality, is: Quality): Comparison {
  if (was.isWhole !== is.isWhole)
    return { order: is.isWhole ? 1 : -1, reason: 'the project was no longer complete' };
  const built = Number(was.unbuilt.length > 0) - Number(is.unbuilt.length > 0);
  if (built !== 0) return { order: built, reason: `the project no longer built: ${is.unbuilt[0]}` };
  if (was.seen !== undefined && is.seen === undefined)
    return { order: -1, reason: 'no browser could open the page afterwards' };
  // What only one look could know does not count.
  const [seenBefore, seenNow] = was.seen && is.seen ? [was.seen, is.seen] : [[], []];
  const loading = byNumber(linesOf(seenBefore.filter(isBlocking)), linesOf(seenNow.filter(isBlocking)));
  if (loading.order !== 0) return loading;
  return byNumber(
    [...was.flaws, ...was.unbuilt, ...linesOf(seenBefore)],
    [...is.flaws, ...is.unbuilt, ...linesOf(seenNow)],
  );
}

/** Compares two lists of problems. */
function byNumber(before: readonly string[], now: readonly string[]): Comparison {
  const added = now.find((problem) => !before.includes(problem));
  const order = before.length - now.length;
  if (added === undefined) return { order, reason: 'it corrected nothing' };
  const how = order === 0 ? 'as many problems as before' : 'more problems than before';
  return { order, reason: `the project had ${how}, such as ${added}` };
}

function isBlocking({ blocking }: LookProblem): boolean {
  return blocking === true;
}

function linesOf(problems: readonly LookProblem[]): string[] {
  return problems.map(lookLine);
}
