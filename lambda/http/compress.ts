import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsGzip } from '../platform/accepts-gzip.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

const pack = promisify(gzip);

/** Shorter bodies gain less time than their compression takes. */
const MIN_BYTES = 10_240;

/** A body with the headers that describe its coding. */
export interface CodedBody {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the JSON of a response, with gzip if it is large and the client accepts it. CloudFront compresses only what it may
 * cache, which excludes the API. A response with an entity tag is not compressed: the tag is a version to send in If-Match, which
 * matches strong tags only, and a strong tag must differ by coding (RFC 9110, 8.8.3.3).
 */
export async function codedBody(
  { headers: sent }: Pick<ApiRequest, 'headers'>,
  { body, headers = {} }: Pick<ApiResponse, 'body' | 'headers'>,
): Promise<CodedBody> {
  const bytes = Buffer.from(JSON.stringify(body));
  if (bytes.length <= MIN_BYTES || headers.ETag !== undefined) return { bytes, headers: {} };
  const vary = { Vary: 'Accept-Encoding' };
  if (!acceptsGzip(sent['accept-encoding'])) return { bytes, headers: vary };
  return { bytes: await pack(bytes), headers: { ...vary, 'Content-Encoding': 'gzip' } };
}
