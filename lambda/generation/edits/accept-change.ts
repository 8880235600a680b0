import { LIMITS } from '../../contract/limits.ts';
import type { ProjectChange, WrittenFile } from '../../stored/projects/stored-project.ts';
import { placeholdersIn } from '../problems/placeholders.ts';
import { readSources } from '../problems/sources.ts';

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
  return locked.some((pattern) => matchesPattern(path, pattern)) ? 'is locked and must not change' : undefined;
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
  return readSources([file]).all.flatMap(({ parts }) => placeholdersIn(parts.comments).map(({ text }) => text));
}

/**
 * Returns whether a path matches a pattern: `*` and `?` stand for characters other than `/`, `**` also for `/`, and a
 * pattern without wildcards also for everything in the folder of that name. Takes time proportional to the product of
 * the lengths: patterns come from callers, and a regular expression could take exponential time.
 */
export function matchesPattern(path: string, pattern: string): boolean {
  const plain = pattern.replace(/^\.?\/+/, '').replace(/\/+$/, '');
  return matches(path, plain) || matches(path, `${plain}/**`);
}

function matches(path: string, pattern: string): boolean {
  // The positions of the pattern that the path so far can have reached.
  let reached = closure(new Set([0]), pattern, true);
  for (const character of path) {
    if (reached.size === 0) return false;
    const next = new Set<number>();
    for (const at of reached) {
      if (pattern[at] === '*') {
        if (character !== '/' || isDouble(pattern, at)) next.add(at);
      } else if (pattern[at] === character || (pattern[at] === '?' && character !== '/')) next.add(at + 1);
    }
    reached = closure(next, pattern, character === '/');
  }
  return reached.has(pattern.length);
}

/** Adds the positions behind wildcards that stand for nothing; at the start of a name, `**` does so with its slash. */
function closure(reached: Set<number>, pattern: string, atStart: boolean): Set<number> {
  for (const at of reached) {
    if (pattern[at] !== '*') continue;
    const behind = at + (isDouble(pattern, at) ? 2 : 1);
    reached.add(behind);
    if (atStart && behind === at + 2 && pattern[behind] === '/') reached.add(behind + 1);
  }
  return reached;
}

const isDouble = (pattern: string, at: number) => pattern[at + 1] === '*';
