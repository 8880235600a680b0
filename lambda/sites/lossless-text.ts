import { isUtf8 } from 'node:buffer';

/** Text that is made from bytes such that unchanged parts become the same bytes again. */
export interface LosslessText {
  readonly text: string;
  /** Returns the bytes of the text after edits that inserted ASCII. */
  encode(edited: string): Uint8Array;
  /** Returns the meaning of a part of the text, where characters stand for single bytes. */
  decode(part: string): string;
}

/**
 * Returns bytes as text in which markup can be found and edited, or undefined for an encoding in which it cannot. In
 * all other encodings of the web than UTF-8 and UTF-16, the bytes of `<`, `>`, `"`, `'`, `&`, `=` and `/` stand for
 * nothing else, so a character per byte will do; there is no encoder for them.
 * @param charset as `charsetOf` names it
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
  // It writes other characters with the bytes of ASCII.
  if (charset === 'iso-2022-jp') return undefined;
  if (isUtf8(bytes)) return { text: buffer.toString(), decode, encode: (edited) => Buffer.from(edited) };
  const decoder = new TextDecoder(charset ?? 'windows-1252');
  return {
    text: buffer.toString('latin1'),
    decode: (part) => decoder.decode(Buffer.from(part, 'latin1')),
    encode: (edited) => Buffer.from(edited, 'latin1'),
  };
}
