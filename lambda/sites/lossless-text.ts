import { isUtf8 } from 'node:buffer';

/** Text decoded from bytes such that its unchanged parts encode to the same bytes. */
export interface LosslessText {
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
