import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../platform/accept-headers.ts';

/** The representation of a path (RFC 9110, 3.2). */
export interface Representation {
  readonly body: Uint8Array;
  readonly etag: string;
  /** The fields that describe the body: Content-Type, and Content-Encoding with its Vary. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The most bytes to decode for one response: in base64 they fill the 6 MB of a buffered Lambda response. */
const MAX_DECODED_BYTES = 4 * 1_048_576;

/** @param gzipped whether the body is a gzip file that stands for its content, such as `.svgz` */
export function representation(contentType: string, body: Uint8Array, gzipped = false): Representation {
  const coding = gzipped ? { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' } : {};
  return { body, etag: entityTag(body), headers: { 'Content-Type': contentType, ...coding } };
}

/**
 * Returns the representation for an Accept-Encoding header: without its gzip coding unless the header accepts gzip. A body that
 * is not valid gzip, or too large when decoded, is sent unchanged.
 */
export function negotiate(stored: Representation, acceptEncoding: string | undefined): Representation {
  const { 'Content-Encoding': coding, ...headers } = stored.headers;
  if (coding === undefined || acceptsGzip(acceptEncoding)) return stored;
  try {
    const body = gunzipSync(stored.body, { maxOutputLength: MAX_DECODED_BYTES });
    return { body, etag: entityTag(body), headers };
  } catch {
    return stored;
  }
}

/** Returns whether the bytes begin with a gzip header (RFC 1952, 2.3.1). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** Returns a strong entity tag, which is equal for equal bytes of any version. */
function entityTag(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
