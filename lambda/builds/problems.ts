import { stripVTControlCharacters } from 'node:util';
import type { BuildProblem } from '../contract/builds.ts';
import { byPath } from '../sites/paths.ts';
import { type Files, PACKAGE_PREFIX, splitQuery, textOf } from './files.ts';
import { packageName } from './packages/manifest.ts';

/** The error code of the response (`lambda/contract/errors.ts`). */
export type BuildErrorCode = 'build_failed' | 'payload_too_large' | 'unavailable';

/** The project cannot be built. Nothing of it is an internal error: its problems are for the caller. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code: BuildErrorCode;
  /** At least one; at most `BUILD_LIMITS.problems` are returned. */
  readonly problems: readonly BuildProblem[];

  constructor(problems: readonly BuildProblem[], code: BuildErrorCode = 'build_failed') {
    super(problems[0]?.message);
    this.code = code;
    this.problems = problems;
  }
}

const EXCERPT_LENGTH = 120;

/** Returns where an offset is in a file, for a problem: its line and column from 1, and the text around it. */
export function placeOf(path: string, source: string, offset: number): Required<Omit<BuildProblem, 'message'>> {
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

/** Returns a problem at an offset in a file of the project. */
export function problemAtOffset(
  files: Files,
  message: string,
  { path, offset }: { path: string; offset: number },
): BuildProblem {
  return { message, ...placeOf(path, textOf(files, path) ?? '', offset) };
}

/** Returns the offset of a line and column, both from 1. */
export function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = source.indexOf('\n', start);
    if (end < 0) return source.length;
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

/** Returns the error of a compiler, without the point at its end. `line` and `column` are from 1. */
export function errorAt(path: string, source: string, line: number, column: number, message: string): BuildError {
  return errorAtOffset(path, source, offsetOf(source, line, column), message.replace(/\.$/, ''));
}

/** Returns the error for an offset. */
export function errorAtOffset(path: string, source: string, offset: number, message: string): BuildError {
  return new BuildError([{ message, ...placeOf(path, source, offset) }]);
}

/** Places in a file where a specifier may be, and problems of which the place is searched. */
const MAX_TRIES = 200;
export const MAX_PLACED = 200;

/** Ids of the modules that a module imports, with `pkg:` before specifiers of packages. */
type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a problem at the place of a specifier that a file of the project imports, or of a name that it imports from
 * there.
 */
export function problemAtImport(
  files: Files,
  message: string,
  path: string,
  specifier: string,
  name?: string,
): BuildProblem {
  const text = textOf(files, path) ?? '';
  const at = importPosition(text, specifier, name);
  return { message, ...(at < 0 ? { path } : placeOf(path, text, at)) };
}

/** Modules are loaded at the same time, so that their problems are found in any order. */
export function inOrder(problems: readonly BuildProblem[]): readonly BuildProblem[] {
  return problems.toSorted(
    (a, b) =>
      byPath(a.path ?? '', b.path ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      byPath(a.message, b.message),
  );
}

/** Returns a problem at the place where own code imports a name from a package. */
export type PlaceOf = (message: string, specifier: string, name?: string) => BuildProblem;

/** Returns the function that finds such places. */
export function placeInOwnCode(files: Files, imports: Imports): PlaceOf {
  return (message, specifier, name) => {
    const importers = [...imports].filter(([, ids]) => ids.includes(PACKAGE_PREFIX + specifier));
    const problems = importers.map(([id]) => problemAtImport(files, message, splitQuery(id).path, specifier, name));
    return problems.find(({ line }) => line !== undefined) ?? problems[0] ?? { message };
  };
}

/** Adds the place of the first import to problems that are about a package. */
export function atImports(
  problems: readonly BuildProblem[],
  packages: ReadonlySet<string>,
  files: Files,
  imports: Imports,
): readonly BuildProblem[] {
  const specifiers = [...imports.values()].flat().filter((id) => id.startsWith(PACKAGE_PREFIX));
  const placeOf = placeInOwnCode(files, imports);
  return problems.map((problem) => {
    const words = problem.message.split(/[\s",:]+/);
    const name = problem.path === undefined ? words.find((word) => packages.has(word)) : undefined;
    const id = specifiers.find((specifier) => packageName(specifier.slice(PACKAGE_PREFIX.length)) === name);
    return id === undefined ? problem : placeOf(problem.message, id.slice(PACKAGE_PREFIX.length));
  });
}

/** Text of a file, also of one in another language than JavaScript: it is searched, not parsed. */
function importPosition(text: string, specifier: string, name: string | undefined): number {
  let tries = 0;
  for (let end = text.indexOf(specifier); end >= 0; end = text.indexOf(specifier, end + 1)) {
    if (++tries > MAX_TRIES) return -1;
    const quote = text[end - 1] ?? '';
    // Components may refer to a part of a file: `href="/icons.svg#a"`.
    if (!/["'`]/.test(quote) || ![quote, '#'].includes(text[end + specifier.length] ?? '')) continue;
    if (name === undefined || name === 'default') return end - 1;
    const start = Math.max(text.lastIndexOf('import', end), text.lastIndexOf('export', end));
    const found = start < 0 ? -1 : wordPosition(text.slice(start, end), name);
    if (found >= 0) return start + found;
  }
  return -1;
}

/** Returns where a name is in a text as a whole word, or -1. */
function wordPosition(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w$]/.test(text[at - 1] ?? '') && !/[\w$]/.test(text[at + name.length] ?? '')) return at;
  }
  return -1;
}

/** The members of an error of Rolldown, or of a compiler that it called, that are read. */
export interface Diagnostic {
  readonly code?: string;
  readonly message: string;
  readonly id?: string;
  readonly exporter?: string;
  readonly loc?: { readonly line: number; readonly column: number; readonly file?: string };
}

/** Returns the problems of a diagnostic in own code. */
export function problemsOf(diagnostic: Diagnostic, files: Files): readonly BuildProblem[] {
  if (diagnostic instanceof BuildError) return diagnostic.problems;
  const { loc, id, exporter } = diagnostic;
  const path = splitQuery(loc?.file ?? id ?? exporter ?? '').path;
  const message = withAdvice(sentenceOf(diagnostic), files);
  if (!files.has(path)) return [{ message }];
  if (!loc) return [{ message, path }];
  // Lines are numbered from 1, columns from 0.
  const offset = offsetOf(textOf(files, path) ?? '', loc.line, loc.column + 1);
  return [problemAtOffset(files, message, { path, offset })];
}

/** Adds what to do about an export that only types have: each file is compiled alone, without those of others. */
function withAdvice(sentence: string, files: Files): string {
  const [, name = '', path = ''] = /^"([\w$]+)" is not exported by "([^"]+)"$/.exec(sentence) ?? [];
  const isType = new RegExp(`\\b(?:interface|type)\\s+${name.replaceAll('$', '\\$')}\\b`).test(
    textOf(files, path) ?? '',
  );
  return name !== '' && isType ? `${sentence}: it is a type, so write "export type { ${name} }" here` : sentence;
}

/** The first line of a message, without colors, its code and the drawing of the source. */
export function sentenceOf({ message }: Diagnostic): string {
  const [line = ''] = stripVTControlCharacters(message).trim().split('\n', 1);
  return line
    .replace(/^\[[\w ]+\] ?/, '')
    .replace(/\.$/, '')
    .slice(0, 300);
}
