import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { acceptsGzip } from '../platform/accept-headers.ts';
import type { ApiMiddleware, ApiRequest, ApiResponse, PipelineState } from './request.ts';
import { findTarget } from './router.ts';

const pack = promisify(gzip);

/** Shorter bodies gain less time than their compression takes. */
const MIN_BYTES = 10_240;

/** The body of the integration's response, and headers that describe it. */
interface EncodedBody {
  readonly body: string | Readable;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isBase64Encoded?: true;
}

/** Returns the body of a response for the client of a request, and calls `finish` before the response ends. */
type BodyOf = (
  request: Pick<ApiRequest, 'headers'>,
  response: ApiResponse,
  finish: () => Promise<void>,
) => Promise<EncodedBody>;

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
    const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const encoded = await bodyOf(event, response, state.finish);
    handling.response = {
      ...encoded,
      statusCode,
      headers: { ...contentType, ...headers, ...encoded.headers },
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

/** The longest time from API Gateway to the function, with a cold start. */
const LONGEST_WAY_MS = 30_000;

/** Converts API Gateway's Lambda proxy event (payload format 1.0). @param now in Unix milliseconds */
export function toApiRequest(event: APIGatewayProxyEvent, now = Date.now()): ApiRequest {
  let body: Buffer | undefined;
  return {
    id: event.requestContext.extendedRequestId ?? '',
    method: event.httpMethod,
    path: event.path,
    target: findTarget(event.httpMethod, event.path),
    stage: event.requestContext.stage,
    headers: Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? '']),
    ),
    query: Object.fromEntries(
      Object.entries(event.queryStringParameters ?? {}).map(([name, value]) => [name, value ?? '']),
    ),
    // Several readers need it, and megabytes take milliseconds.
    rawBody: () => {
      body ??= Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
      return body;
    },
    sourceIp: event.requestContext.identity.sourceIp,
    receivedAt: receivedAt(event.requestContext.requestTimeEpoch, now),
  };
}

/**
 * Returns when a request arrived. If API Gateway's time cannot be right, the two clocks differ, and the function's counts: requests
 * that wait for a generation would otherwise end at once, or too late.
 */
function receivedAt(byApiGateway: number, now: number): number {
  const wayMs = now - byApiGateway;
  return wayMs >= 0 && wayMs <= LONGEST_WAY_MS ? byApiGateway : now;
}

export const bufferedBody: BodyOf = async (request, response, finish) => {
  if (response.stream) throw new Error('This function does not stream');
  await finish();
  // Base64 keeps it within the 6 MB of a response up to 4.5 MB.
  if (response.bytes) return { body: Buffer.from(response.bytes).toString('base64'), isBase64Encoded: true };
  if (response.body === undefined) return { body: '' };
  const { bytes, headers } = await codedBody(request, response);
  if (headers['Content-Encoding'] === undefined) return { body: bytes.toString(), headers };
  // API Gateway decodes it, because all media types of the API are binary.
  return { body: bytes.toString('base64'), headers, isBase64Encoded: true };
};

/**
 * Returns the body as a stream of bytes, because middy splits strings every 16,384 UTF-16 units, even within a surrogate
 * pair. It is never empty: whether API Gateway ends the response to an empty stream is not documented.
 */
export const streamedBody: BodyOf = async (request, response, finish) => {
  // Events are not compressed: each must arrive at once.
  if (response.stream) return { body: Readable.from(bytesOf(response.stream, finish)) };
  if (response.bytes) {
    const finished = finish();
    return { body: Readable.from(bytesOf([response.bytes], () => finished)) };
  }
  if (response.body === undefined) throw new Error('A streamed response needs a body');
  const { bytes, headers } = await codedBody(request, response);
  const finished = finish();
  return { body: Readable.from(bytesOf([bytes], () => finished)), headers };
};

async function* bytesOf(
  parts: AsyncIterable<string> | Iterable<Uint8Array>,
  finish: () => Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const part of parts) if (part.length > 0) yield Buffer.from(part);
  await finish();
}

/** A body with the headers that describe its coding. */
interface CodedBody {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the JSON of a response, with gzip if it is large and the client accepts it. CloudFront compresses only what it
 * may cache, which excludes the API. A response with an entity tag is not compressed: the tag is a version to send in
 * If-Match, which matches strong tags only, and a strong tag must differ by coding (RFC 9110, 8.8.3.3).
 */
export async function codedBody(
  { headers: sent }: Pick<ApiRequest, 'headers'>,
  { body, headers = {} }: Pick<ApiResponse, 'body' | 'headers'>,
): Promise<CodedBody> {
  const bytes = Buffer.from(JSON.stringify(body));
  if (bytes.length <= MIN_BYTES || headers.ETag !== undefined) return { bytes, headers: {} };
  const vary = { Vary: 'Accept-Encoding' };
  if (!acceptsGzip(sent['accept-encoding'])) return { bytes, headers: vary };
  return { bytes: await pack(bytes), headers: { ...vary, 'Content-Encoding': 'gzip' } };
}
