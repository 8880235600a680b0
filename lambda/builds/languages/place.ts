import type { BuildProblem } from '../../contract/builds.ts';
import { BuildError } from '../problem.ts';

const EXCERPT = 120;

/** The number of the line that an offset is in, from 1. */
export function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}

/** The line and column, both from 1, of an offset. */
export function placeAt(source: string, offset: number): { readonly line: number; readonly column: number } {
  return { line: lineAt(source, offset), column: offset - source.lastIndexOf('\n', offset - 1) };
}

/** Returns the error for a place in a file, with an excerpt of its line around the column. `line` and `column` are from 1. */
export function errorAt(
  path: string,
  source: string,
  line: number,
  column: number,
  message: string,
): BuildError {
  const text = source.split('\n', line)[line - 1] ?? '';
  const start = Math.max(0, Math.min(column - EXCERPT / 2, text.length - EXCERPT));
  const problem: BuildProblem = {
    message,
    path,
    line,
    column: Math.max(1, column),
    excerpt: text.slice(start, start + EXCERPT).trimEnd(),
  };
  return new BuildError([problem]);
}
