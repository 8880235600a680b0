import type { Text, Vocabulary } from './vocabulary.ts';

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

/** A name that a module imports, or exports from another one; `default` for the default. */
export interface NamedImport {
  readonly name: string;
  readonly specifier: string;
}

/** An id or a class by which a script looks up an element. */
export interface Lookup {
  readonly attribute: 'id' | 'class';
  readonly name: string;
  /** The call as written, for messages. */
  readonly call: string;
  /** The functions that contain the call: if nothing calls one of them, the lookup does not take place. */
  readonly within: readonly string[];
}

/** A call, with one string, of a function that the file imports or that looks up elements. */
export interface Call {
  readonly name: string;
  readonly argument: Text;
  /** Whether the result may be null. */
  readonly optional: boolean;
  readonly within: readonly string[];
}

/** How a function that looks up elements reads its argument. */
export type Argument = 'id' | 'class' | 'selector';

/** How a script or a page uses the elements of pages. */
export interface ElementUse {
  readonly lookups: Lookup[];
  /** The words that may define ids and classes. */
  readonly vocabulary: Vocabulary;
  /** Its calls of imported functions, which may look up elements. */
  readonly calls: Call[];
  /** Its functions that look up elements, by name. */
  readonly functions: ReadonlyMap<string, Argument>;
  /** How often it contains each word, except in strings and lists of exports. */
  readonly words: Map<string, number>;
  /** Whether its elements may come from where they cannot be found, such as another document. */
  opaque: boolean;
}

/** The parts of a file that are checked, in any language. */
export interface Parts {
  readonly references: Reference[];
  readonly comments: Comment[];
  /** The URL that the references are relative to, if it is not the file's own: `<base href>`. */
  readonly base?: string | undefined;
  /** Whether it is a fragment of HTML, which another page includes. */
  readonly fragment?: boolean;
  /** The names that it imports from modules. */
  readonly imports?: readonly NamedImport[];
  /** Undefined for other languages than JavaScript and HTML. */
  readonly elements?: ElementUse;
}

/** A file of the project with its parts. */
export interface Source<P extends Parts = Parts> {
  readonly path: string;
  readonly content: string;
  readonly parts: P;
}
