/** The position of a part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part of a style sheet that matters; others are names, numbers and signs. */
interface CssToken extends Span {
  readonly type: 'comment' | 'text' | 'url' | 'word';
  /** How it begins, in lower case. Words are at-rules, functions with their parenthesis, brackets, and semicolons. */
  readonly word: string;
  /** What a text or a URL has in it, as it is written. */
  readonly inside: Span;
  /** Whether it has its end. */
  readonly closed: boolean;
}

/** An escape, what begins a token, or a bracket. A name is looked at once, so that this takes linear time. */
const TOKEN =
  /(?<!\\.|[-#\w\u0080-\uffff])(?:[-#\w\u0080-\uffff]|\\[^\n\r\f])+\(|\\[\s\S]?|\/\*|["']|@[-\w\u0080-\uffff]*|[()[\]{};]/g;
const TEXT = { '"': /(?:[^"\\\n\r\f]+|\\(?:\r\n|.))*/sy, "'": /(?:[^'\\\n\r\f]+|\\(?:\r\n|.))*/sy };
const WHITE_SPACE = /[ \t\n\r\f]*/y;
const URL_BODY = /(?:[^)\\]+|\\.)*/sy;

/** Returns the tokens of a style sheet or a `style` attribute (CSS Syntax Level 3, section 4). Takes linear time. */
export function* cssTokens(css: string): Generator<CssToken> {
  const tokens = new RegExp(TOKEN);
  for (let match = tokens.exec(css); match !== null; match = tokens.exec(css)) {
    const { index: start } = match;
    const word = match[0].toLowerCase();
    if (/^\\.?$/s.test(word)) continue;
    const token = tokenAt(css, word, start, tokens.lastIndex);
    tokens.lastIndex = token.end;
    yield token;
  }
}

function tokenAt(css: string, word: string, start: number, behind: number): CssToken {
  if (word === '"' || word === "'") return { type: 'text', word, ...textAt(css, word, start) };
  if (word === 'url(') return urlAt(css, start, behind);
  if (word !== '/*') return { type: 'word', word, start, end: behind, inside: { start, end: start }, closed: true };
  const close = css.indexOf('*/', behind);
  const end = close < 0 ? css.length : close + 2;
  return { type: 'comment', word, start, end, inside: { start: behind, end }, closed: close >= 0 };
}

function textAt(css: string, quote: '"' | "'", start: number) {
  const end = endOf(TEXT[quote], css, start + 1);
  const closed = css.charAt(end) === quote;
  return { start, end: closed ? end + 1 : end, inside: { start: start + 1, end }, closed };
}

function urlAt(css: string, start: number, behind: number): CssToken {
  const from = endOf(WHITE_SPACE, css, behind);
  const quote = css.charAt(from);
  const text = quote === '"' || quote === "'" ? textAt(css, quote, from) : undefined;
  if (text && !text.closed && text.end < css.length) return { type: 'text', word: quote, ...text };
  const close = endOf(URL_BODY, css, text?.end ?? from);
  const isEnded = css.charAt(close) === ')';
  const inside = text?.inside ?? { start: from, end: from + css.slice(from, close).trimEnd().length };
  return { type: 'url', word: 'url(', start, end: isEnded ? close + 1 : close, inside, closed: isEnded };
}

/** Returns the end of a sticky pattern's match at `start`, or `start` without a match. */
function endOf(pattern: RegExp, css: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(css) ? pattern.lastIndex : start;
}
