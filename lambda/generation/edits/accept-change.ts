import { LIMITS } from '../../contract/limits.ts';
import type { ProjectChange, WrittenFile } from '../../stored/projects/project-parts.ts';
import { placeholdersIn } from '../problems/placeholders.ts';
import { readSources } from '../problems/sources.ts';
import { matchesPattern } from './locked.ts';

/** A file with fewer characters may shrink to anything. */
const STUB_OF = 1_000;
/** A rewritten file that is smaller than this part of what it replaces was abbreviated. */
const STUB_PART = 0.25;

/**
 * Returns why a change of an existing project must not be made, as a predicate of its file; undefined if it may.
 * @param before the content that it replaces; undefined without one
 * @param whole whether the file was written whole, in place of an edit of some of its lines
 * @param locked patterns of paths, as in `matchesPattern`
 */
export function refusal(
  change: ProjectChange,
  before: string | undefined,
  whole: boolean,
  locked: readonly string[],
): string | undefined {
  const { path, content } = change;
  const problem = lockedProblem(path, locked) ?? tooLarge(change);
  if (problem !== undefined) return problem;
  if (content === null || before === undefined) return undefined;
  const placeholder = newPlaceholder({ path, content }, before);
  if (placeholder !== undefined) return `would lose code to a placeholder: ${placeholder}`;
  if (whole && before.length >= STUB_OF && content.length < before.length * STUB_PART)
    return 'would shrink to a stub: delete lines with search-and-replace blocks instead';
  return undefined;
}

/** Returns why a locked path must not be written or deleted, as a predicate; undefined if it is not locked. */
export function lockedProblem(path: string, locked: readonly string[]): string | undefined {
  return locked.some((pattern) => matchesPattern(path, pattern))
    ? 'is locked and must not change'
    : undefined;
}

/** Returns why a file would be too large, as a predicate; undefined if it would not. */
export function tooLarge({ content }: ProjectChange): string | undefined {
  return Buffer.byteLength(content ?? '') > LIMITS.fileBytes
    ? `would have more than ${LIMITS.fileBytes.toLocaleString('en')} bytes, the limit of a file`
    : undefined;
}

/** Returns a comment that stands for omitted code and that the file did not have before. */
function newPlaceholder({ path, content }: WrittenFile, before: string): string | undefined {
  const known = new Set(placeholders({ path, content: before }));
  return placeholders({ path, content }).find((text) => !known.has(text));
}

function placeholders(file: WrittenFile): string[] {
  return readSources([file]).all.flatMap(({ parts }) =>
    placeholdersIn(parts.comments).map(({ text }) => text),
  );
}
