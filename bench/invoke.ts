import { randomUUID } from 'node:crypto';

export type Handler = (event: object, context: object) => Promise<Response>;

interface Response {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Base64, as in an event. */
  readonly body?: string;
}

export interface InvokeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Drops log lines of the function, so that stdout contains only the result of the benchmark. */
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
process.stdout.write = ((...args: unknown[]) =>
  /^\{"(timestamp|_aws)"/.test(String(args[0])) || write(...args)) as typeof process.stdout.write;

/** Returns a function that invokes the handler of a bundle or module, like API Gateway. */
export async function handlerOf(file: string): Promise<Invoke> {
  const { handler } = (await import(file)) as { handler: Handler };
  return invoker(handler);
}

/** Resolves with the response when the invocation has ended. */
export type Invoke = (sent: Sent) => Promise<InvokeResponse>;

export const invoker =
  (handler: Handler): Invoke =>
  async ({ method = 'POST', path, headers = {}, body }) => {
    const response = await handler(proxyEvent(method, path, headers, body), {});
    return { status: response.statusCode, headers: response.headers ?? {}, body: response.body };
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
