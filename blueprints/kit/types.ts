import type { Duration } from '../../lambda/contract/generate.ts';

/** One file of a project; `path` is relative to the project's root. */
export interface ProjectFile {
  readonly path: string;
  readonly content: string;
}

/** A value of a placeholder or a block: text, a number, a switch, or a list to repeat a block for. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };
export type Values = Readonly<Record<string, Value>>;

/** The languages of interface texts, in the order of the columns of texts.json. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Theme = 'light' | 'dark' | 'auto';

/** An image of the project that a page can show. */
export type Picture = {
  /** Relative to the project's root. */
  readonly src: string;
  readonly alt: string;
};

/** What the data of the project's site can do. */
export interface SiteData {
  /** Whether the site has an origin of its own, so that it knows its visitors again, and its owner. */
  readonly ownOrigins: boolean;
}

/** The content of a prompt. A field that the prompt does not mention is an empty string. */
export interface Brief {
  /** The whole prompt, well-formed and without control characters. */
  readonly text: string;
  /** The prompt without the project's name, used to choose the kind. */
  readonly request: string;
  /** "called X", "named X" or the only quoted text. */
  readonly name: string;
  /** The noun phrase that the prompt asks for, as written: "simple pomodoro timer". */
  readonly head: string;
  /** How the head goes on if that names something of the caller: "for our kitchen" of "a board for our kitchen with…". */
  readonly purpose: string;
  /** The subject: "coffee shop" of "a landing page for a coffee shop". */
  readonly topic: string;
  /** The language of the interface: the one that the prompt asks for, else its own if texts exist, else English. */
  readonly lang: Language;
  /** BCP 47 tag of the prompt's language. */
  readonly promptLang: string;
  readonly theme: Theme;
  /** The accent colour as #rrggbb. */
  readonly accent: string;
  /** Images that come with the prompt. */
  readonly pictures: readonly Picture[];
  /** What the project's site can share between its visitors; undefined if it has no data. */
  readonly data?: SiteData | undefined;
}

/**
 * A kind of project: the words that ask for it, its files and their values.
 * `Text` are the names of the texts in its texts.json that `values` reads.
 */
export interface Kind<Text extends string = string> {
  readonly name: string;
  /** Folders below `blueprints/kinds/`, or of `blueprints/shared/` with `shared/` before them: the files that each duration adds to those of the shorter ones. */
  readonly layers: Readonly<Record<Duration, readonly string[]>>;
  /** Layers of a project whose site has data, after those of its duration. */
  readonly data?: {
    readonly layers: readonly string[];
    /** The texts for the owner of a site with an origin of its own. */
    readonly owner?: readonly string[];
    /** Whether the project of a prompt uses data; always, if it is missing. */
    fits?(brief: Brief): boolean;
  };
  /** #rrggbb, used when the prompt names no colour. */
  readonly accent: string;
  /** Regular expression sources, matched as whole words, each with its weight. */
  readonly words: readonly (readonly [pattern: string, weight: number])[];
  /**
   * Whether a project of this kind can hold what the prompt names; always, if it is missing. A snake for two players or a
   * product page for a wedding would mislead: another kind, or none, is then chosen.
   */
  fits?(brief: Brief): boolean;
  /**
   * Returns the values of the kind's templates, always with a `title` and a `description`.
   * @param texts its page texts, in the language of the interface
   */
  values(
    brief: Brief,
    texts: Readonly<Record<Text, string>>,
  ): Values & { readonly title: string; readonly description: string };
}
