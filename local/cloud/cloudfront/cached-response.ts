import { PassThrough } from 'node:stream';
import {
  collect,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  withHeaders,
  withoutHeaders,
} from '../http.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import type { Entry } from './cache.ts';

/** Returns the response from a cached entry: 304 when the viewer has it, 206 or 416 for a range. */
export function fromCache(entry: Entry, request: HttpRequest, xCache: string): HttpResponse {
  const { status, body } = entry;
  const age = String(Math.floor((Date.now() - entry.storedAt) / 1000));
  const headers = withHeaders(entry.headers, [
    ['Age', age],
    ['X-Cache', xCache],
  ]);
  const whole = { status, headers, body, servedBy: 'cache' };
  if (status !== 200) return whole;
  if (viewerHas(entry, request)) {
    return {
      ...whole,
      status: 304,
      headers: withoutHeaders(headers, ['content-length', 'content-type']),
      body: Buffer.alloc(0),
    };
  }
  const range = wantedRange(entry, request);
  if (range === undefined) return whole;
  if (range === 'unsatisfiable') {
    const headers: HeaderList = [['Content-Range', `bytes */${body.length}`]];
    return { ...whole, status: 416, headers, body: Buffer.alloc(0) };
  }
  const { first, last } = range;
  const part = body.subarray(first, last + 1);
  const fields: HeaderList = [
    ['Content-Range', `bytes ${first}-${last}/${body.length}`],
    ['Content-Length', String(part.length)],
  ];
  return { ...whole, status: 206, headers: withHeaders(headers, fields), body: part };
}

/** Evaluates the viewer's conditions (RFC 9110, 13.2.2). */
function viewerHas(entry: Entry, request: HttpRequest): boolean {
  const etag = header(entry.headers, 'etag');
  const wanted = header(request.headers, 'if-none-match')?.split(/\s*,\s*/);
  if (wanted === undefined) {
    const modified = Date.parse(header(entry.headers, 'last-modified') ?? '');
    return modified <= Date.parse(header(request.headers, 'if-modified-since') ?? '');
  }
  return etag !== undefined && wanted.some((one) => one === '*' || weak(one) === weak(etag));
}

/** Returns the range of a GET (RFC 9110, 14.2), unless `If-Range` names another strong ETag. */
function wantedRange(entry: Entry, request: HttpRequest): ByteRange | undefined {
  const range = header(request.headers, 'range');
  if (range === undefined || request.method !== 'GET') return undefined;
  const condition = header(request.headers, 'if-range');
  const holds = condition === header(entry.headers, 'etag') && condition?.startsWith('"');
  return condition === undefined || holds ? parseByteRange(range, entry.body.length) : undefined;
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** Returns the response, and calls `done` with its complete body, or with undefined if it fails. */
export function keepWhileSending(
  response: HttpResponse,
  done: (body: Buffer | undefined) => void,
): HttpResponse {
  const { body } = response;
  if (Buffer.isBuffer(body)) {
    done(body);
    return response;
  }
  const out = new PassThrough();
  const copy = new PassThrough();
  body.once('error', (error) => {
    out.destroy(error);
    copy.destroy(error);
  });
  body.pipe(out);
  body.pipe(copy);
  // If the viewer disconnects, the response is still cached.
  out.once('close', () => body.unpipe(out));
  collect(copy).then(done, () => done(undefined));
  return { ...response, body: out };
}
