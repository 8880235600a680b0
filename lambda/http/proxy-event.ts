import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ApiMiddleware, PipelineState } from './middleware.ts';
import { type ApiRequest, type ApiResponse, toApiRequest } from './request.ts';

/** Returns the body of the integration's response, and calls `finish` before the response ends. */
export type BodyOf = (response: ApiResponse, finish: () => Promise<void>) => Promise<string> | Readable;

/**
 * Converts API Gateway's proxy event into an `ApiRequest`, and an `ApiResponse` into the response of the integration.
 * @param finish what remains to be done for a request; called once, before the end of its response
 */
export function proxyEvent(
  bodyOf: BodyOf,
  finish: (request: ApiRequest, response: ApiResponse) => Promise<void>,
): ApiMiddleware {
  const encode: ApiMiddleware['after'] = async (handling) => {
    const { event, response } = handling;
    if (!response) return;
    const state = handling.internal as PipelineState;
    let finished: Promise<void> | undefined;
    state.finish = () => {
      finished ??= finish(event, response);
      return finished;
    };
    const { statusCode, headers, body } = response;
    handling.response = {
      statusCode,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: await bodyOf(response, state.finish),
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

export const bufferedBody: BodyOf = async ({ body, stream }, finish) => {
  if (stream) throw new Error('This function does not stream');
  await finish();
  return body === undefined ? '' : JSON.stringify(body);
};

/**
 * Returns the body as a stream of bytes, because middy splits strings every 16,384 UTF-16 units, even within a surrogate
 * pair. It is never empty: whether API Gateway ends the response to an empty stream is not documented.
 */
export const streamedBody: BodyOf = ({ body, stream }, finish) => {
  if (stream) return Readable.from(bytes(stream, finish));
  if (body === undefined) throw new Error('A streamed response needs a body');
  const finished = finish();
  return Readable.from(bytes([JSON.stringify(body)], () => finished));
};

async function* bytes(texts: AsyncIterable<string> | Iterable<string>, finish: () => Promise<void>) {
  for await (const text of texts) if (text !== '') yield Buffer.from(text);
  await finish();
}
