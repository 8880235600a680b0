import middy from '@middy/core';
import { executionModeStreamifyResponse } from '@middy/core/StreamifyResponse';
import type { Quota } from '../access/rate-limiter.ts';
import type { UsageStore } from '../access/usage-store.ts';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS, rateLimitPolicy } from '../contract/headers.ts';
import type { Clock } from '../platform/clock.ts';
import { addToLog, emitMetrics, invocationCost, log, logAbout } from '../platform/log.ts';
import { admit, door, refuseClosed } from './admission.ts';
import type { ApiAccess } from './api-access.ts';
import { type ErrorPage, errorMapper } from './error-responses.ts';
import { bufferedBody, proxyEvent, streamedBody } from './proxy-event.ts';
import type { ApiMiddleware, ApiRequest, ApiResponse, PipelineState } from './request.ts';
import { type Route, routeFinder, router } from './router.ts';

interface ApiOptions {
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
  const finish: Parameters<typeof proxyEvent>[1] = (event, response) => recordUsage(event, response, usage, clock);
  return middy<ApiRequest, ApiResponse>({
    ...(streams ? { executionMode: executionModeStreamifyResponse } : {}),
    // For a stream that broke off.
    requestEnd: ({ internal }) => (internal as PipelineState).finish?.(),
  })
    .use(proxyEvent(streams ? streamedBody : bufferedBody, finish)) // finds the operation of API Gateway's event
    .use(accessLog(clock)) //         a structured line per request
    .use(responseHeaders()) //        CORS, request id, rate limit, nosniff
    .use(errorMapper(unreachable, errorPage)) // errors thrown below become responses
    .use(door(access)) //             requests come through the distribution
    .use(refuseClosed(closures)) //   what the operator closed
    .use(admit(access, (request) => routeOf(request)?.bytesOf?.(request) ?? 0)) // identity and limits, before the body
    .handler(router(routes));
}

const SUBJECT = /^\/api\/v1\/(generation|deployment)s\/([^/]+)/;

/** Writes one line per request, without headers, bodies or credentials, and counts requests that exceed a rate limit. */
export function accessLog(clock: Clock): ApiMiddleware {
  const write: ApiMiddleware['after'] = ({ event, response }) => {
    const { target, method, path, caller, receivedAt } = event;
    const status = response?.statusCode;
    log.info('request', {
      operation: target?.name,
      method,
      path,
      status,
      ms: clock() - receivedAt,
      caller: caller?.id,
      kind: caller && (caller.credential?.kind ?? 'anonymous'),
      ...invocationCost(),
    });
    if (status === ERRORS.rate_limited.status) emitMetrics('Count', { Limited: 1 });
  };
  return {
    before: ({ event }) => {
      logAbout({ requestId: event.id });
      const [, name, id] = SUBJECT.exec(event.path) ?? [];
      if (name !== undefined) addToLog({ [name]: id });
    },
    after: write,
    onError: write,
  };
}

/**
 * Records the usage of a request. Called before the response ends, because Lambda may freeze the function after it.
 * Rate-limited requests are not recorded, to save the write. Errors are only logged.
 */
async function recordUsage(
  request: ApiRequest,
  response: Pick<ApiResponse, 'statusCode' | 'amounts'>,
  usage: Pick<UsageStore, 'record'>,
  clock: Clock,
): Promise<void> {
  const { caller, receivedAt, target } = request;
  const operation = target?.name;
  const { statusCode: status, amounts } = response;
  if (!caller?.credential || operation === undefined || status === ERRORS.rate_limited.status) return;
  const at = clock();
  await usage
    .record({ caller: caller.id, operation, at, status, ms: at - receivedAt, ...amounts })
    .catch((error: unknown) => log.error('usage not recorded', { caller: caller.id, operation, error }));
}

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
