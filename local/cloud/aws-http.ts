import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An HTTP request of an AWS client, as it arrived. */
export interface AwsRequest {
  readonly method: string;
  /** Path and query, not decoded: what was signed. */
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer; `content-length` is set from a body that is not a stream. */
export interface AwsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | Readable;
}

/** The request's body was larger than the service takes. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Reads a request whole. Throws BodyTooLarge past `limit` bytes, once the client has sent everything. */
export async function readRequest(incoming: IncomingMessage, limit: number): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  // An answer in the middle of an upload would reach most clients as a broken connection: read it out.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  if (size > limit) throw new BodyTooLarge(`the body has ${size} bytes, at most ${limit} are taken`);
  return { ...requestLine(incoming), body: Buffer.concat(chunks) };
}

/** The request without its body. */
export function requestLine(incoming: IncomingMessage): Omit<AwsRequest, 'body'> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return { method: incoming.method ?? '', url: incoming.url ?? '', headers };
}

/** Sends an answer; a client that goes away in the middle of a stream is no error. */
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

/** The path of a request target and its query parameters in the order sent, the latter decoded. */
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

/** Decodes percent escapes; text with a malformed escape stays as it is. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
