import type { Span } from './root-reference.ts';

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
export interface CssParts {
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
