/** A file to deploy. Bytes are sent as text if they are UTF-8, and in base64 otherwise. */
export interface DeployFile {
  /** Relative, with `/` as the separator. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A file as the service takes it. */
export type SentFile =
  | { readonly path: string; readonly content: string; readonly encoding?: 'base64' }
  | { readonly path: string; readonly sha256: string };

/** Whether the platform can compute hashes: browsers do so for pages from https and localhost only. */
export const canHash = () => globalThis.crypto.subtle !== undefined;

/** Returns the SHA-256 of each file's bytes, as lower-case hexadecimal digits. */
export function hashes(files: readonly DeployFile[]): Promise<string[]> {
  return Promise.all(
    files.map(async ({ content }) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      return hex(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
    }),
  );
}

/** Returns a file with its content. */
export function withContent({ path, content }: DeployFile): SentFile {
  if (typeof content === 'string') return { path, content };
  try {
    // A byte order mark belongs to the content.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { path, content: decoder.decode(content) };
  } catch {
    return { path, content: base64(content), encoding: 'base64' };
  }
}

/** Below this, a request fits into one packet anyway. */
const WORTH_BYTES = 1_400;

/** Returns a JSON body, and its headers: with gzip where that is smaller. */
export async function packed(value: unknown): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  if (body.length < WORTH_BYTES || typeof CompressionStream === 'undefined') return { body, headers: {} };
  const stream = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
  if (compressed.length >= body.length) return { body, headers: {} };
  return { body: compressed, headers: { 'content-encoding': 'gzip' } };
}

/** Returns a random idempotency key. Unlike `randomUUID`, this works on pages from http, too. */
export function newKey(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

/** A multiple of 3, so that the parts can be joined, and few enough arguments for a call. */
const PART_BYTES = 3 * 8_192;

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PART_BYTES)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + PART_BYTES)));
  return text;
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
