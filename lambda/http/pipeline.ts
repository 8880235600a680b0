import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { UsageStore } from '../access/usage-store.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { accessLog, recordUsage } from './access-log.ts';
import { type AdmitPorts, admit, type BytesOf, type DoorPorts, door, refuseClosed } from './admission.ts';
import { type ErrorPage, errorMapper, errorPages } from './error-responses.ts';
import { bufferedBody, proxyEvent, streamedBody } from './proxy-event.ts';
import type { ApiRequest, ApiResponse, PipelineState } from './request.ts';
import { responseHeaders } from './response-headers.ts';
import { type Route, router } from './router.ts';

/** Dependencies of every API handler. */
export interface ApiPorts extends AdmitPorts, DoorPorts {
  readonly usage: UsageStore;
}

export interface ApiOptions {
  /** The error for an unreachable table or bucket. */
  readonly unreachable: ErrorCode;
  /** Streams responses: they may begin after API Gateway's 29 s and exceed Lambda's 6 MB. By default, they are buffered. */
  readonly streams?: boolean;
  /** How many bytes a request is going to store. By default, none. */
  readonly bytesOf?: BytesOf;
  /** Returns the page for a person whose request failed. By default, errors are JSON. */
  readonly errorPage?: ErrorPage;
}

/**
 * Creates an API handler. Middlewares run from top to bottom before the route and from bottom to top after it, also
 * after an error. Usage is recorded before the end of the response.
 */
export function apiHandler(routes: readonly Route[], ports: ApiPorts, options: ApiOptions) {
  const { clock, usage } = ports;
  const { unreachable, streams = false, bytesOf, errorPage } = options;
  const finish: Parameters<typeof proxyEvent>[1] = (event, response) =>
    recordUsage(event, response, usage, clock);
  return middy<ApiRequest, ApiResponse>({
    ...(streams ? { executionMode: executionModeStreamifyResponse } : {}),
    // For a stream that broke off.
    requestEnd: ({ internal }) => (internal as PipelineState).finish?.(),
  })
    .use(proxyEvent(streams ? streamedBody : bufferedBody, finish)) // from API Gateway's event to an ApiRequest, and back
    .use(accessLog(clock)) //             a structured line per request
    .use(responseHeaders()) //            CORS, request id, rate limit, nosniff
    .use(errorPages(errorPage)) //        and these become pages where people see them
    .use(errorMapper(unreachable)) //     errors thrown below become responses
    .use(door(ports)) //                  requests come through the distribution
    .use(refuseClosed(ports.closures)) // what the operator closed
    .use(admit(ports, bytesOf)) //        authentication and limits, before the body is parsed
    .handler(router(routes));
}
