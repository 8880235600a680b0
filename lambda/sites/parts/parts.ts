import { isHtml } from '../paths.ts';
import type { DataForm, DataUse } from './data-uses.ts';

/**
 * How a reference is used, which decides how it is resolved: `page` is a link that a visitor follows, `resource` a file
 * that a page or style sheet loads, `script` one that a page executes; the others occur in JavaScript.
 */
export type Use = 'page' | 'resource' | 'script' | 'import' | 'require' | 'url' | 'worker';

/** A reference to a file, as written. */
export interface Reference {
  readonly specifier: string;
  readonly use: Use;
}

/** A comment with its delimiters, or a line that counts as one. */
export interface Comment {
  readonly text: string;
  /** Its offset in the file. */
  readonly index: number;
}

/** The parts of a file that are checked, in any language. */
export interface Parts {
  readonly references: Reference[];
  readonly comments: Comment[];
  /** The URL that the references are relative to, if it is not the file's own: `<base href>`. */
  readonly base?: string | undefined;
  /** It is a fragment of HTML, which another page includes. */
  readonly fragment?: boolean;
  readonly data?: readonly DataUse[];
  readonly forms?: readonly DataForm[];
  /** Its inline scripts. */
  readonly scripts?: readonly string[];
}

/** A file of the project with its parts. */
export interface Source<P extends Parts = Parts> {
  readonly path: string;
  readonly content: string;
  readonly parts: P;
}

/** Returns how a file is read: components have a template, which is read like a page. Undefined for other files. */
export function languageOf(path: string): 'page' | 'script' | 'component' | undefined {
  if (isHtml(path)) return 'page';
  if (/\.(?:[cm]?[jt]s|[jt]sx)$/i.test(path)) return 'script';
  return /\.(?:vue|svelte)$/i.test(path) ? 'component' : undefined;
}
