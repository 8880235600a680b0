import { isAscii, isUtf8 } from 'node:buffer';
import sniffEncoding from 'html-encoding-sniffer';

/** The encoding in which most browsers read a page that declares none (HTML Standard, 13.2.3.2). */
const DEFAULT = 'windows-1252';

/** The Encoding Standard's name for encodings that browsers refuse to decode. */
const REFUSED = 'replacement';

/** Switches character sets in ISO-2022-JP, whose bytes otherwise all look like ASCII. */
const ESCAPE = 0x1b;

/** Returns whether bytes are UTF-8 without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/**
 * Returns the encoding of a text file as the Encoding Standard names it, in lower case, or undefined if it is unknown.
 * A browser may then still detect it: from the `@charset` of a style sheet, the declaration of an XML file, or a guess.
 *
 * Valid UTF-8 with non-ASCII characters counts as UTF-8 even if the page declares another encoding: files sent as text
 * are stored as UTF-8, and text in another encoding is rarely valid UTF-8 by accident. For any other page, a byte order
 * mark or a declaration decides, as in browsers.
 */
export function charsetOf(bytes: Uint8Array, type: string): string | undefined {
  const text = isText(bytes);
  if (text && !isAscii(bytes)) return 'utf-8';
  const declared = type === 'text/html' ? declaredCharset(bytes) : undefined;
  return declared ?? (text && !bytes.includes(ESCAPE) ? 'utf-8' : undefined);
}

/**
 * Decodes a page as a browser does, except for rare characters that Node's EUC-KR and Big5 lack. A string is one that will
 * be stored as UTF-8: browsers may read even that in another encoding.
 */
export function decodeHtml(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return new TextDecoder(charsetOf(bytes, 'text/html') ?? DEFAULT).decode(bytes);
}

/** Searches the whole page: browsers accept a declaration beyond the first 1,024 bytes and reload the page. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const name = sniffEncoding(bytes, { maxPrescanBytes: Number.POSITIVE_INFINITY, defaultEncoding: null });
  return name === null || name === REFUSED ? undefined : name.toLowerCase();
}

/** Text decoded from bytes such that its unchanged parts encode to the same bytes. */
interface LosslessText {
  readonly text: string;
  /** Returns the bytes of the text after insertions of ASCII. */
  encode(edited: string): Uint8Array;
  /** Returns a part of the text in Unicode, since its characters may each stand for a byte. */
  decode(part: string): string;
}

/**
 * Returns bytes as text in which markup can be found and edited, or undefined if the encoding does not allow that.
 * Node can encode UTF-8 and UTF-16 only. In all other supported encodings the bytes of `<`, `>`, `"`, `'`, `&`, `=` and
 * `/` have no other meaning, so each byte becomes a character.
 * @param charset as returned by `charsetOf`
 */
export function losslessText(bytes: Uint8Array, charset: string | undefined): LosslessText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decode = (part: string) => part;
  if (charset === 'utf-16le' || charset === 'utf-16be') {
    if (bytes.length % 2 === 1) return undefined;
    const swap = (units: Buffer) => (charset === 'utf-16be' ? Buffer.from(units).swap16() : units);
    const text = swap(buffer).toString('utf16le');
    return { text, decode, encode: (edited) => swap(Buffer.from(edited, 'utf16le')) };
  }
  // Its escape sequences give the bytes of ASCII other meanings.
  if (charset === 'iso-2022-jp') return undefined;
  if (isUtf8(bytes)) return { text: buffer.toString(), decode, encode: (edited) => Buffer.from(edited) };
  const decoder = new TextDecoder(charset ?? 'windows-1252');
  return {
    text: buffer.toString('latin1'),
    decode: (part) => decoder.decode(Buffer.from(part, 'latin1')),
    encode: (edited) => Buffer.from(edited, 'latin1'),
  };
}
