import type { MiddlewareObj } from '@middy/core';
import type { Caller } from '../access/callers.ts';
import type { Quota } from '../access/rate-limiter.ts';
import { VIEWER_HOST_HEADER } from '../access/viewer-address.ts';
import type { ResponseHeaders } from '../contract/headers.ts';
import type { Operation, OperationName } from '../contract/operations.ts';
import { namesType } from '../platform/accept-headers.ts';

/** The operation of the contract that a request is for. */
export interface Target {
  readonly name: OperationName;
  readonly operation: Operation;
  /** Path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** A request in the pipeline: the first middleware creates it from API Gateway's event, the next ones complete it. */
export interface ApiRequest {
  /** API Gateway's extended request id; a client can set the other one with `x-amzn-RequestId`. */
  readonly id: string;
  readonly method: string;
  /** Without the stage. */
  readonly path: string;
  /** Undefined for an unknown path or method. */
  readonly target?: Target | undefined;
  /** API Gateway's stage: the first path segment of API Gateway's own URL. */
  readonly stage: string;
  /** Names in lower case; the last value of a repeated header. */
  readonly headers: Readonly<Record<string, string>>;
  /** The last value of a repeated parameter. */
  readonly query: Readonly<Record<string, string>>;
  /** Returns the body's bytes as sent; a function, since only some routes need them decoded from base64. */
  readonly rawBody: () => Buffer;
  /** The client address that API Gateway sees: CloudFront's, if the request came through it. */
  readonly sourceIp: string;
  /** Unix milliseconds when the request arrived, by the clock of the function. */
  readonly receivedAt: number;
  /** Whether it came through our distribution, once known. */
  throughDistribution?: boolean;
  caller?: Caller;
  /** The caller's remaining rate limit, once known. */
  quota?: Quota;
  /** The body once it is parsed: see `parsedBody`. */
  parsed?: Promise<unknown>;
}

/** Reports if the response is to be a stream of server-sent events. */
export function wantsEvents({ headers }: Pick<ApiRequest, 'headers'>): boolean {
  return namesType(headers.accept, 'text/event-stream');
}

interface Amounts {
  readonly files?: number;
  readonly bytes?: number;
}

/**
 * The response of a route: JSON with a `body`, text with a `stream`, a file with `bytes`, empty otherwise. Only a
 * function that streams may send a `stream`, and it must not send an empty response.
 */
export interface ApiResponse {
  readonly statusCode: number;
  readonly headers?: ResponseHeaders;
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string>;
  /** A body of the media type in `headers`. */
  readonly bytes?: Uint8Array;
  /** Recorded as the caller's usage; not sent. */
  readonly amounts?: Amounts;
}

/** State that middlewares share outside of request and response: middy's `internal`. */
export interface PipelineState {
  /** Does what remains to be done for the request, once. */
  finish?: () => Promise<void>;
}

export type ApiMiddleware = MiddlewareObj<ApiRequest, ApiResponse>;

/**
 * Returns the absolute URL of an API path (`/api/v1/…`) on the origin that `request` was sent to, because clients drop
 * `Authorization` when a redirect leads to another origin (Fetch standard, HTTP-redirect fetch).
 */
export type ApiUrl = (request: Pick<ApiRequest, 'headers' | 'stage' | 'throughDistribution'>, path: string) => string;

/** @param baseUrl URL of the distribution, without a trailing slash */
export function apiUrls(baseUrl: string): ApiUrl {
  return (request, path) => {
    if (request.throughDistribution) {
      const url = new URL(path, baseUrl);
      // The distribution also has its own domain name. CloudFront passes the host without a port.
      url.hostname = request.headers[VIEWER_HOST_HEADER] ?? url.hostname;
      return url.href;
    }
    // API Gateway's own URL. It routes by Host, so the header is its name; it serves HTTPS only.
    return `https://${request.headers.host}/${request.stage}${path}`;
  };
}
