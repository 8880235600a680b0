/** The widths at which a browser opens a page, in CSS pixels: a phone and a desktop. */
export const LOOK_WIDTHS = [390, 1280] as const;
export type LookWidth = (typeof LOOK_WIDTHS)[number];

/** The reason of a look that failed because the browser did not open the page in time, though nothing is wrong with it. */
export const BROWSER_SLOW = 'The browser is too slow';

/** The bounds of a look and of its result. */
export const LOOK_LIMITS = {
  /** From the first navigation to the last finding. */
  milliseconds: 18_000,
  problems: 20,
  /** The most characters of one sentence. */
  characters: 300,
  /** The most bytes of one picture. */
  screenshotBytes: 2_097_152,
} as const;

/**
 * What a browser can find, by what a visitor notices. `blank`: nothing is shown. `error`: an uncaught error or an unhandled
 * rejection. `console`: an error that the page logged. `missing`: a reference to a file that does not exist. `left`: the page goes
 * elsewhere, or asks for what is elsewhere. `hung`: the page does not respond, or has a button that no script listens to. `wide`: it
 * scrolls sideways on a phone. `layout`: texts overlap, something touches, leaves its box or is cut off, or markup has no
 * style. `accessibility`: a rule of axe-core.
 */
export const LOOK_KINDS = [
  'blank',
  'error',
  'console',
  'missing',
  'left',
  'hung',
  'wide',
  'layout',
  'accessibility',
] as const;
export type LookKind = (typeof LOOK_KINDS)[number];

/** A problem of a page, as responses have it in `look`. */
export interface LookProblem {
  readonly kind: LookKind;
  /** One sentence without its place, such as `Uncaught TypeError: x is undefined, after a press of "Save"`. */
  readonly message: string;
  /** The path of the file in the project, if it is known. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** The only width at which it was found; absent if at both. */
  readonly width?: LookWidth;
  /** Whether the page shows nothing, or fails while it loads: such a page is not published with its generation. */
  readonly blocking?: true;
}
