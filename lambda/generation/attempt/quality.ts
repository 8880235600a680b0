import { type LookProblem, lookLine } from '../../contract/looks.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import type { ProjectContents } from '../../stored/projects/project-contents.ts';
import { deliveredStatus, leftOut, unbuiltOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import type { Generation, LookEntry } from '../generation.ts';
import { newProblems } from '../problems.ts';

/** The known defects of a project. */
export interface Quality {
  /** Nothing that was to be written is missing. */
  readonly isWhole: boolean;
  /** The problems of its files. */
  readonly flaws: readonly string[];
  /** The files and changes that it lacks. */
  readonly missing: readonly string[];
  /** Why it does not build. */
  readonly unbuilt: readonly string[];
  /** The problems that a browser saw; undefined if none looked. */
  readonly seen: readonly LookProblem[] | undefined;
}

/**
 * Returns the quality of a project.
 * @param look what a browser saw of it
 * @param data what the data of its site can do
 */
export function qualityOf(
  generation: Pick<Generation, 'log'>,
  project: ProjectContents,
  base: ProjectContents,
  look: LookEntry | undefined,
  data?: DataFeatures | undefined,
): Quality {
  const missing = [...unfinishedFiles(generation), ...unwrittenFiles(generation)].map(({ path }) => path);
  return {
    isWhole: deliveredStatus(generation) === 'succeeded',
    flaws: flawsOf(project, base, data),
    missing: [...missing, ...leftOut(generation)],
    unbuilt: unbuiltOf(generation),
    seen: look?.state === 'looked' ? (look.problems ?? []) : undefined,
  };
}

/**
 * Returns what is wrong with the files of a project that was not before the generation, one sentence each with its
 * path.
 */
export function flawsOf(
  project: ProjectContents,
  base: ProjectContents,
  data: DataFeatures | undefined,
): string[] {
  return newProblems(project, base, data).map(({ path, message }) => `${path}: ${message}`);
}

interface Comparison {
  /** Positive if the project is better than it was, negative if it is worse. */
  readonly order: number;
  /** Why it is not better, as a clause. */
  readonly reason: string;
}

/**
 * Compares a project with what it was: whether it is whole, then whether it builds, whether it loads, and all that is
 * wrong.
 */
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
    [...was.flaws, ...was.missing, ...was.unbuilt, ...linesOf(seenBefore)],
    [...is.flaws, ...is.missing, ...is.unbuilt, ...linesOf(seenNow)],
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
