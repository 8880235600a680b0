import { characters } from '../../contract/generate.ts';
import { BROWSER_SLOW, type LookProblem } from '../../contract/looks.ts';
import { placedLine } from '../../contract/messages.ts';
import type { DataFeatures } from '../../contract/site-features.ts';
import { BROWSERS_BUSY } from '../../stored/looks/looker.ts';
import { baseOf, type ProjectContents } from '../../stored/projects/project-contents.ts';
import type { ProjectFileStore } from '../../stored/projects/project-file-store.ts';
import { deletedOf, filesOf, type ProjectEvent } from '../../stored/projects/stored-project.ts';
import { deliveredStatus, leftOut, unbuiltOf, unfinishedFiles, unwrittenFiles } from '../completeness.ts';
import type { Attempt, Generation, GenerationEvent, LookEntry } from '../generation.ts';
import { type Amendment, amendedPaths, lastAmendment } from '../generation-log.ts';
import { languageOf } from '../language.ts';
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
  /** Whether none looked because browsers were busy or slow, which says nothing about the page. */
  readonly isUnseen: boolean;
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
    isUnseen: look?.reason === BROWSERS_BUSY || look?.reason === BROWSER_SLOW,
  };
}

/**
 * Returns what is wrong with the files of a project that was not before the generation, one sentence each with its
 * path.
 */
export function flawsOf(project: ProjectContents, base: ProjectContents, data: DataFeatures | undefined): string[] {
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
 * wrong. A page that no browser could open is worse than one that a browser saw; if browsers were busy or slow, it is better
 * than one with known problems.
 */
export function compare(was: Quality, is: Quality): Comparison {
  if (was.isWhole !== is.isWhole) return { order: is.isWhole ? 1 : -1, reason: 'the project was no longer complete' };
  const built = Number(was.unbuilt.length > 0) - Number(is.unbuilt.length > 0);
  if (built !== 0) return { order: built, reason: `the project no longer built: ${is.unbuilt[0]}` };
  if (was.seen !== undefined && is.seen === undefined) {
    if (!is.isUnseen || was.seen.length === 0)
      return { order: -1, reason: 'no browser could open the page afterwards' };
    const known = byNumber([...was.flaws, ...was.missing], [...is.flaws, ...is.missing]);
    return { ...known, order: known.order || 1 };
  }
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
  return problems.map(placedLine);
}

/**
 * Returns the entries of the log that drop the last repair or review: its attempts with the reason, and the files as
 * they were before it. Clients replace files by path, so they need nothing else.
 * @param reason a sentence
 * @param base the project before the generation; read only if it is needed
 */
export async function undoAmendment(
  generation: Pick<Generation, 'id' | 'base' | 'log'>,
  reason: string,
  files: ProjectFileStore,
  base: () => Promise<ProjectContents> = () => baseOf(generation, files),
): Promise<GenerationEvent[]> {
  const amendment = lastAmendment(generation);
  if (amendment === undefined) return [];
  const { attempts } = amendment;
  const attempt = attempts.at(-1)?.attempt ?? 0;
  const ended = attempts.map((one): GenerationEvent => {
    const because = one.attempt === attempt ? [one.reason, reason].filter(Boolean).join('. ') : one.reason;
    // Only later attempts need these, and the log has them already.
    const { rejected: _rejected, unfinished: _unfinished, unbuilt: _unbuilt, ...shown } = one;
    return { type: 'attempt', ...shown, reason: because, dropped: true };
  });
  return [...ended, ...(await restoredFiles(generation.id, amendment, attempt, files, base))];
}

async function restoredFiles(
  id: string,
  amendment: Amendment,
  attempt: Attempt['attempt'],
  files: ProjectFileStore,
  base: () => Promise<ProjectContents>,
): Promise<ProjectEvent[]> {
  const earlier = new Map(filesOf({ log: amendment.before }).map((file) => [file.path, file]));
  const deleted = deletedOf({ log: amendment.before });
  const restored = amendedPaths(amendment).map(async (path): Promise<ProjectEvent> => {
    const file = earlier.get(path);
    if (file) return { ...file, type: 'file', attempt };
    const content = deleted.has(path) ? undefined : (await base()).get(path);
    if (content === undefined) return { type: 'deleted', path, attempt };
    const bytes = Buffer.from(content);
    const key = await files.putImage(id, bytes);
    const size = { bytes: bytes.length, characters: typeof content === 'string' ? characters(content) : 0 };
    return { type: 'file', path, language: languageOf(path), ...size, key, attempt };
  });
  return Promise.all(restored);
}
