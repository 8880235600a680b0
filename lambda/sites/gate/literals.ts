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

export interface LiteralsReader {
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

/** Reads the strings of a script in linear time. What it does not understand, it skips. */
export function readLiterals(code: string, reader: LiteralsReader): void {
  const group: { start: number; parts: string[] } = { start: -1, parts: [] };
  let before = NEWLINE;
  for (let i = 0; i < code.length; ) {
    const c = code.charCodeAt(i);
    if (isQuote(c)) {
      i = readSum(code, i, group, reader);
      before = QUOTE;
    } else if (c === SLASH) {
      const end = endOfSlash(code, i, before);
      if (end > i + 1) before = SLASH;
      i = end;
    } else if (isDigit(c) && !isName(before)) {
      i = readNumbers(code, i, reader);
      before = c;
    } else {
      if (!isSpace(c) || c === NEWLINE) before = c;
      i++;
    }
  }
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
  if (group.parts.length > 1 && isJoined(code, comma))
    reader.literal(literalOf(group.parts, group.start, end));
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
  while (begin > 0 && end - begin < 40 && (isName(code.charCodeAt(begin - 1)) || code[begin - 1] === '-'))
    begin--;
  return code.slice(begin, end);
}

function skipBack(code: string, end: number): number {
  let i = end;
  while (i > 0 && end - i < 20 && isSpace(code.charCodeAt(i - 1))) i--;
  return i;
}
