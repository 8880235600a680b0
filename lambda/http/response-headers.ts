import type { Quota } from '../access/rate-limiter.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS, rateLimitPolicy } from '../contract/headers.ts';
import type { ApiMiddleware } from './request.ts';

/** The API is public: pages of any origin may call it and read its headers (Fetch standard, CORS protocol). */
const COMMON = {
  'Access-Control-Allow-Origin': '*',
  // API Gateway renames one header of a function's response.
  'Access-Control-Expose-Headers': [...RESPONSE_HEADERS, 'x-amzn-Remapped-WWW-Authenticate'].join(', '),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

const ALLOWED_HEADERS = ['Authorization', 'Content-Type', 'X-API-Key', ...REQUEST_HEADERS];

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': ALLOWED_HEADERS.join(', '),
  // Chromium's maximum: two hours.
  'Access-Control-Max-Age': '7200',
};

/** Adds the headers of every response, errors included. */
export function responseHeaders(): ApiMiddleware {
  const add: ApiMiddleware['after'] = (handling) => {
    const { event, response } = handling;
    if (!response) return;
    handling.response = {
      ...response,
      headers: {
        ...COMMON,
        'X-Request-Id': event.id,
        ...(event.method === 'OPTIONS' ? PREFLIGHT : {}),
        ...(event.quota ? rateLimitHeaders(event.quota) : {}),
        ...response.headers,
      },
    };
  };
  return { after: add, onError: add };
}

/**
 * Returns the contract's three headers and those of draft-ietf-httpapi-ratelimit-headers-10. `X-RateLimit-Reset` is
 * Unix time in seconds, rounded up, so that the window has ended by then.
 */
export function rateLimitHeaders(quota: Quota): Record<string, string> {
  const { limit, remaining, resetAt, secondsLeft, windowSeconds } = quota;
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'RateLimit-Policy': rateLimitPolicy(limit, windowSeconds),
    RateLimit: `"default";r=${remaining};t=${secondsLeft}`,
  };
}
