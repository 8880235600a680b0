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
