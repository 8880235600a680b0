import { PassThrough } from 'node:stream';
import {
  collect,
  type HttpRequest,
  type HttpResponse,
  header,
  withHeaders,
  withoutHeaders,
} from '../http.ts';
import type { Entry } from './cache.ts';

/** The answer that a stored entry gives, 304 when the viewer has it already. */
export function fromCache(entry: Entry, request: HttpRequest, xCache: string): HttpResponse {
  const etag = header(entry.headers, 'etag');
  const wanted = header(request.headers, 'if-none-match')?.split(/\s*,\s*/) ?? [];
  const fresh = etag !== undefined && wanted.some((one) => one === '*' || weak(one) === weak(etag));
  const age = String(Math.floor((Date.now() - entry.storedAt) / 1000));
  const headers = withHeaders(entry.headers, [
    ['Age', age],
    ['X-Cache', xCache],
  ]);
  const common = { servedBy: 'cache' };
  if (fresh && entry.status === 200) {
    return {
      ...common,
      status: 304,
      headers: withoutHeaders(headers, ['content-length', 'content-type']),
      body: Buffer.alloc(0),
    };
  }
  return { ...common, status: entry.status, headers, body: entry.body };
}

function weak(etag: string): string {
  return etag.replace(/^W\//, '');
}

/** Passes the answer on and hands its body over once it is complete, or undefined if it broke off. */
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
  // A viewer that goes away does not stop what is meant for the next one.
  out.once('close', () => body.unpipe(out));
  collect(copy).then(done, () => done(undefined));
  return { ...response, body: out };
}
