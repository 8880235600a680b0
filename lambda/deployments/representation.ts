import { createHash } from 'node:crypto';

/** What is sent for a path (RFC 9110, 3.2). */
export interface Representation {
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly etag: string;
}

/** A strong entity tag: equal for equal bytes, whatever the version. */
export function entityTag(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}
