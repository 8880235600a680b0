import type { Comment } from './parts.ts';

/** The token of any value other than a word or punctuator (verbatim) or a string (`"` and its text). */
export const VALUE = '0';
/** The token of a part of a template literal that an interpolation follows. */
export const INTERPOLATION = '${';

const WORD = /[\w$\u0080-\uffff]+/y;
const ELLIPSIS_LINE = /\.\.\.[ \t]*(?=\r?\n|$)/y;
/** After these words, as after most punctuators, a slash starts a regular expression. */
const OPERATORS = new Set(
  'return typeof case in of delete void throw new instanceof else do yield await'.split(' '),
);

/**
 * Splits JavaScript or TypeScript into tokens and comments, in one pass. Never fails: invalid code gives some tokens. A
 * string or a regular expression ends with its line at the latest, so that a wrong guess, such as for an apostrophe in
 * the text of JSX, affects only that line.
 */
export class JavaScriptLexer {
  readonly comments: Comment[] = [];
  /** Whether a string, comment or template literal does not end, so that some tokens may be wrong. */
  unclosed = false;
  readonly #source: string;
  readonly #onToken: (token: string, text?: string) => void;
  #at = 0;
  #last = '';
  /** Whether only white space precedes on the line. */
  #lineStart = true;
  #depth = 0;
  /** The depths at which the interpolations of the open template literals started. */
  readonly #templates: number[] = [];
  /** No regular expression starts before this offset: an earlier candidate reached the end of its line. */
  #noRegexBefore = 0;

  /** @param onToken also gets the text of a string, or of a part of a template literal */
  constructor(source: string, onToken: (token: string, text?: string) => void) {
    this.#source = source;
    this.#onToken = onToken;
  }

  run(): this {
    if (this.#source.startsWith('#!')) this.#at = this.#lineEnd(0);
    while (this.#at < this.#source.length) this.#next();
    if (this.#templates.length > 0) this.unclosed = true;
    return this;
  }

  #next(): void {
    const character = this.#source.charAt(this.#at);
    if (character === '\n') this.#lineStart = true;
    else if (character === '/') this.#slash();
    else if (character === '"' || character === "'") this.#string(character);
    else if (character === '`') this.#template();
    else if (character === '}' && this.#templates.at(-1) === this.#depth) {
      this.#templates.pop();
      this.#template();
    } else if (character.trim() !== '') this.#wordOrPunctuator(character);
    this.#at++;
  }

  #emit(token: string, text?: string): void {
    this.#last = token;
    this.#lineStart = false;
    this.#onToken(token, text);
  }

  /** Like the methods below, leaves `#at` at the last character of its token. */
  #wordOrPunctuator(character: string): void {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#source)?.[0];
    if (character === '.' && this.#lineStart) this.#ellipsisLine();
    if (character === '{') this.#depth++;
    if (character === '}') this.#depth--;
    this.#emit(word ?? character);
    if (word !== undefined) this.#at += word.length - 1;
  }

  #ellipsisLine(): void {
    ELLIPSIS_LINE.lastIndex = this.#at;
    if (ELLIPSIS_LINE.test(this.#source)) this.comments.push({ text: '...', index: this.#at });
  }

  #slash(): void {
    const after = this.#source.charAt(this.#at + 1);
    if (after === '/') this.#comment(this.#lineEnd(this.#at));
    else if (after === '*') {
      const end = this.#source.indexOf('*/', this.#at + 2);
      if (end === -1) this.unclosed = true;
      this.#comment(end === -1 ? this.#source.length : end + 2);
    } else if (!this.#regex()) this.#emit('/');
  }

  #comment(end: number): void {
    this.comments.push({ text: this.#source.slice(this.#at, end), index: this.#at });
    this.#at = end - 1;
  }

  #regex(): boolean {
    // After `<`, a JSX closing tag is far more common than a comparison with a regular expression.
    const operand = /^(?:[\w$"<)\]}`\u0080-\uffff])/.test(this.#last) && !OPERATORS.has(this.#last);
    if (operand || this.#at < this.#noRegexBefore) return false;
    let inClass = false;
    for (let end = this.#at + 1; end < this.#source.length; end++) {
      const character = this.#source.charAt(end);
      if (character === '\n') break;
      if (character === '\\') end++;
      else if (character === '[') inClass = true;
      else if (character === ']') inClass = false;
      else if (character === '/' && !inClass) {
        this.#emit(VALUE);
        this.#at = end;
        return true;
      }
    }
    this.#noRegexBefore = this.#lineEnd(this.#at);
    return false;
  }

  #string(quote: string): void {
    const start = this.#at + 1;
    let end = start;
    for (; end < this.#source.length; end++) {
      const character = this.#source.charAt(end);
      if (character === quote || character === '\n') break;
      if (character === '\\') end++;
    }
    const closed = this.#source.charAt(end) === quote;
    const text = this.#source.slice(start, end);
    this.#emit(closed ? stringToken(text) : VALUE, text);
    if (!closed) this.unclosed = true;
    this.#at = closed ? end : end - 1;
  }

  /** Reads a template literal up to its end or its next interpolation. */
  #template(): void {
    const start = this.#at + 1;
    const whole = this.#source.charAt(this.#at) === '`';
    for (let end = start; end < this.#source.length; end++) {
      const character = this.#source.charAt(end);
      if (character === '\\') end++;
      else if (character === '`') {
        const text = this.#source.slice(start, end);
        this.#emit(whole ? stringToken(text) : VALUE, text);
        this.#at = end;
        return;
      } else if (character === '$' && this.#source.charAt(end + 1) === '{') {
        this.#templates.push(this.#depth);
        this.#emit(INTERPOLATION, this.#source.slice(start, end));
        this.#at = end + 1;
        return;
      }
    }
    this.unclosed = true;
    this.#at = this.#source.length;
  }

  #lineEnd(from: number): number {
    const end = this.#source.indexOf('\n', from);
    return end === -1 ? this.#source.length : end;
  }
}

/** Returns the token of a string; escapes are not decoded. */
function stringToken(text: string): string {
  return text.includes('\\') ? VALUE : `"${text}`;
}
