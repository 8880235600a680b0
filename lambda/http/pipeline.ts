import middy, { type Request } from '@middy/core';
import { executionModeStreamifyResponse as executionMode } from '@middy/core/StreamifyResponse';
import type { Callers } from '../access/callers.ts';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { UsageStore } from '../access/usage-store.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { accessLog } from './access-log.ts';
import { admit } from './admit.ts';
import { errorMapper } from './error-mapper.ts';
import type { PipelineState } from './middleware.ts';
import { proxyEvent } from './proxy-event.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { responseHeaders } from './response-headers.ts';
import { type Route, router } from './router.ts';
import { recordUsage } from './usage.ts';

/** Dependencies of every API handler. */
export interface ApiPorts {
  readonly callers: Callers;
  readonly limiter: RateLimiter;
  readonly usage: UsageStore;
  readonly clock: Clock;
}

export interface ApiOptions {
  /** The error for an unreachable table or bucket. */
  readonly unreachable: ErrorCode;
}

/**
 * Creates an API handler. Middlewares run from top to bottom before the route and from bottom to top after it, also
 * after an error. Responses are streamed: a stream may begin after API Gateway's 29 s, and the invocation continues
 * after it has been sent.
 */
export function apiHandler(routes: readonly Route[], ports: ApiPorts, options: ApiOptions) {
  const { clock, usage } = ports;
  const requestEnd = ({ event, response, internal }: Request) =>
    recordUsage(event as ApiRequest, response, (internal as PipelineState).amounts, usage, clock); // after the response has been sent
  return middy<ApiRequest, ApiResponse>({ executionMode, requestEnd })
    .use(proxyEvent()) //                           from API Gateway's event to an ApiRequest, and back
    .use(accessLog(ports.clock)) //                 a structured line per request
    .use(responseHeaders()) //                      CORS, request id, rate limit, nosniff
    .use(errorMapper(options.unreachable)) //       errors thrown below become responses
    .use(admit(ports.callers, ports.limiter)) //    authentication and rate limit, before the body is parsed
    .handler(router(routes));
}
