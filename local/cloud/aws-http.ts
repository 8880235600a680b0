import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An HTTP request of an AWS client. */
export interface AwsRequest {
  readonly method: string;
  /** Path and query as they were signed, not decoded. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response. `content-length` is added unless the body is a stream. */
export interface AwsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable;
}

/** The request's body exceeds the limit of the service. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** An error of an AWS API, with the name that its clients know it by. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = code;
    this.status = status;
    this.code = code;
  }
}

/** Reads a request with its body. @throws BodyTooLarge over `limit` bytes, after the client has sent all of them */
export async function readRequest(incoming: IncomingMessage, limit: number): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Reads the rest, because most clients report a response during their upload as a broken connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw new BodyTooLarge(`The body has ${size} bytes: at most ${limit} are allowed`);
  return { ...requestLine(incoming), body: Buffer.concat(chunks) };
}

/** Returns a request without its body. */
function requestLine(incoming: IncomingMessage): Omit<AwsRequest, 'body'> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return { method: incoming.method ?? '', url: incoming.url ?? '', headers };
}

/** Sends a response. A client that disconnects during a stream is not an error. */
export async function sendReply(reply: AwsReply, response: ServerResponse): Promise<void> {
  const { status, headers, body } = reply;
  response.writeHead(status, headers);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  await pipeline(body, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** Returns the path of a request target and its decoded query parameters in the order sent. */
export function splitUrl(url: string): { path: string; query: [name: string, value: string][] } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const text = mark < 0 ? '' : url.slice(mark + 1);
  const query = text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [name, ...value] = pair.split('=');
      return [percentDecode(name ?? ''), percentDecode(value.join('='))];
    });
  return { path, query };
}

/** Decodes percent escapes. Text with a malformed escape is returned unchanged. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
