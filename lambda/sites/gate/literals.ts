/** A string of a script, with the strings that are added to it. */
export interface Literal {
  readonly value: string;
  /** Where it starts and ends in the code, with its quotes. */
  readonly start: number;
  readonly end: number;
  /** The first of the parts that it is written in; equal to `value` if there is one. */
  readonly first: string;
  /** How many plain letters are escaped in it. */
  readonly escaped: number;
}

interface LiteralsReader {
  literal(literal: Literal): void;
  /** Gets a list of at least 60 numbers as it is written. */
  numbers(list: string): void;
}

const LEAST_NUMBERS = 60;
const QUOTE = 0x27;
const DOUBLE = 0x22;
const BACKTICK = 0x60;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const NEWLINE = 0x0a;
const COMMA = 0x2c;
const LONGEST_REGEX = 300;
const BEFORE_REGEX = new Set([...'(,=:[!&|?{};+-*%~^<>\n'].map((c) => c.charCodeAt(0)));

const isQuote = (code: number) => code === QUOTE || code === DOUBLE || code === BACKTICK;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);
const isDigit = (code: number) => code >= 48 && code <= 57;
const isName = (code: number) =>
  isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36;

/**
 * What may begin a string, a comment or a regular expression, or is in a long list of numbers. One search for all of them skips the
 * other characters ten times as fast as a loop does. The length that it looks ahead bounds its work.
 */
const NEXT = new RegExp(`["'\`/]|,(?=[ \\t-\\r]*\\d)(?=[\\w$ \\t-\\r,]{${LEAST_NUMBERS - 3}})`, 'g');

/** Reads the strings of a script in linear time. What it does not understand, it skips. */
export function readLiterals(code: string, reader: LiteralsReader): void {
  const group: { start: number; parts: string[] } = { start: -1, parts: [] };
  let before = NEWLINE;
  for (let i = 0; ; ) {
    NEXT.lastIndex = i;
    if (!NEXT.test(code)) return;
    const at = NEXT.lastIndex - 1;
    const c = code.charCodeAt(at);
    if (isQuote(c)) {
      i = readSum(code, at, group, reader);
      before = QUOTE;
    } else if (c === SLASH) {
      i = endOfSlash(code, at, lastSign(code, i, at) ?? before);
      before = SLASH;
    } else {
      i = readNumbers(code, startOfList(code, i, at), reader);
      before = QUOTE;
    }
  }
}

/** Returns the last character of a part of the code, except for spaces within a line; undefined if it has no other. */
function lastSign(code: string, start: number, end: number): number | undefined {
  for (let i = end - 1; i >= start; i--) {
    const c = code.charCodeAt(i);
    if (!isSpace(c) || c === NEWLINE) return c;
  }
  return undefined;
}

/** Returns where the list starts whose first comma is at `comma`: with the number before it, if there is one. */
function startOfList(code: string, from: number, comma: number): number {
  let start = comma + 1;
  for (let i = comma - 1; i >= from && (isName(code.charCodeAt(i)) || isSpace(code.charCodeAt(i))); i--)
    if (isDigit(code.charCodeAt(i)) && !isName(lastSign(code, from, i) ?? COMMA)) start = i;
  return start;
}

/** Reads a string, those that `+` adds to it, and the list that is joined at its end. @returns where it ends */
function readSum(
  code: string,
  start: number,
  group: { start: number; parts: string[] },
  reader: LiteralsReader,
): number {
  let end = endOfString(code, start);
  const parts = [code.slice(start + 1, end - 1)];
  for (;;) {
    const plus = skipSpace(code, end);
    if (code[plus] !== '+') break;
    const next = skipSpace(code, plus + 1);
    if (!isQuote(code.charCodeAt(next))) break;
    end = endOfString(code, next);
    parts.push(code.slice(next + 1, end - 1));
  }
  const literal = literalOf(parts, start, end);
  reader.literal(literal);
  if (group.parts.length === 0) group.start = start;
  group.parts.push(literal.value);
  const comma = skipSpace(code, end);
  if (code[comma] === ',' && isQuote(code.charCodeAt(skipSpace(code, comma + 1)))) return end;
  if (group.parts.length > 1 && isJoined(code, comma)) reader.literal(literalOf(group.parts, group.start, end));
  group.parts = [];
  return end;
}

