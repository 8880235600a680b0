/**
 * How a reference is used, which decides how it is looked up: `page` is a link that a visitor follows, `resource`
 * what a page or style sheet loads, `script` what a page runs; the others are written in JavaScript.
 */
export type Use = 'page' | 'resource' | 'script' | 'import' | 'require' | 'url' | 'worker';

/** What a file refers to, as it is written there. */
export interface Reference {
  readonly specifier: string;
  readonly use: Use;
}

/** A comment, or a line that stands for one, with its delimiters. */
export interface Comment {
  readonly text: string;
  /** Where it begins in the file. */
  readonly index: number;
}

/** What a file says about other files and about itself, whatever its language. */
export interface Parts {
  readonly references: Reference[];
  readonly comments: Comment[];
  /** The address that the references are relative to, when it is not the file's own: `<base href>`. */
  readonly base?: string | undefined;
  /** Whether it is a part of a page, which some other page shows. */
  readonly fragment?: boolean;
}

/** A file of the project with what it says. */
export interface Source<P extends Parts = Parts> {
  readonly path: string;
  readonly content: string;
  readonly parts: P;
}
