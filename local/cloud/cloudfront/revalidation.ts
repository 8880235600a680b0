import { type HeaderList, type HttpRequest, header, withoutHeaders } from '../http.ts';
import type { Entry } from './cache.ts';

/** Returns the fields that make a request conditional on a stored response; none without ETag and Last-Modified. */
export function conditions({ headers }: Entry): HeaderList {
  const etag = header(headers, 'etag');
  const modified = header(headers, 'last-modified');
  return [
    ...(etag === undefined ? [] : [['If-None-Match', etag] as const]),
    ...(modified === undefined ? [] : [['If-Modified-Since', modified] as const]),
  ];
}

/** Returns the request with the conditions of the stored response, if it has any, in place of the viewer's. */
export function revalidation(request: HttpRequest, stored: Entry): HttpRequest {
  const fields = conditions(stored);
  if (fields.length === 0) return request;
  const headers = withoutHeaders(request.headers, ['if-none-match', 'if-modified-since']);
  return { ...request, headers: [...headers, ...fields] };
}
