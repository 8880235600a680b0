import jsTokens, { type JSXToken, type Token } from 'js-tokens';
import type { Comment } from './parts.ts';

/** The token of any value other than a word or punctuator (verbatim) or a string (`"` and its text). */
export const VALUE = '0';
/** The token of a part of a template literal that an interpolation follows. */
export const INTERPOLATION = '${';

const ELLIPSIS_LINE = /\.\.\.[ \t]*(?=\r?\n|$)/y;

/**
 * Reads the tokens and comments of JavaScript or TypeScript. Never fails: invalid code gives some tokens. Punctuators are given
 * character by character, and the text between elements of JSX is left out.
 */
export class JavaScriptLexer {
  readonly comments: Comment[] = [];
  /** Whether something does not end, so that some tokens may be wrong. */
  unclosed = false;
  readonly #source: string;
  readonly #onToken: (token: string, text?: string) => void;
  /** The number of template literals that the current token is in. */
  #templates = 0;
  /** Whether only white space precedes on the line. */
  #lineStart = true;

  /** @param onToken also gets the text of a string, or of a part of a template literal */
  constructor(source: string, onToken: (token: string, text?: string) => void) {
    this.#source = source;
    this.#onToken = onToken;
  }

  run(): this {
    let at = 0;
    const jsx = hasJsx(this.#source);
    for (const token of jsTokens(this.#source, { jsx }) as Iterable<Token | JSXToken>) {
      this.#read(token, at);
      at += token.value.length;
    }
    this.unclosed ||= this.#templates > 0;
    return this;
  }

  #read(token: Token | JSXToken, at: number): void {
    if ('closed' in token) this.unclosed ||= !token.closed;
    switch (token.type) {
      case 'LineTerminatorSequence':
        this.#lineStart = true;
        return;
      case 'WhiteSpace':
      case 'HashbangComment':
      case 'JSXText':
        return;
      case 'MultiLineComment':
      case 'SingleLineComment':
        this.comments.push({ text: token.value, index: at });
        return;
    }
    if (token.value === '...' && this.#lineStart) this.#ellipsisLine(at);
    this.#lineStart = false;
    this.#emit(token);
  }

  #emit(token: Token | JSXToken): void {
    const { type, value } = token;
    switch (type) {
      case 'StringLiteral':
      case 'JSXString':
      case 'NoSubstitutionTemplate': {
        const text = value.slice(1, token.closed ? -1 : undefined);
        this.#onToken(token.closed ? stringToken(text) : VALUE, text);
        break;
      }
      case 'TemplateHead':
        this.#templates++;
        this.#onToken(INTERPOLATION, value.slice(1, -2));
        break;
      case 'TemplateMiddle':
        this.#onToken(INTERPOLATION, value.slice(1, -2));
        break;
      case 'TemplateTail':
        this.#templates--;
        this.#onToken(VALUE, value.slice(1, token.closed ? -1 : undefined));
        break;
      case 'RegularExpressionLiteral':
        this.#onToken(VALUE);
        break;
      case 'IdentifierName':
      case 'NumericLiteral':
      case 'JSXIdentifier':
        this.#onToken(value);
        break;
      case 'PrivateIdentifier':
        this.#onToken('#');
        this.#onToken(value.slice(1));
        break;
      default:
        for (const character of value) this.#onToken(character);
    }
  }

  #ellipsisLine(at: number): void {
    ELLIPSIS_LINE.lastIndex = at;
    if (ELLIPSIS_LINE.test(this.#source)) this.comments.push({ text: '...', index: at });
  }
}

/**
 * Reports whether a source has JSX: an element that ends, and nothing that JSX cannot have. Type parameters of TypeScript and
 * its older casts look like tags.
 */
function hasJsx(source: string): boolean {
  if (!/<\/|\/>/.test(source)) return false;
  let last = '';
  for (const { type } of jsTokens(source, { jsx: true })) {
    if (type === 'JSXInvalid') return false;
    last = type;
  }
  return last !== 'JSXText';
}

/** Returns the token of a string; escapes are not decoded. */
function stringToken(text: string): string {
  return text.includes('\\') ? VALUE : `"${text}`;
}
