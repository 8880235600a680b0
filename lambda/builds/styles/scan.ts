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

class Scanner {
  private readonly path: string;
  private readonly css: string;
  private readonly rules: FileRule[] = [];
  private urls: QuotedText[] = [];
  private readonly open: Open[] = [];
  /** The at-rule that the scanner is in. */
  private rule: { name: string; start: number; text: QuotedText | undefined } | undefined;
  private at = 0;

  constructor(path: string, css: string) {
    this.path = path;
    this.css = css;
  }

  scan(): StyleReferences {
    while (this.at < this.css.length) {
      this.step(this.css.charAt(this.at));
    }
    const left = this.open.at(-1);
    if (left) this.fail(`"${left.bracket}" is not closed`, left.offset);
    this.endRule(this.at);
    return { rules: this.rules, urls: this.urls };
  }

  private step(character: string): void {
    switch (character) {
      case '\\':
        this.at += 2;
        return;
      case '/':
        this.skipComment();
        return;
      case '"':
      case "'":
        this.text(character);
        return;
      case '@':
        this.beginRule();
        return;
      case '(':
        this.parenthesis();
        return;
      case '{':
        this.endRule(this.at);
        this.push(character, '');
        return;
      case '[':
        this.push(character, '');
        return;
      case '}':
      case ')':
      case ']':
        this.close(character);
        return;
      case ';':
        this.endRule(this.at + 1);
        this.at += 1;
        return;
      default:
        this.at += 1;
    }
  }

  private skipComment(): void {
    if (this.css.charAt(this.at + 1) !== '*') {
      this.at += 1;
      return;
    }
    const end = this.css.indexOf('*/', this.at + 2);
    if (end < 0) this.fail('The comment is not closed', this.at);
    this.at = end + 2;
  }

  private text(quote: string): void {
    const start = this.at;
    const value = this.quoted(quote);
    const token = { start, end: this.at, value };
    if (this.rule) {
      this.rule.text ??= token;
    } else if (/(^|-)image-set$/.test(this.open.at(-1)?.name ?? '')) {
      this.urls.push(token);
    }
  }

  /** Reads a text with its quotes, and returns what is between them. */
  private quoted(quote: string): string {
    const start = this.at;
    for (let end = start + 1; end < this.css.length; end += 1) {
      const character = this.css.charAt(end);
      if (character === quote) {
        this.at = end + 1;
        return unescaped(this.css.slice(start + 1, end));
      }
      if (character === '\n') break;
      if (character === '\\') end += 1;
    }
    return this.fail('The text is not closed', start);
  }

  private beginRule(): void {
    const [name = ''] = /^[a-z-]{0,40}/i.exec(this.css.slice(this.at + 1, this.at + 41)) ?? [];
    if (this.open.length === 0 && FILE_RULES.has(name.toLowerCase())) {
      this.rule = { name: name.toLowerCase(), start: this.at, text: undefined };
    }
    this.at += 1 + name.length;
  }

  private endRule(end: number): void {
    if (this.rule && this.open.length === 0) {
      this.rules.push({ ...this.rule, end });
      this.rule = undefined;
    }
  }

  private parenthesis(): void {
    const before = this.css.slice(Math.max(0, this.at - 30), this.at);
    const [name = ''] = /[a-z-]*$/i.exec(before) ?? [];
    if (name.toLowerCase() !== 'url') {
      this.push('(', name.toLowerCase());
      return;
    }
    const start = this.at - name.length;
    const token = { start, value: this.url(), end: this.at };
    if (this.rule) {
      this.rule.text ??= token;
    } else {
      this.urls.push(token);
    }
  }

  /** Reads from the parenthesis of `url(` to the closing one, and returns the URL. */
  private url(): string {
    const start = this.at;
    this.at += 1;
    while (/\s/.test(this.css.charAt(this.at))) {
      this.at += 1;
    }
    const first = this.css.charAt(this.at);
    const quoted = first === '"' || first === "'" ? this.quoted(first) : undefined;
    const from = this.at;
    for (; this.at < this.css.length; this.at += 1) {
      const character = this.css.charAt(this.at);
      if (character === ')') {
        this.at += 1;
        return quoted ?? unescaped(this.css.slice(from, this.at - 1).trim());
      }
      if (character === '\\') this.at += 1;
    }
    return this.fail('"(" is not closed', start);
  }

  private push(bracket: string, name: string): void {
    if (this.open.length >= MAX_DEPTH) this.fail(`More than ${MAX_DEPTH} brackets are nested here`, this.at);
    this.open.push({ bracket, offset: this.at, name });
    this.at += 1;
  }

  private close(bracket: string): void {
    const last = this.open.pop();
    if (!last) this.fail(`"${bracket}" closes nothing`, this.at);
    if (CLOSING.get(last.bracket) !== bracket) this.fail(`"${last.bracket}" is not closed`, last.offset);
    this.at += 1;
  }

  private fail(message: string, offset: number): never {
    throw new BuildError([{ message, ...placeOf(this.path, this.css, offset) }]);
  }
}

/** Replaces the escapes of a text, such as `\"` and `\26 `. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi,
    (_all, code: string | undefined, character: string) =>
      code === undefined ? character : codePoint(Number.parseInt(code, 16)),
  );
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
