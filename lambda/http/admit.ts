import type { Callers } from '../access/callers.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import { ApiError } from '../contract/errors.ts';
import { RATE_LIMIT_DOCS } from '../contract/limits.ts';
import { OPERATIONS, type Operation } from '../contract/operations.ts';
import type { ApiMiddleware } from './middleware.ts';
import { type ApiRequest, wantsEvents } from './request.ts';
import { operationOf } from './router.ts';

const COUNTED = new Set(['POST', 'PATCH', 'DELETE', 'PUT']);

/**
 * Identifies the caller and counts the request against its rate limit. Reads do not count, except for those with an effect or
 * that wait, but every response carries the remaining quota. A request with an invalid credential counts for the address, whatever its
 * method, to limit the guessing of keys.
 */
export function admit(callers: Callers, limiter: RateLimiter): ApiMiddleware {
  return {
    before: async ({ event }) => {
      // A CORS preflight has no credential and does not count.
      if (event.method === 'OPTIONS') return;
      const { caller, refusal } = await callers.identify(event);
      event.caller = caller;
      const { id, limit } = caller;
      const counts = refusal !== undefined || COUNTED.has(event.method) || hasEffect(event);
      event.quota = counts ? await limiter.count(id, limit) : await limiter.peek(id, limit);
      const { allowed, secondsLeft, windowSeconds } = event.quota;
      if (counts && !allowed) throw rateLimitError(secondsLeft, windowSeconds, limit);
      if (refusal) throw refusal;
    },
  };
}

function hasEffect(request: ApiRequest): boolean {
  const name = operationOf(request);
  const operation: Operation | undefined = name && OPERATIONS[name];
  return operation?.counts === 'always' || (operation?.counts === 'events' && wantsEvents(request));
}

function rateLimitError(retryAfter: number, windowSeconds: number, limit: number): ApiError {
  return new ApiError(
    'rate_limited',
    `Rate limit exceeded: more than ${limit} requests in ${windowSeconds} seconds. Try again in ${retryAfter} s`,
    { headers: { 'Retry-After': String(retryAfter) }, body: { retryAfter, docs: RATE_LIMIT_DOCS } },
  );
}
