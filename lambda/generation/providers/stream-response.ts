import { APICallError } from 'ai';
import { pageTitle, parseJson, statusIn, vendorMessage } from './failure.ts';
import { ProviderFailure } from './provider.ts';

/** The largest document that is read instead of a stream: an answer in one piece. */
const MOST_BYTES = 16_000_000;

/** Bedrock's streams are binary. */
const BINARY_STREAM = 'application/vnd.amazon.eventstream';

type Fetch = typeof globalThis.fetch;

/**
 * Returns a `fetch` whose successes are streams of events. Whatever else a server or a proxy sends as a success, such as an
 * error, a whole answer or a log-in page, would be an empty stream for the SDK.
 * @param onCall gets the URL of each call
 */
export function streamFetch(onCall: (url: string) => void): Fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    onCall(url);
    const response = await globalThis.fetch(input, init);
    const isBinary = response.headers.get('content-type')?.startsWith(BINARY_STREAM);
    if (!response.ok || response.body === null || isBinary) return response;
    return streamOf(response, response.body, url);
  };
}

/** The first field of an event, or a comment. */
const EVENT = /^\s*(?:data|event|id|retry)?:/;
/** The longest part of a field's name that does not tell yet whether it is one. */
const UNDECIDED = 5;

/** Returns a response with a stream of events. */
async function streamOf(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  url: string,
): Promise<Response> {
  const reader = body.getReader();
  const begun: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  for (let ended = false; !ended && !text.includes(':') && text.trim().length <= UNDECIDED; ) {
    const { done, value } = await reader.read();
    ended = done;
    if (value) begun.push(value);
    text = Buffer.concat(begun).toString();
  }
  if (EVENT.test(text) || text.trim() === '') return new Response(continued(begun, reader), { status, headers });
  const document = (await readAll(begun, reader)).toString();
  return new Response(eventsOf(document, url, headers), { status, headers });
}

function continued(
  begun: readonly Uint8Array<ArrayBuffer>[],
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of begun) controller.enqueue(chunk);
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (value) controller.enqueue(value);
      if (done) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function readAll(begun: readonly Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
  const chunks = [...begun];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    bytes += value.length;
    if (bytes > MOST_BYTES) throw new ProviderFailure('unreadable', `more than ${MOST_BYTES} bytes, no stream`);
    chunks.push(value);
  }
}

/**
 * Returns the events for a document.
 * @throws APICallError for an error, ProviderFailure for anything but a whole answer
 */
function eventsOf(document: string, url: string, headers: Headers): string {
  const title = pageTitle(document);
  if (title !== undefined)
    throw new ProviderFailure('web page', `The response is a web page: ${title || 'without a title'}`);
  const value = parseJson(document);
  if (value === undefined) throw new ProviderFailure('unreadable', `The response is no stream: ${document}`);
  const events = wholeAnswer(value);
  if (events !== undefined) return events;
  const message = vendorMessage(value);
  if (message === undefined) throw new ProviderFailure('unreadable', 'The response is neither a stream nor an answer');
  const statusCode = statusIn(value);
  throw new APICallError({
    message,
    url,
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    responseHeaders: Object.fromEntries(headers),
    responseBody: document,
  });
}

/** Returns the events of a stream for an answer in one piece (OpenAI's chat completions); undefined if it is none. */
function wholeAnswer(value: unknown): string | undefined {
  const { choices, ...rest } = Object(value) as { choices?: unknown };
  const [choice] = Array.isArray(choices) ? choices : [];
  const { message, ...end } = Object(choice) as { message?: unknown };
  if (typeof message !== 'object' || message === null) return undefined;
  const { tool_calls: calls, ...delta } = message as { tool_calls?: unknown };
  const indexed = Array.isArray(calls) ? calls.map((call, index) => ({ index, ...call })) : undefined;
  const whole = { ...delta, ...(indexed && { tool_calls: indexed }) };
  const chunk = { ...rest, choices: [{ ...end, delta: whole }] };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}
