import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type ApiError, Client, type ClientOptions } from '../../../client/client.ts';
import { serve } from '../../support/serve.ts';

export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As sent. */
  readonly body: Buffer;
  /** The parsed body, decompressed; reading it throws if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect
  readonly json: any;
}

export type Reply = (response: ServerResponse, request: Received) => unknown;

/** Responds with JSON. */
export const json =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Closes the connection without a response. */
export const reset: Reply = (response) => response.socket?.resetAndDestroy();

/** Closes the connection within the body of a response. */
export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"a":', () => response.socket?.destroy());
};

/** Returns the error that a call fails with. */
export const failure = (call: PromiseLike<unknown>): Promise<ApiError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('It did not fail')),
    (error) => error,
  );

/**
 * Starts a service that responds to each request as the next reply says, and to the last ones as the last reply says. It does not keep
 * the process running.
 * @returns its client, whose waits take no time and are recorded in seconds
 */
export async function startService(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const received: Received[] = [];
  const waits: number[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    const reply = replies[Math.min(received.length, replies.length - 1)];
    const place = received.push({ method, path, headers, body: Buffer.alloc(0), json: undefined }) - 1;
    const body = Buffer.concat(await incoming.toArray());
    const plain = () => (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    const request: Received = {
      method,
      path,
      headers,
      body,
      get json() {
        return JSON.parse(plain().toString());
      },
    };
    received[place] = request;
    await reply?.(response, request);
  });
  server.on('connection', (socket) => socket.unref());
  const { url: baseUrl, close } = await serve(server.unref());
  const sleep = async (ms: number) => void waits.push(ms / 1000);
  return { client: new Client({ baseUrl, sleep, ...options }), baseUrl, received, waits, close };
}
