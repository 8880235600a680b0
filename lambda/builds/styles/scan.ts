import { cssTokens, type Span } from '../../sites/references/css-tokens.ts';
import { errorAtOffset } from '../problems.ts';

/** Brackets that are open at a time. Lightning CSS overflows its stack, and with it the process, at a few thousand. */
const MAX_DEPTH = 200;
/** At-rules that refer to files. */
const FILE_RULES = new Set(['@import', '@reference', '@config', '@plugin', '@source', '@charset']);
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

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

const UNCLOSED = { comment: 'The comment is not closed', text: 'The text is not closed', url: '"(" is not closed' };

/**
 * Returns what a style sheet refers to. Reads each character once.
 * @throws BuildError for brackets, texts and comments that are not closed, which later steps would not report
 */
export function scanStyles(path: string, css: string): StyleReferences {
  const rules: FileRule[] = [];
  const urls: QuotedText[] = [];
  const open: { readonly word: string; readonly bracket: string; readonly offset: number }[] = [];
  let rule: { readonly name: string; readonly start: number; text: QuotedText | undefined } | undefined;
  const fail = (message: string, offset: number): never => {
    throw errorAtOffset(path, css, offset, message);
  };
  const endRule = (end: number) => {
    if (rule === undefined || open.length > 0) return;
    rules.push({ ...rule, end });
    rule = undefined;
  };
  for (const { type, word, start, end, inside, closed } of cssTokens(css)) {
    const bracket = word.slice(-1);
    if (type !== 'word') {
      if (!closed) fail(UNCLOSED[type], type === 'url' ? start + 'url'.length : start);
      if (type === 'comment') continue;
      const text = { start, end, value: unescaped(css.slice(inside.start, inside.end)) };
      // The first text of an at-rule is its own; others count if they are URLs.
      if (rule) rule.text ??= text;
      else if (type === 'url' || open.at(-1)?.word.endsWith('image-set(')) urls.push(text);
    } else if (word.startsWith('@')) {
      if (open.length === 0 && FILE_RULES.has(word)) rule = { name: word.slice(1), start, text: undefined };
    } else if (word === ';') {
      endRule(end);
    } else if (bracket in CLOSING) {
      if (word === '{') endRule(start);
      if (open.length >= MAX_DEPTH) fail(`More than ${MAX_DEPTH} brackets are nested here`, end - 1);
      open.push({ word, bracket, offset: end - 1 });
    } else {
      const last = open.pop() ?? fail(`"${word}" closes nothing`, start);
      if (CLOSING[last.bracket] !== word) fail(`"${last.bracket}" is not closed`, last.offset);
    }
  }
  const left = open.at(-1);
  if (left) fail(`"${left.bracket}" is not closed`, left.offset);
  endRule(css.length);
  return { rules, urls };
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
