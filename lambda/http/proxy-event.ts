import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiMiddleware, PipelineState } from './middleware.ts';
import { toApiRequest } from './request.ts';

/**
 * Converts API Gateway's proxy event into an `ApiRequest`, and an `ApiResponse` into the response of the integration.
 * Bodies are sent as bytes, because middy splits strings every 16,384 UTF-16 units, even within a surrogate pair.
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
