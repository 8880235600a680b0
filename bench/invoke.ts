import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';

export type Handler = (event: object, stream: Writable, context: object) => Promise<void>;

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Base64, as an event has it: the function does not encode it. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

// As Lambda has it, before a handler is loaded.
Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => handler,
    HttpResponseStream: { from: (stream: Writable, metadata: object) => Object.assign(stream, metadata) },
  },
});
console.info = () => {};

/** The handler of a bundle or module, as if API Gateway called it. */
export async function handlerOf(file: string): Promise<Invoke> {
  const { handler } = (await import(file)) as { handler: Handler };
  return invoker(handler);
}

/** The answer, once the invocation has ended; `onEnd` is told when the answer has. */
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
