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

/** What every API handler needs from outside. */
export interface ApiPorts {
  readonly callers: Callers;
  readonly limiter: RateLimiter;
  readonly usage: UsageStore;
  readonly clock: Clock;
}

export interface ApiOptions {
  /** The error a caller sees when a table or bucket cannot be reached. */
  readonly unreachable: ErrorCode;
}

/**
 * The pipeline that every API handler is: the whole way of a request in one chain. Middlewares run down the
 * list before the routes and up the list after them, also when something throws. The answer goes out over a response
 * stream, which may begin later than after 29 s, and leaves time for what nobody has to wait for.
 */
export function apiHandler(routes: readonly Route[], ports: ApiPorts, options: ApiOptions) {
  const { clock, usage } = ports;
  const requestEnd = ({ event, response, internal }: Request) =>
    recordUsage(event as ApiRequest, response, (internal as PipelineState).amounts, usage, clock); // when the response has gone out
  return middy<ApiRequest, ApiResponse>({ executionMode, requestEnd })
    .use(proxyEvent()) //                           API Gateway's event becomes an ApiRequest, the answer its response
    .use(accessLog(ports.clock)) //                 one structured line per request
    .use(responseHeaders()) //                      CORS, request id, rate limit, nosniff
    .use(errorMapper(options.unreachable)) //       from here on every failure has a status and { error }
    .use(admit(ports.callers, ports.limiter)) //    who calls, and whether within the limit, before the body is read
    .handler(router(routes));
}
