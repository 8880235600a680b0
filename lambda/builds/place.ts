import type { BuildProblem } from '../contract/builds.ts';

const EXCERPT_LENGTH = 120;

/** Returns where an offset is in a file, for a problem: its line and column from 1, and the text around it. */
export function placeOf(
  path: string,
  source: string,
  offset: number,
): Required<Omit<BuildProblem, 'message'>> {
  const at = Math.min(offset, source.length);
  let line = 1;
  let start = 0;
  for (let end = source.indexOf('\n'); end >= 0 && end < at; end = source.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  const column = at - start + 1;
  return { path, line, column, excerpt: excerptAround(source, start, column) };
}

/** Returns the offset of a line and column, both from 1. */
export function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = source.indexOf('\n', start);
    if (end < 0) {
      return source.length;
    }
    start = end + 1;
  }
  return Math.min(start + column - 1, source.length);
}

/** The line that begins at an offset, without indentation; of a long one, the part around a column. */
function excerptAround(source: string, start: number, column: number): string {
  const from = start + Math.max(0, column - EXCERPT_LENGTH / 2);
  const feed = source.indexOf('\n', from);
  const end = Math.min(feed < 0 ? source.length : feed, from + EXCERPT_LENGTH);
  return source.slice(from, end).trim();
}
