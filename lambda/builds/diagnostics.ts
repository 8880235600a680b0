import { stripVTControlCharacters } from 'node:util';
import type { BuildProblem } from '../contract/builds.ts';
import { splitQuery } from './context.ts';
import type { Files } from './files.ts';
import { problemAt } from './places.ts';
import { BuildError } from './problem.ts';

/** What is read of an error of Rolldown, or of a compiler that it called. */
export interface Diagnostic {
  readonly code?: string;
  readonly message: string;
  readonly id?: string;
  readonly exporter?: string;
  readonly loc?: { readonly line: number; readonly column: number; readonly file?: string };
}

/** Returns the diagnostics of a failed bundle. @throws the error itself if it is not due to the project */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  const { errors } = Object(error) as { errors?: readonly Diagnostic[] };
  if (errors) return errors;
  if (/panicked/.test(String(error))) return [{ message: 'The bundler failed' }];
  throw error;
}

/** Returns the problems of a diagnostic in own code. */
export function problemsOf(diagnostic: Diagnostic, files: Files): readonly BuildProblem[] {
  if (diagnostic instanceof BuildError) return diagnostic.problems;
  const { loc, id, exporter } = diagnostic;
  const path = splitQuery(loc?.file ?? id ?? exporter ?? '').path;
  const message = sentenceOf(diagnostic);
  if (!files.has(path)) return [{ message }];
  // Lines are numbered from 1, columns from 0.
  return [loc ? problemAt(files, message, path, loc.line, loc.column + 1) : { message, path }];
}

/** The first line of a message, without colors, its code and the drawing of the source. */
export function sentenceOf({ message }: Diagnostic): string {
  const [line = ''] = stripVTControlCharacters(message).trim().split('\n', 1);
  return line
    .replace(/^\[[\w ]+\] ?/, '')
    .replace(/\.$/, '')
    .slice(0, 300);
}
