import type { RateLimiter } from '../access/rate-limiter.ts';
import { ApiError } from '../contract/errors.ts';
import { RATE_LIMIT_DOCS } from '../contract/limits.ts';
import type { ApiMiddleware } from './pipeline.ts';
import type { ApiRequest } from './request.ts';

const COUNTED = new Set(['POST', 'PATCH', 'DELETE', 'PUT']);

/**
 * Counts the request for its caller, whatever becomes of it, and refuses it over the limit. Reads do not
 * count; they are told what is left.
 */
export function rateLimit(limiter: RateLimiter): ApiMiddleware {
  return {
    before: async ({ event }) => {
      if (event.method === 'OPTIONS' || !event.caller) return;
      const { id, limit } = event.caller;
      event.quota = counts(event) ? await limiter.count(id, limit) : await limiter.peek(id, limit);
      if (counts(event) && !event.quota.allowed)
        throw tooMany(event.quota.secondsLeft, event.quota.windowSeconds, limit);
      if (event.refusal) throw event.refusal;
    },
  };
}

/** Guessing keys costs what calling costs, whatever the method. */
function counts(request: ApiRequest): boolean {
  return COUNTED.has(request.method) || request.refusal !== undefined;
}

function tooMany(retryAfter: number, windowSeconds: number, limit: number): ApiError {
  return new ApiError(
    'rate_limited',
    `Rate limit exceeded: more than ${limit} requests in ${windowSeconds} seconds. Try again in ${retryAfter} s`,
    { headers: { 'Retry-After': String(retryAfter) }, body: { retryAfter, docs: RATE_LIMIT_DOCS } },
  );
}
