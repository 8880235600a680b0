import type { Values } from '../../kit/types.ts';

/** What stands below a heading of a manual page; everything is optional. */
export interface Chapter {
  readonly paragraphs?: readonly string[];
  /** Lines of commands without their output. */
  readonly synopsis?: string;
  readonly terms?: readonly (readonly [term: string, text: string])[];
  /** What a terminal shows. */
  readonly screen?: string;
}

/** Returns a chapter as the values of `base/index.html`. */
export function chapter(heading: string, { paragraphs, synopsis, terms, screen }: Chapter): Values {
  return {
    heading,
    paragraphs: (paragraphs ?? []).map((text) => ({ text })),
    synopsis: synopsis ?? '',
    hasTerms: terms !== undefined,
    terms: (terms ?? []).map(([term, text]) => ({ term, text })),
    screen: screen ?? '',
  };
}
