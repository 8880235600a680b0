import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type BuildProblem } from '../../client/client.ts';
import { PathSet } from '../../lambda/sites/paths.ts';
import { count, cut, type Paint, painter, printable, widthOf, wrap } from '../../terminal/text.ts';
import type { Context } from './context.ts';

/** Wider lines are hard to read. */
const WIDEST = 120;

/**
 * Prints the problems of a build that failed, and returns the error for the last line.
 * @param folder of the project, whose lines are shown
 * @param consequence such as `Nothing was deployed`
 * @returns other errors as they are
 */
export function explainBuild(error: unknown, folder: string, consequence: string, context: Context): unknown {
  if (!(error instanceof ApiError) || error.problems.length === 0) return error;
  const { columns, color, stderr } = context;
  const problems = error.problems.map((problem) => withLeftOut(problem, folder));
  const lines = problemLines(problems, linesIn(folder), columns, painter(color));
  stderr.write(`${lines.join('\n')}\n`);
  const message = `The build failed with ${count(error.problems.length, 'problem')}. ${consequence}`;
  return Object.assign(new Error(message, { cause: error }), { status: error.status });
}

/** Endings that imports leave out. */
const ENDINGS = ['', '.ts', '.tsx', '.js', '.jsx', '.mjs', '.json', '/index.ts', '/index.tsx', '/index.js'];

/** Returns a problem of a missing file with the reason if that file is in the folder: it was not sent. */
function withLeftOut(problem: BuildProblem, folder: string): BuildProblem {
  const [, missing = ''] = /there is no file (.+)$/.exec(problem.message) ?? [];
  if (missing === '' || new PathSet().add(missing) !== undefined) return problem;
  const path = ENDINGS.map((ending) => missing + ending).find((each) =>
    statSync(join(folder, each), { throwIfNoEntry: false })?.isFile(),
  );
  if (path === undefined) return problem;
  // A rule for a file has no effect in a folder that is left out.
  const hidden = /^(?:.*?\/)?\.[^/]+\//.exec(path)?.[0] ?? path;
  const advice = `${path} is in this folder, but was left out: add "!${hidden}" to .ptpignore to send it`;
  return { ...problem, message: `${problem.message}. ${advice}` };
}

/**
 * Returns problems as compilers print them: place and message, then the line with a caret below the column.
 * @param linesOf returns the lines of a file of the project; without it, the excerpt of the service is shown
 */
export function problemLines(
  problems: readonly BuildProblem[],
  linesOf: (path: string) => readonly string[] | undefined,
  columns: number,
  paint: Paint,
): string[] {
  return problems.flatMap((problem) => {
    const { path, line, column, message } = problem;
    const place = printable([path, line, column].filter((part) => part !== undefined).join(':'));
    const text = place === '' ? printable(message) : `${place}: ${printable(message)}`;
    const [first = '', ...others] = wrap(text, columns, '  ');
    const isWhole = place !== '' && first.startsWith(place);
    const head = isWhole ? paint('bold', place) + first.slice(place.length) : first;
    return [head, ...others, ...excerptLines(problem, linesOf, Math.min(columns, WIDEST), paint), ''];
  });
}

function excerptLines(
  { path, line, column, excerpt }: BuildProblem,
  linesOf: (path: string) => readonly string[] | undefined,
  columns: number,
  paint: Paint,
): string[] {
  if (line === undefined) return [];
  const source = path === undefined ? undefined : linesOf(path)?.[line - 1];
  const gutter = `  ${line} │ `;
  const room = columns - widthOf(gutter) - 1;
  const shown = source ?? excerpt;
  if (shown === undefined || shown.trim() === '') return [];
  // The column is that of the whole line, which an excerpt may not be.
  if (source === undefined || column === undefined || column > source.length + 1)
    return [paint('dim', gutter) + cut(visible(shown), room)];
  const { text, before } = around(source, column, room);
  const below = `${' '.repeat(widthOf(gutter) - 2)}│ `;
  return [paint('dim', gutter) + text, paint('dim', below) + ' '.repeat(before) + paint('red', '^')];
}

/** Returns a line that is cut around a column, and the width of what is left of that. */
function around(line: string, column: number, room: number): { text: string; before: number } {
  const left = visible(line.slice(0, column - 1));
  const right = visible(line.slice(column - 1));
  // Characters can be twice as wide.
  const start = widthOf(left) <= room * 0.7 ? left : `…${[...left].slice(-Math.floor(room / 4)).join('')}`;
  return { text: start + cut(right, Math.max(1, room - widthOf(start))), before: widthOf(start) };
}

/** Returns a text in which tabs are two columns wide and nothing controls the terminal. */
const visible = (text: string): string => text.replaceAll('\t', '  ').replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '');

/**
 * Returns a function that reads the lines of a file by its path as the service names it, which must not lead out of the
 * folder.
 */
export function linesIn(folder: string): (path: string) => readonly string[] | undefined {
  return (path) => {
    const file = join(folder, path);
    if (new PathSet().add(path) !== undefined || !existsSync(file)) return undefined;
    return readFileSync(file, 'utf8').split(/\r\n|[\r\n\u2028\u2029]/);
  };
}