const isJoined = (code: string, at: number) =>
  /^\]\s{0,9}\.\s{0,9}join\(\s{0,9}(["'`])\1/.test(code.slice(at, at + 40));

function literalOf(parts: readonly string[], start: number, end: number): Literal {
  const raw = parts.join('');
  const [first = ''] = parts;
  if (!raw.includes('\\')) return { value: raw, first, start, end, escaped: 0 };
  const escaped = raw.match(/\\(?:x[2-7]|u00[2-7])/g)?.length ?? 0;
  return { value: unescapeText(raw), first: unescapeText(first), start, end, escaped };
}

function unescapeText(raw: string): string {
  return raw.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis, (_, two, four, other) =>
    other === undefined ? String.fromCharCode(Number.parseInt(two ?? four, 16)) : other,
  );
}

/** Returns where a string ends that starts with a quote; one that is not closed ends with its line. */
function endOfString(code: string, start: number): number {
  const quote = code.charCodeAt(start);
  for (let i = start + 1; i < code.length; i++) {
    const c = code.charCodeAt(i);
    if (c === BACKSLASH) i++;
    else if (c === quote) return i + 1;
    else if (c === NEWLINE && quote !== BACKTICK) return i + 1;
  }
  return code.length + 1;
}

/** Returns where a comment, a regular expression or a division ends. */
function endOfSlash(code: string, start: number, before: number): number {
  const next = code[start + 1];
  if (next === '/') return orEnd(code.indexOf('\n', start), code);
  if (next === '*') return orEnd(code.indexOf('*/', start + 2) + 1, code) + 1;
  if (!BEFORE_REGEX.has(before)) return start + 1;
  let inClass = false;
  const limit = Math.min(code.length, start + LONGEST_REGEX);
  let i = start + 1;
  for (; i < limit; i++) {
    const c = code[i];
    if (c === '\\') i++;
    else if (c === '\n') return i;
    else if (c === '[') inClass = true;
    else if (c === ']') inClass = false;
    else if (c === '/' && !inClass) return i + 1;
  }
  return i;
}

const orEnd = (index: number, code: string) => (index <= 0 ? code.length : index);

function readNumbers(code: string, start: number, reader: LiteralsReader): number {
  let end = start;
  let count = 1;
  for (; end < code.length; end++) {
    const c = code.charCodeAt(end);
    if (c === COMMA) count++;
    else if (!isName(c) && !isSpace(c)) break;
  }
  if (count >= LEAST_NUMBERS) reader.numbers(code.slice(start, end));
  return end;
}

function skipSpace(code: string, start: number): number {
  let i = start;
  while (isSpace(code.charCodeAt(i))) i++;
  return i;
}

/** Returns the name that a string is assigned to, or of the function that it is given to; empty if there is none. */
export function nameBefore(code: string, start: number): string {
  let end = skipBack(code, start);
  if (code[end - 1] === '[') end = skipBack(code, end - 1);
  if (!'=:('.includes(code[end - 1] ?? ' ')) return '';
  end = skipBack(code, end - 1);
  if (isQuote(code.charCodeAt(end - 1)) || code[end - 1] === ']') end--;
  let begin = end;
  while (begin > 0 && end - begin < 40 && (isName(code.charCodeAt(begin - 1)) || code[begin - 1] === '-')) begin--;
  return code.slice(begin, end);
}

function skipBack(code: string, end: number): number {
  let i = end;
  while (i > 0 && end - i < 20 && isSpace(code.charCodeAt(i - 1))) i--;
  return i;
}

/** The content of an encoded string or list of numbers. */
export type Decoded =
  | { readonly kind: 'page' | 'script'; readonly text: string }
  /** A program or an archive. */
  | { readonly kind: 'program' }
  /** Bytes that mean nothing without a key. */
  | { readonly kind: 'opaque' };

const LEAST = 120;
/** Data of scripts, such as tables in base64, is shorter than pages and programs. */
const LEAST_OPAQUE = 400;

const MARKUP = /<(?:!doctype|html|head|body|form|input|script|iframe|div|meta)\b/i;
const CODE = /\bdocument\.|\blocation\b|\bfetch\(|\beval\(|\bfunction\b|=>|XMLHttpRequest/;

/** Returns what a string encodes; undefined if it is too short or encodes nothing. */
export function decodedString(value: string): Decoded | undefined {
  if (value.length < LEAST || value.startsWith('data:')) return undefined;
  const head = value.slice(0, 400);
  if ((head.match(/%[0-9a-f]{2}/gi)?.length ?? 0) * 6 > head.length) return decodedText(unescapePercent(value));
  if (isWhole(value, /[^0-9a-f]/i)) return decodedBytes(Buffer.from(value, 'hex'));
  if (isWhole(value, /[^\w+/=-]/) && /\d/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value))
    return decodedBytes(Buffer.from(value, 'base64'));
  return undefined;
}

const isWhole = (value: string, other: RegExp) => !other.test(value);

/** Returns what a list of numbers encodes: codes of characters, or bytes; a list may be shifted by a number. */
export function decodedNumbers(list: string): Decoded | undefined {
  const numbers = list.split(',').map(Number);
  if (numbers.some((number) => !(number >= 0 && number < 0x1_0000))) return undefined;
  const [first = 0] = numbers;
  for (const shift of [0, first - '<'.charCodeAt(0)]) {
    const text = textOf(numbers, shift);
    if (text !== undefined && MARKUP.test(text)) return { kind: 'page', text };
    if (shift === 0 && text !== undefined && CODE.test(text)) return { kind: 'script', text };
  }
  return numbers.every((number) => number < 256) ? decodedBytes(Uint8Array.from(numbers)) : undefined;
}

function textOf(codes: readonly number[], shift: number): string | undefined {
  const parts: string[] = [];
  for (let i = 0; i < codes.length; i += 4_096) {
    parts.push(String.fromCharCode(...codes.slice(i, i + 4_096).map((code) => code - shift)));
  }
  const text = parts.join('');
  return isReadable(text) ? text : undefined;
}

/** Like the function `unescape`, which browsers have for scripts of old. */
export function unescapePercent(value: string): string {
  return value.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, four, two) =>
    String.fromCharCode(Number.parseInt(four ?? two, 16)),
  );
}

function decodedText(text: string): Decoded | undefined {
  if (MARKUP.test(text)) return { kind: 'page', text };
  return CODE.test(text) ? { kind: 'script', text } : undefined;
}

const hex = (text: string): readonly string[] => text.trim().split(/\s+/);

/** How programs and archives begin. An image of a disc has its mark at a place of its own. */
const PROGRAMS = hex('4d5a 504b0304 52617221 377abcaf d0cf11e0 4c00000001140200 7f454c46 cafebabe cffaedfe 4d534346');
const DISC_MARK = [32_769, 'CD001'] as const;

/** How pictures, sounds, fonts, WebAssembly and compressed data begin, which applications embed. */
const MEDIA = hex(`
  0061736d 89504e47 ffd8ff 47494638 52494646 4f676753 494433 fff1 fff3 fffb 774f46 4f54544f 00010000 25504446 1f8b 664c6143 4d546864
  676c5446 7801 789c 78da 28b52ffd 53514c697465 0000001866747970 0000002066747970
`);

function decodedBytes(bytes: Uint8Array): Decoded | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = buffer.toString('hex', 0, 16);
  const begins = (marks: readonly string[]) => marks.some((one) => head.startsWith(one));
  const [at, mark] = DISC_MARK;
  if (begins(PROGRAMS) || buffer.toString('latin1', at, at + mark.length) === mark) return { kind: 'program' };
  if (begins(MEDIA)) return undefined;
  const text = buffer.toString('utf8');
  if (isReadable(text)) return decodedText(text);
  // Text of a page whose characters are UTF-16.
  const wide = buffer.length % 2 === 0 ? buffer.toString('utf16le') : '';
  if (MARKUP.test(wide)) return { kind: 'page', text: wide };
  return bytes.length < LEAST_OPAQUE * 0.75 ? undefined : { kind: 'opaque' };
}

/** Returns whether nearly all of the beginning of a text are characters of texts. */
function isReadable(text: string): boolean {
  const head = text.slice(0, 1_000);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what texts do not have
  const others = head.match(/[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]/g)?.length ?? 0;
  return others * 50 < head.length;
}
