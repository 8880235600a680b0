/** Header fields with the caller's remaining quota. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;

/** Returns the `RateLimit-Policy` header of a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitPolicy(limit: number, windowSeconds: number): string {
  return `"default";q=${limit};w=${windowSeconds}`;
}

/** Returns the key of a header field in an authorizer's context, where hyphens are not allowed. */
export function contextKey(header: string): string {
  return header.replaceAll('-', '');
}

/** Request headers that operations read, besides credentials and the type of a body. */
export const REQUEST_HEADERS = [
  'Accept',
  'Content-Encoding',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Deployment-Token',
] as const;

export type RequestHeader = (typeof REQUEST_HEADERS)[number];

/** Response headers with a meaning for callers; pages of other origins may read them. */
export const RESPONSE_HEADERS = [
  'Accept-Encoding',
  'Allow',
  'ETag',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  ...RATE_LIMIT_HEADERS,
  'X-Deployment-Expires',
  'X-Deployment-Token',
  'X-Deployment-Warning',
  'X-Generation-Id',
  'X-Generation-Look',
  'X-Generation-Matched',
  'X-Generation-Status',
  'X-Request-Id',
] as const;

/** Says what visitors will see if that is not what the files are meant for. */
export const WARNING_HEADER = 'X-Deployment-Warning';

export type ResponseHeader = (typeof RESPONSE_HEADERS)[number];

/** Headers that a handler sets. */
export type ResponseHeaders = {
  readonly [Name in ResponseHeader | 'Cache-Control' | 'Content-Security-Policy' | 'Content-Type']?: string;
};
