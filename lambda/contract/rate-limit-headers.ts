/** The header fields that tell a caller what is left of its rate limit. */
export const RATE_LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;

/** `RateLimit-Policy` of a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitPolicy(limit: number, windowSeconds: number): string {
  return `"default";q=${limit};w=${windowSeconds}`;
}

/** The key of a header field in the context of an authorizer, where names have no hyphens. */
export function contextKey(header: string): string {
  return header.replaceAll('-', '');
}
