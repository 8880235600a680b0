import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { ErrorCode } from '../contract/errors.ts';
import { accessLog, recordUsage } from './access-log.ts';
import { admit, door, refuseClosed } from './admission.ts';
import type { ApiAccess } from './api-access.ts';
import { type ErrorPage, errorMapper, errorPages } from './error-responses.ts';
import { bufferedBody, proxyEvent, streamedBody } from './proxy-event.ts';
import type { ApiRequest, ApiResponse, PipelineState } from './request.ts';
import { responseHeaders } from './response-headers.ts';
import { type Route, routeFinder, router } from './router.ts';

export interface ApiOptions {
  /** The error for an unreachable table or bucket. */
  readonly unreachable: ErrorCode;
  /** Streams responses: they may begin after API Gateway's 29 s and exceed Lambda's 6 MB. By default, they are buffered. */
  readonly streams?: boolean;
  /** Returns the page for a person whose request failed. By default, errors are JSON. */
  readonly errorPage?: ErrorPage;
}

/**
 * Creates an API handler. Middlewares run from top to bottom before the route and from bottom to top after it, also
 * after an error. Usage is recorded before the end of the response.
 */
export function apiHandler(routes: readonly Route[], access: ApiAccess, options: ApiOptions) {
  const { clock, usage, closures } = access;
  const { unreachable, streams = false, errorPage } = options;
  const routeOf = routeFinder(routes);
  const finish: Parameters<typeof proxyEvent>[1] = (event, response) =>
    recordUsage(event, response, usage, clock);
  return middy<ApiRequest, ApiResponse>({
    ...(streams ? { executionMode: executionModeStreamifyResponse } : {}),
    // For a stream that broke off.
    requestEnd: ({ internal }) => (internal as PipelineState).finish?.(),
  })
    .use(proxyEvent(streams ? streamedBody : bufferedBody, finish)) // finds the operation of API Gateway's event
    .use(accessLog(clock)) //         a structured line per request
    .use(responseHeaders()) //        CORS, request id, rate limit, nosniff
    .use(errorPages(errorPage)) //    and these become pages where people see them
    .use(errorMapper(unreachable)) // errors thrown below become responses
    .use(door(access)) //             requests come through the distribution
    .use(refuseClosed(closures)) //   what the operator closed
    .use(admit(access, (request) => routeOf(request)?.bytesOf?.(request) ?? 0)) // identity and limits, before the body
    .handler(router(routes));
}
