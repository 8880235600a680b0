import { HTML } from '../../platform/html.ts';
import { byteRange, type Conditions, isNotModified } from './conditions.ts';
import { type Representation, representation } from './representation.ts';
import type { SiteResponse } from './site-response.ts';

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
