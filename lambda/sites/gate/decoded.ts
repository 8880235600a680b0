/** What an encoded string or list of numbers turned out to be. */
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
  if ((head.match(/%[0-9a-f]{2}/gi)?.length ?? 0) * 6 > head.length)
    return decodedText(unescapePercent(value));
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
const PROGRAMS = hex(
  '4d5a 504b0304 52617221 377abcaf d0cf11e0 4c00000001140200 7f454c46 cafebabe cffaedfe 4d534346',
);
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
  if (begins(PROGRAMS) || buffer.toString('latin1', at, at + mark.length) === mark)
    return { kind: 'program' };
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
