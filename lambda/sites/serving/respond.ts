import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../../platform/accept-headers.ts';
import { HTML } from '../../platform/html.ts';

/**
 * The Cache-Control of a response whose copy nobody else may get: after an error of the origin, CloudFront serves its last copy of any
 * other response, even of one with `no-store`.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
 */
export const NEVER_STALE = 'no-store, stale-if-error=0';

/** Returns a page of the service as a representation. */
export function page(html: string): Representation {
  return representation(HTML, Buffer.from(html));
}

/** Responds with a representation, or with the part or the 304 that the conditions ask for. */
export function respond(
  status: number,
  { headers: described, etag, body }: Representation,
  conditions: Conditions,
): SiteResponse {
  const headers: Record<string, string> = { ...described, ETag: etag, 'Accept-Ranges': 'bytes' };
  if (isNotModified(conditions, etag)) return { status: 304, headers, body: new Uint8Array() };
  const range = byteRange(conditions, etag, body.length);
  if (range === undefined) return { status, headers, body };
  if (range === 'unsatisfiable') {
    const { 'Content-Encoding': _, ...rest } = headers;
    return {
      status: 416,
      headers: { ...rest, 'Content-Range': `bytes */${body.length}` },
      body: new Uint8Array(),
    };
  }
  const { first, last } = range;
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${first}-${last}/${body.length}` },
    body: body.subarray(first, last + 1),
  };
}

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

/** The headers of a conditional or range request. */
export interface Conditions {
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** Returns whether `If-None-Match` lists the entity tag or is `*`; the comparison is weak (RFC 9110, 13.1.2). */
export function isNotModified({ ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * Returns the requested byte range, both ends included (RFC 9110, 14), or undefined for the whole body: without a
 * range, with a malformed one or several, and if `If-Range` names another representation.
 */
function byteRange(
  { range, ifRange }: Conditions,
  etag: string,
  length: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (ifRange !== undefined && ifRange.trim() !== etag) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  return first <= last ? { first, last } : 'unsatisfiable';
}

/** The response to a visit. */
export interface SiteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Absent if nothing of a site was served: a redirect, or a notice in its place. */
  readonly served?: Served;
}

/** The part of a site that was served. */
interface Served {
  /** The path of the request, decoded, relative to the site. */
  readonly path: string;
  /** Whether the path names a page of the site: otherwise a fallback responded, as it does for any path. */
  readonly isFile: boolean;
}

/** The query is not part of the edge's cache key, so a copy would be another visitor's, which `no-store` allows after errors. */
export const BY_QUERY = { 'Cache-Control': NEVER_STALE };

/** Returns a redirect, by default a 308, which keeps the method. Not cached: it depends on the query. */
export function redirect(location: string, rawQuery: string, status = 308): SiteResponse {
  const target = rawQuery === '' ? location : `${location}?${rawQuery}`;
  const caching = target.includes('?') ? BY_QUERY : { 'Cache-Control': 'no-store' };
  return { status, headers: { Location: target, ...caching }, body: new Uint8Array() };
}
