import { isUtf8 } from 'node:buffer';
import { lookup } from 'mrmime';

/** Names whose type in the table is seldom meant here, when the bytes are text: `.ts` is TypeScript, not MPEG. */
const MISTAKEN = new Set(['video/mp2t']);

/**
 * The type of a file, by its name and, for a name that no table knows, by whether it is text. Text that is not UTF-8
 * gets no charset: the page itself may name it.
 */
export function mediaType(path: string, bytes: Uint8Array): string {
  const known = lookup(path);
  const type = known === undefined || MISTAKEN.has(known) ? guess(bytes, known) : known;
  return /^text\/|[/+](json|xml|javascript)$/.test(type) && isText(bytes) ? `${type}; charset=utf-8` : type;
}

/** Bytes that are UTF-8, without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function guess(bytes: Uint8Array, known = 'application/octet-stream'): string {
  return isText(bytes) ? 'text/plain' : known;
}
