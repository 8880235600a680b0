import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

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

interface InvokeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Drops log lines of the function, so that stdout contains only the result of the benchmark. */
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
process.stdout.write = ((...args: unknown[]) =>
  /^\{"(timestamp|_aws)"/.test(String(args[0])) || write(...args)) as typeof process.stdout.write;

/** Loads a function of `functionEnvironment`, and returns what invokes its handler, like API Gateway. */
export async function handlerOf(functionName: string): Promise<Invoke> {
  const { handler } = (await import(process.env[`BUNDLE_OF_${functionName}`] ?? '')) as { handler: Handler };
  return invoker(handler);
}

/** Proves that a request came through CloudFront. */
const ORIGIN = { 'X-Ptp-Origin-Secret': process.env.ORIGIN_SECRET };

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
  headers: { 'Content-Type': 'application/json', ...ORIGIN, ...headers },
  body: body ?? null,
  isBase64Encoded: body !== undefined,
  requestContext: {
    requestId: randomUUID(),
    stage: 'api',
    identity: { sourceIp: '192.0.2.1' },
    requestTimeEpoch: Date.now(),
  },
});

/** Numbers of HTTP requests to AWS, retries of the SDK included. */
export interface Calls {
  /** DynamoDB. */
  readonly writes: number;
  readonly reads: number;
  readonly s3Writes: number;
  readonly s3Reads: number;
}

const NONE: Calls = { writes: 0, reads: 0, s3Writes: 0, s3Reads: 0 };
const calls = { ...NONE };
diagnostics.subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  const target = request.getHeader('x-amz-target');
  if (target !== undefined) calls[/\.(Put|Update|Delete)Item$/.test(String(target)) ? 'writes' : 'reads']++;
  else calls[request.method === 'GET' || request.method === 'HEAD' ? 's3Reads' : 's3Writes']++;
});

/** Returns this process's requests to AWS during `perform`. */
export async function callsOf(perform: () => Promise<unknown>): Promise<Calls> {
  Object.assign(calls, NONE);
  await perform();
  return { ...calls };
}

/** Returns the body of a deploy. Each file has different text that resembles source code. */
export function projectOf(count: number, bytesPerFile: number) {
  const line = (i: number, n: number) => `export const value${n} = compute(${(i * 7919 + n * 104_729) % 99_991});\n`;
  const files = Array.from({ length: count }, (_, i) => {
    let content = '';
    for (let n = 0; content.length < bytesPerFile; n++) content += line(i, n);
    return { path: i === 0 ? 'index.html' : `src/file-${i}.js`, content: content.slice(0, bytesPerFile) };
  });
  return { files };
}

/** The body of a deploy of 10 MB. */
export const PROJECT = Buffer.from(JSON.stringify(projectOf(200, 52_428)));
const BASE64 = PROJECT.toString('base64');

/** Deploys the project of 10 MB. @returns its id */
export async function deployLarge(invoke: Invoke): Promise<string> {
  const { status, body } = await invoke({ path: '/api/v1/deploy', body: BASE64 });
  if (status >= 300) throw new Error(`the deploy failed: ${status} ${body}`);
  return (JSON.parse(body) as { id: string }).id;
}
