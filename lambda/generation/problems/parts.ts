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

/** Where a file uses the data of the site: a call of `collection`, or a URL below `.data/`. */
export interface DataUse {
  /** The collection; undefined if it is only known when the code runs, or none is meant. */
  readonly collection?: string | undefined;
  /** The URL as it is written, at least its beginning. */
  readonly url?: string;
  /** Whether the rest of the URL, or the name of the collection, is only known when the code runs. */
  readonly isOpen: boolean;
  /** Its offset in the file. */
  readonly index: number;
}

/** A form of a page that sends to the data of the site. */
export interface DataForm {
  readonly collection: string;
  readonly action: string;
  readonly isPost: boolean;
  /** The names of its fields, without those of the service (`_next`). */
  readonly fields: readonly string[];
  /** Whether a script may add fields: an element in it is empty. */
  readonly isOpen: boolean;
  /** Its offset in the file. */
  readonly index: number;
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
