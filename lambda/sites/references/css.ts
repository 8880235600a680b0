import { cssTokens, type Span } from './css-tokens.ts';

/** A reference that begins at the root of its host. */
export interface RootReference {
  /** The offset of its leading slash in the text. */
  readonly at: number;
  /** The path after that slash, percent-decoded, without query and fragment. */
  readonly path: string;
}

/**
 * Returns the root-absolute path at `text[start, end)`, or undefined for any other URL. The URL Standard strips control
 * characters and spaces from both ends, drops tabs and newlines anywhere, and treats `\` as `/`: a path with those may
 * belong to another host (`/\host`) and is left alone.
 */
export function rootReference(text: string, start = 0, end = text.length): RootReference | undefined {
  let at = start;
  while (at < end && isStripped(text.charCodeAt(at))) at++;
  if (at === end || text.charAt(at) !== '/') return undefined;
  let last = end;
  while (isStripped(text.charCodeAt(last - 1))) last--;
  const [path = ''] = text.slice(at + 1, last).split(/[?#]/, 1);
  if (path.startsWith('/') || /[\\\t\n\r]/.test(path)) return undefined;
  try {
    return { at, path: decodeURIComponent(path) };
  } catch {
    return undefined;
  }
}

/** Returns the root-absolute ones of the URLs at these positions. */
export function rootReferences(text: string, spans: readonly Span[]): RootReference[] {
  return spans.flatMap(({ start, end }) => rootReference(text, start, end) ?? []);
}

function isStripped(code: number): boolean {
  return code <= 0x20;
}

/** Functions in which a text is a URL, besides `url()`. */
const TAKES_URL = new Set(['image-set(', '-webkit-image-set(']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The positions of the URLs and of the comments in a style sheet, each in order. */
interface CssParts {
  readonly urls: readonly Span[];
  /** Including their delimiters. */
  readonly comments: readonly Span[];
}

/**
 * Finds the comments, and the URLs in `url()`, `@import` and `image-set()`, of a style sheet or a `style` attribute.
 * What is not closed ends with the style sheet.
 */
export function readCss(css: string): CssParts {
  const urls: Span[] = [];
  const comments: Span[] = [];
  /** The open blocks, each as the token that opened it. */
  const blocks: string[] = [];
  let before = '';
  for (const { type, word, start, end, inside, closed } of cssTokens(css)) {
    if (type === 'comment') {
      comments.push({ start, end });
      continue;
    }
    if (type !== 'word') {
      const isUrl = type === 'url' || before === '@import' || TAKES_URL.has(blocks.at(-1) ?? '');
      if (isUrl && (closed || end === css.length)) urls.push(inside);
    } else if (/[([{]$/.test(word)) blocks.push(word);
    else if (word === CLOSING[blocks.at(-1)?.at(-1) ?? '']) blocks.pop();
    before = word;
  }
  return { urls, comments };
}
