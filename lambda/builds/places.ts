import type { BuildProblem } from '../contract/builds.ts';
import { byPath } from '../sites/entry.ts';
import { splitQuery } from './context.ts';
import { type Files, textOf } from './files.ts';
import { packageName } from './own-files.ts';
import { offsetOf, placeOf } from './place.ts';
import { PACKAGE_PREFIX } from './rolldown-options.ts';

/** Places in a file where a specifier may be, and problems of which the place is searched. */
const MAX_TRIES = 200;
export const MAX_PLACED = 200;

/** Ids of the modules that a module imports, with `pkg:` before specifiers of packages. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** Returns a problem with its place in a file of the project. @param line and column, from 1 */
export function problemAt(
  files: Files,
  message: string,
  path: string,
  line: number,
  column: number,
): BuildProblem {
  const text = textOf(files, path) ?? '';
  return { message, ...placeOf(path, text, offsetOf(text, line, column)) };
}

/** Returns a problem at the place of a specifier that a file of the project imports, or of a name that it imports from there. */
export function problemAtImport(
  files: Files,
  message: string,
  path: string,
  specifier: string,
  name?: string,
): BuildProblem {
  const text = textOf(files, path) ?? '';
  const at = importPosition(text, specifier, name);
  if (at < 0) return { message, path };
  return { message, ...placeOf(path, text, at) };
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
    const problems = importers.map(([id]) =>
      problemAtImport(files, message, splitQuery(id).path, specifier, name),
    );
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
