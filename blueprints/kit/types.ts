import type { Duration } from '../../lambda/contract/generate.ts';

/** One file of a project; `path` is relative to the project's root. */
export interface ProjectFile {
  readonly path: string;
  readonly content: string;
}

/** A value of a placeholder or a block: text, a number, a switch, or a list to repeat a block for. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
export type Values = Readonly<Record<string, Value>>;

export type Theme = 'light' | 'dark' | 'auto';

/** What a prompt says. Empty strings mean that it does not. */
export interface Brief {
  /** The whole prompt, well-formed and without control characters. */
  readonly text: string;
  /** The prompt without the project's name, used to choose the kind. */
  readonly request: string;
  /** "called X", "named X" or the only quoted text. */
  readonly name: string;
  /** The noun phrase that the prompt asks for, as written: "simple pomodoro timer". */
  readonly head: string;
  /** What it is for or about: "coffee shop" of "a landing page for a coffee shop". */
  readonly topic: string;
  /** BCP 47 tag of the prompt's language. */
  readonly lang: string;
  readonly theme: Theme;
  /** The accent colour as #rrggbb. */
  readonly accent: string;
}

/** A kind of project: the words that ask for it, its files and their values. */
export interface Kind {
  readonly name: string;
  /** Folders below `blueprints/`: the files that each duration adds to those of the shorter ones. */
  readonly layers: Readonly<Record<Duration, readonly string[]>>;
  /** #rrggbb, used when the prompt names no colour. */
  readonly accent: string;
  /** Regular expression sources, matched as whole words, each with its weight. */
  readonly words: readonly (readonly [pattern: string, weight: number])[];
  /** Returns the values of the kind's templates, always with a `title` and a `description`. */
  values(brief: Brief): Values & { readonly title: string; readonly description: string };
}
