import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiMiddleware } from './pipeline.ts';
import { type ApiRequest, type ApiResponse, toApiRequest } from './request.ts';

/**
 * Translates at the edge: API Gateway's proxy event into an `ApiRequest`, an `ApiResponse` into what the
 * integration expects. A streamed body goes out as bytes: middy cuts a string body every 16,384 UTF-16 units,
 * which breaks a character that stands on the cut.
 */
export function proxyEvent(streaming: boolean): ApiMiddleware {
  const encode = ({ statusCode, headers, body }: ApiResponse) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    return {
      statusCode,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: streaming ? Readable.from(text === '' ? [] : [Buffer.from(text)]) : text,
    } as ApiResponse;
  };
  return {
    before: (handling) => {
      handling.event = toApiRequest(handling.event as unknown as APIGatewayProxyEvent) as ApiRequest;
    },
    after: (handling) => {
      handling.response = handling.response ? encode(handling.response) : handling.response;
    },
    onError: (handling) => {
      handling.response = handling.response ? encode(handling.response) : handling.response;
    },
  };
}
