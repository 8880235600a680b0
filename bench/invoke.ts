import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';

export type Handler = (event: object, stream: Writable, context: object) => Promise<void>;

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Base64, as in an event. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

// Defined before a handler is loaded, as on Lambda.
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: { from: (stream: Writable, metadata: object) => Object.assign(stream, metadata) },
  },
});
console.info = () => {};

/** Returns a function that invokes the handler of a bundle or module, like API Gateway. */
export async function handlerOf(file: string): Promise<Invoke> {
  const { handler } = (await import(file)) as { handler: Handler };
  return invoker(handler);
}

/** Resolves with the response when the invocation has ended; `onEnd` is called at the end of the response. */
export type Invoke = (sent: Sent, onEnd?: () => void) => Promise<Answer>;

export const invoker =
  (handler: Handler): Invoke =>
  async ({ method = 'POST', path, headers = {}, body }, onEnd = () => {}) => {
    const chunks: Buffer[] = [];
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      chunks.push(chunk);
      done();
    };
    const stream = new Writable({ write }).on('finish', onEnd);
    await handler(proxyEvent(method, path, headers, body), stream, {});
    const { statusCode } = stream as Writable & { statusCode: number };
    return { status: statusCode, body: Buffer.concat(chunks).toString() };
  };

const proxyEvent = (method: string, path: string, headers: object, body?: string) => ({
  httpMethod: method,
  path,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: body ?? null,
  isBase64Encoded: body !== undefined,
  requestContext: {
    requestId: randomUUID(),
    stage: 'api',
    identity: { sourceIp: '192.0.2.1' },
    requestTimeEpoch: Date.now(),
  },
});
