import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Caller } from '../access/callers.ts';
import type { Quota } from '../access/quota.ts';

/**
 * A request as the pipeline sees it: made from API Gateway's event by the first middleware, then filled in
 * by the ones that follow.
 */
export interface ApiRequest {
  readonly id: string;
  readonly method: string;
  /** Without the stage. */
  readonly path: string;
  /** Name of API Gateway's stage: the first segment of a path at its own address. */
  readonly stage: string;
  /** Names in lower case; of a header that was sent more than once, the last value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of a parameter that was sent more than once, the last value. */
  readonly query: Readonly<Record<string, string>>;
  /** The body's bytes as they were sent; decoded from base64 only when a route reads them. */
  readonly rawBody: () => Buffer;
  /** The address that API Gateway saw; behind CloudFront that is CloudFront's. */
  readonly sourceIp: string;
  /** Unix milliseconds when the request arrived. */
  readonly receivedAt: number;
  caller?: Caller;
  /** What the caller has left of its rate limit, once it is known. */
  quota?: Quota;
}

export interface Amounts {
  readonly files?: number;
  readonly bytes?: number;
}

/** What a route answers: JSON when there is a body, text as it comes when there is a stream, nothing otherwise. */
export interface ApiResponse {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly stream?: AsyncIterable<string>;
  /** Counted for the caller's usage; not sent. */
  readonly amounts?: Amounts;
}

/** API Gateway's Lambda proxy event (payload format 1.0) as an `ApiRequest`. */
export function toApiRequest(event: APIGatewayProxyEvent): ApiRequest {
  return {
    id: event.requestContext.requestId,
    method: event.httpMethod,
    path: event.path,
    stage: event.requestContext.stage,
    headers: Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? '']),
    ),
    query: Object.fromEntries(
      Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, value ?? '']),
    ),
    rawBody: () => Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
    sourceIp: event.requestContext.identity.sourceIp,
    receivedAt: event.requestContext.requestTimeEpoch,
  };
}
