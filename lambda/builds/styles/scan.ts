import { BuildError, placeOf } from '../problems.ts';

/** Brackets that are open at a time. Lightning CSS overflows its stack, and with it the process, at a few thousand. */
const MAX_DEPTH = 200;
/** At-rules that refer to files. */
const FILE_RULES = new Set(['import', 'reference', 'config', 'plugin', 'source', 'charset']);
const CLOSING = new Map([
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
]);

/** A part of a style sheet, by the offsets of its first character and of the one behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text in a style sheet, with its quotes or `url(…)`. */
export interface QuotedText extends Span {
  readonly value: string;
}

/**
 * An at-rule at the top level that refers to a file. Its end is before the block, if it has one, or after the
 * semicolon.
 */
export interface FileRule extends Span {
  readonly name: string;
  /** The first text in it. */
  readonly text: QuotedText | undefined;
}

interface StyleReferences {
  readonly rules: readonly FileRule[];
  /** `url(…)` and the texts of `image-set(…)`. */
  readonly urls: readonly QuotedText[];
}

interface Open {
  readonly bracket: string;
  readonly offset: number;
  /** The function's name, for a parenthesis. */
  readonly name: string;
}

/**
 * Returns what a style sheet refers to. Reads each character once.
 * @throws BuildError for brackets, texts and comments that are not closed, which later steps would not report
 */
export function scanStyles(path: string, css: string): StyleReferences {
  return new Scanner(path, css).scan();
}

/** Matches references, brackets and what can hide them. All other characters are skipped, escaped ones included. */
const TOKEN = /\\[\s\S]?|\/\*|@[a-z-]{0,40}|(?<![a-z-])url\(|["'(){}[\];]/gi;

class Scanner {
  readonly #path: string;
  readonly #css: string;
  readonly #tokens = new RegExp(TOKEN);
  readonly #rules: FileRule[] = [];
  readonly #urls: QuotedText[] = [];
  readonly #open: Open[] = [];
  /** The at-rule that the scanner is in. */
  #rule: { name: string; start: number; text: QuotedText | undefined } | undefined;

  constructor(path: string, css: string) {
    this.#path = path;
    this.#css = css;
  }

  scan(): StyleReferences {
    for (let found = this.#tokens.exec(this.#css); found; found = this.#tokens.exec(this.#css))
      this.#read(found[0].toLowerCase(), found.index);
    const left = this.#open.at(-1);
    if (left) this.#fail(`"${left.bracket}" is not closed`, left.offset);
    this.#endRule(this.#css.length);
    return { rules: this.#rules, urls: this.#urls };
  }

  #read(token: string, start: number): void {
    const next = start + token.length;
    if (token === '/*') {
      const end = this.#css.indexOf('*/', next);
      if (end < 0) this.#fail('The comment is not closed', start);
      this.#tokens.lastIndex = end + 2;
    } else if (token === '"' || token === "'") {
      this.#add({ start, ...this.#text(start) }, /(^|-)image-set$/.test(this.#open.at(-1)?.name ?? ''));
    } else if (token === 'url(') {
      this.#add({ start, ...this.#url(next) }, true);
    } else if (token.startsWith('@')) {
      const name = token.slice(1);
      if (this.#open.length === 0 && FILE_RULES.has(name)) this.#rule = { name, start, text: undefined };
    } else if (token === ';') {
      this.#endRule(next);
    } else if (CLOSING.has(token)) {
      if (token === '{') this.#endRule(start);
      this.#push(token, start);
    } else if (!token.startsWith('\\')) {
      this.#close(token, start);
    }
  }

  /** The first text of an at-rule is its own; others count if they are URLs. */
  #add(text: QuotedText, isUrl: boolean): void {
    if (this.#rule) this.#rule.text ??= text;
    else if (isUrl) this.#urls.push(text);
  }

  #endRule(end: number): void {
    if (this.#rule && this.#open.length === 0) {
      this.#rules.push({ ...this.#rule, end });
      this.#rule = undefined;
    }
  }

  /** Reads a text from its first quote. */
  #text(start: number): { value: string; end: number } {
    const end = this.#endOf(start + 1, this.#css.charAt(start), '\n');
    if (end < 0) this.#fail('The text is not closed', start);
    this.#tokens.lastIndex = end + 1;
    return { value: unescaped(this.#css.slice(start + 1, end)), end: end + 1 };
  }

  /** Reads from what follows the parenthesis of `url(` to the closing one. */
  #url(start: number): { value: string; end: number } {
    let from = start;
    while (/\s/.test(this.#css.charAt(from))) from += 1;
    const quoted = /["']/.test(this.#css.charAt(from)) ? this.#text(from) : undefined;
    const end = this.#endOf(quoted?.end ?? from, ')');
    if (end < 0) this.#fail('"(" is not closed', start - 1);
    this.#tokens.lastIndex = end + 1;
    return { value: quoted?.value ?? unescaped(this.#css.slice(from, end).trim()), end: end + 1 };
  }

  /** Returns where a character is next that is not escaped, or -1 if there is none before another. */
  #endOf(start: number, character: string, before = ''): number {
    for (let at = start; at < this.#css.length; at += 1) {
      const found = this.#css.charAt(at);
      if (found === character) return at;
      if (found === before) return -1;
      if (found === '\\') at += 1;
    }
    return -1;
  }

  #push(bracket: string, offset: number): void {
    if (this.#open.length >= MAX_DEPTH) this.#fail(`More than ${MAX_DEPTH} brackets are nested here`, offset);
    const before = bracket === '(' ? this.#css.slice(Math.max(0, offset - 30), offset) : '';
    this.#open.push({ bracket, offset, name: /[a-z-]*$/i.exec(before)?.[0].toLowerCase() ?? '' });
  }

  #close(bracket: string, offset: number): void {
    const last = this.#open.pop();
    if (!last) this.#fail(`"${bracket}" closes nothing`, offset);
    if (CLOSING.get(last.bracket) !== bracket) this.#fail(`"${last.bracket}" is not closed`, last.offset);
  }

  #fail(message: string, offset: number): never {
    throw new BuildError([{ message, ...placeOf(this.#path, this.#css, offset) }]);
  }
}

/** Replaces the escapes of a text, such as `\"` and `\26 `. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_all, code: string | undefined, character: string) =>
    code === undefined ? character : codePoint(Number.parseInt(code, 16)),
  );
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
