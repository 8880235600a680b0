import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiMiddleware, PipelineState } from './middleware.ts';
import { toApiRequest } from './request.ts';

/**
 * Translates at the edge: API Gateway's proxy event into an `ApiRequest`, an `ApiResponse` into what the
 * integration expects. A streamed body goes out as bytes: middy cuts a string body every 16,384 UTF-16 units,
 * which breaks a character that stands on the cut.
 */
export function proxyEvent(): ApiMiddleware {
  const encode: ApiMiddleware['after'] = (handling) => {
    if (!handling.response) return;
    const { statusCode, headers, body, stream, amounts } = handling.response;
    (handling.internal as PipelineState).amounts = amounts;
    const text = body === undefined ? '' : JSON.stringify(body);
    handling.response = {
      statusCode,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: Readable.from(bytes(stream ?? [text])),
    };
  };
  return {
    before: (handling) => {
      handling.event = toApiRequest(handling.event as unknown as APIGatewayProxyEvent);
    },
    after: encode,
    onError: encode,
  };
}

async function* bytes(texts: AsyncIterable<string> | Iterable<string>): AsyncIterable<Buffer> {
  for await (const text of texts) if (text !== '') yield Buffer.from(text);
}
