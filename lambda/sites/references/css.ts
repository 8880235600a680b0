/** The position of a URL in a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

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

/** The tokens that matter: a comment, a string, a name or the start of a function, a bracket, the end of a rule. */
const TOKEN = /\/\*|["']|[#@]?(?:[-\w\u0080-\uffff]+|\\[^\n\r\f])+\(?|[()[\]{};]/g;
const STRING_BODY = {
  '"': /(?:[^"\\\n\r\f]+|\\(?:\r\n|.))*/sy,
  "'": /(?:[^'\\\n\r\f]+|\\(?:\r\n|.))*/sy,
};
const WHITE_SPACE = /[ \t\n\r\f]*/y;
const URL_BODY = /(?:[^)\\]+|\\.)*/sy;
/** Functions in which a string is a URL. */
const TAKES_URL = new Set(['url(', 'image-set(', '-webkit-image-set(']);
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The positions of the URLs and of the comments in a style sheet, each in order. */
interface CssParts {
  readonly urls: readonly Span[];
  /** Including their delimiters. */
  readonly comments: readonly Span[];
}

/**
 * Finds the comments, and the URLs in `url()`, `@import` and `image-set()`, of a style sheet or a `style` attribute
 * (CSS Syntax Level 3, section 4). Takes linear time.
 */
export function readCss(css: string): CssParts {
  const urls: Span[] = [];
  const comments: Span[] = [];
  /** The open blocks, each as the token that opened it. */
  const blocks: string[] = [];
  let afterImport = false;
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(css); match !== null; match = tokens.exec(css)) {
    const word = match[0].toLowerCase();
    const start = tokens.lastIndex;
    if (word === '/*') {
      tokens.lastIndex = endOfComment(css, start);
      comments.push({ start: match.index, end: tokens.lastIndex });
      continue;
    }
    if (word === '"' || word === "'") {
      const end = endOf(STRING_BODY[word], css, start);
      const closed = end === css.length || css.charAt(end) === word;
      if (closed && (afterImport || TAKES_URL.has(blocks.at(-1) ?? ''))) urls.push({ start, end });
      tokens.lastIndex = closed ? end + 1 : end;
    } else if (word === 'url(' && !/["']/.test(css.charAt(endOf(WHITE_SPACE, css, start)))) {
      const end = endOf(URL_BODY, css, start);
      urls.push({ start, end });
      tokens.lastIndex = end + 1;
    } else if (/[([{]$/.test(word)) blocks.push(word);
    else if (word === CLOSING[blocks.at(-1)?.at(-1) ?? '']) blocks.pop();
    afterImport = word === '@import';
  }
  return { urls, comments };
}

function endOfComment(css: string, start: number): number {
  const end = css.indexOf('*/', start);
  return end === -1 ? css.length : end + 2;
}

/** Returns the end of a sticky pattern's match at `start`, or `start` without a match. */
function endOf(pattern: RegExp, css: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(css) ? pattern.lastIndex : start;
}
