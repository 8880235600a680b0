/** A file to deploy. Bytes that are UTF-8 are sent as text, others in base64. */
export interface DeployFile {
  /** Relative, with `/` as the separator. */
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Encoding of `content`, if that is a string: `base64` for a file that is not text. Default: `utf-8`. */
  readonly encoding?: 'utf-8' | 'base64' | undefined;
}

/** A file as the service takes it. @internal */
export type SentFile = DeployFile & { readonly content: string };

/** Below this, a request fits into one packet anyway. */
const WORTH_BYTES = 1_400;

/** A multiple of 3, so that the parts can be joined, and few enough arguments for a call. */
const PART_BYTES = 3 * 8_192;

/** Whether the platform has hashes: browsers do not for pages from `http:`, except on localhost. @internal */
export const canHash = () => globalThis.crypto.subtle !== undefined;

/** Returns the SHA-256 of each file's bytes, in lower-case hexadecimal digits. */
export function hashes(files: readonly DeployFile[]): Promise<string[]> {
  return Promise.all(files.map(async (file) => hex(await crypto.subtle.digest('SHA-256', bytesOf(file)))));
}

/** Returns a file as the service takes it. @internal */
export function withContent({ path, content, encoding }: DeployFile): SentFile {
  if (typeof content === 'string') return { path, content, encoding };
  try {
    // A byte order mark is part of the content.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { path, content: decoder.decode(content) };
  } catch {
    return { path, content: base64(content), encoding: 'base64' };
  }
}

/** Returns a JSON body and its headers: with gzip where that is smaller. @internal */
export async function packJson(value: unknown): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  if (body.length < WORTH_BYTES || typeof CompressionStream === 'undefined') return { body, headers: {} };
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
  if (compressed.length >= body.length) return { body, headers: {} };
  return { body: compressed, headers: { 'content-encoding': 'gzip' } };
}

/** Returns a random idempotency key. Browsers have `randomUUID` for `https:` only. @internal */
export function newKey(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

function bytesOf({ content, encoding }: DeployFile): Uint8Array<ArrayBuffer> {
  if (typeof content !== 'string') return content as Uint8Array<ArrayBuffer>;
  try {
    if (encoding === 'base64') return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  } catch {
    // Not base64: hashed as it is, and the service rejects it with an explanation.
  }
  return new TextEncoder().encode(content);
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + PART_BYTES)));
  return text;
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
