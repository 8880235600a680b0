import dns from 'node:dns';
import { existsSync } from 'node:fs';
import { enableCompileCache, flushCompileCache, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { DnsRecords, resolverOf } from '../dns.ts';
import { HOST } from '../listen.ts';

/**
 * Runs in an execution environment: loads the function's bundle and runs its handler once per message, like
 * Lambda's Node.js runtime. Unlike on Lambda, it is not frozen between invocations.
 */

/** The payload of a function error (Lambda's Invoke API, `X-Amz-Function-Error`). */
export interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** The parameters of an execution environment. */
export interface WorkerData {
  readonly codeDir: string;
  /** `<file without extension>.<export>` */
  readonly handler: string;
  /** Port of the front door on this host; without it, the function reaches no API of API Gateway. */
  readonly frontDoorPort?: number;
  /** The folder of the DNS records that resolvers know; without it, they ask as they do on this machine. */
  readonly dnsFolder?: string;
  /** Folder with compiled modules, which save a fifth of an init. */
  readonly compileCache?: string;
}

/** Tells the worker to run the handler once. */
export interface InvokeMessage {
  readonly type: 'invoke';
  readonly requestId: string;
  readonly functionArn: string;
  /** JSON. */
  readonly event: string;
  readonly tenantId?: string;
  readonly timeoutMs: number;
}

/** `ack` tells the worker to send the next chunk. */
export type ToWorker = InvokeMessage | { readonly type: 'ack' };

/** Messages from the worker. A buffered response is one chunk. Every chunk waits for its ack. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'initError'; readonly error: ErrorPayload }
  | { readonly type: 'chunk'; readonly data: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly error: ErrorPayload };

/** An empty chunk, which no handler sends, marks the end of the response stream. */
const END_OF_STREAM = new Uint8Array(0);

type Written = (error: Error | null | undefined) => void;
type Handler = (event: unknown, ...rest: unknown[]) => unknown;

const STREAMING = Symbol('streaming handler');
const port = parentPort;
if (port === null) throw new Error('worker.ts must run as a worker thread');

let acknowledge: () => void = () => undefined;

function post(message: FromWorker): void {
  port?.postMessage(message);
}

function sendChunk(data: Uint8Array): Promise<void> {
  const acknowledged = new Promise<void>((resolve) => {
    acknowledge = resolve;
  });
  post({ type: 'chunk', data });
  return acknowledged;
}

/** The response stream of a streaming handler. */
class ResponseStream extends Writable {
  prelude: Buffer | undefined;

  setContentType(): void {
    // The prelude contains the content type.
  }

  // As in Lambda's runtime, the first write() sends the prelude, so a stream without a write has none.
  override write(chunk: unknown, callback?: Written): boolean;
  override write(chunk: unknown, encoding: BufferEncoding, callback?: Written): boolean;
  override write(...args: unknown[]): boolean {
    const { prelude } = this;
    this.prelude = undefined;
    if (prelude !== undefined) super.write(prelude);
    return super.write(...(args as [unknown, BufferEncoding, Written]));
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (chunk.length === 0) done();
    else sendChunk(chunk).then(() => done(), done);
  }

  // This ends the response. The invocation ends with the handler, which may continue.
  override _final(done: (error?: Error | null) => void): void {
    sendChunk(END_OF_STREAM).then(() => done(), done);
  }
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: Handler) => Object.assign(handler, { [STREAMING]: true }),
    HttpResponseStream: {
      from(stream: ResponseStream, metadata: unknown): ResponseStream {
        stream.prelude = Buffer.concat([Buffer.from(JSON.stringify(metadata)), Buffer.alloc(8)]);
        return stream;
      },
    },
  },
});

async function loadHandler({ codeDir, handler, compileCache }: WorkerData): Promise<Handler> {
  if (compileCache !== undefined) enableCompileCache(compileCache);
  const [file = '', name = ''] = handler.split('.');
  const path = ['.mjs', '.js', '.cjs'].map((ext) => join(codeDir, file + ext)).find(existsSync);
  if (path === undefined) throw errorNamed('Runtime.ImportModuleError', `Cannot find module '${file}'`);
  const exported = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  // A terminated thread would not write what it compiled.
  flushCompileCache();
  const found = exported[name] ?? (exported.default as Record<string, unknown> | undefined)?.[name];
  if (typeof found !== 'function') {
    throw errorNamed('Runtime.HandlerNotFound', `${handler} is undefined or not exported`);
  }
  if (!(STREAMING in found) && found.length > 2) {
    throw errorNamed('Runtime.CallbackHandlerDeprecated', 'Node.js 24 has no callback-based function handlers');
  }
  return found as Handler;
}

async function run(handler: Handler, message: InvokeMessage): Promise<void> {
  const event: unknown = JSON.parse(message.event);
  const context = lambdaContext(message);
  if (STREAMING in handler) {
    const stream = new ResponseStream();
    await handler(event, stream, context);
    // The runtime waits until the stream is finished.
    if (!stream.writableEnded) stream.end();
    if (!stream.writableFinished)
      await new Promise((resolve, reject) => stream.on('finish', resolve).on('error', reject));
  } else {
    const result = await handler(event, context);
    await sendChunk(Buffer.from(JSON.stringify(result) ?? 'null'));
  }
  post({ type: 'done' });
}

/** https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
function lambdaContext({ requestId, functionArn, timeoutMs, tenantId }: InvokeMessage): object {
  const { env } = process;
  // By the clock of the environment, as on Lambda.
  const deadline = Date.now() + timeoutMs;
  return {
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: functionArn,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    awsRequestId: requestId,
    tenantId,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

function errorNamed(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function toPayload(thrown: unknown): ErrorPayload {
  if (!(thrown instanceof Error)) {
    return { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  }
  return { errorType: thrown.name, errorMessage: thrown.message, trace: (thrown.stack ?? '').split('\n') };
}

try {
  const { frontDoorPort, dnsFolder } = workerData as WorkerData;
  if (frontDoorPort !== undefined) reachApis(frontDoorPort);
  if (dnsFolder !== undefined) resolveFrom(dnsFolder);
  resolveLocalhost();
  const handler = await loadHandler(workerData as WorkerData);
  port.on('message', (message: ToWorker) => {
    if (message.type === 'ack') {
      acknowledge();
      return;
    }
    run(handler, message).catch((thrown: unknown) => {
      console.error(thrown);
      post({ type: 'error', error: toPayload(thrown) });
    });
  });
  post({ type: 'ready' });
} catch (thrown) {
  console.error(thrown);
  post({ type: 'initError', error: toPayload(thrown) });
}

/**
 * Makes resolvers in this thread know the DNS records of the local cloud only. `dns.lookup` stays as it is; whatever else
 * would ask other machines fails.
 */
function resolveFrom(folder: string): void {
  const nowhere = [`${HOST}:1`];
  dns.setServers(nowhere);
  dns.promises.setServers(nowhere);
  Object.assign(dns, { Resolver: undefined });
  Object.assign(dns.promises, { Resolver: resolverOf(new DnsRecords(folder)) });
  syncBuiltinESMExports();
}

/** The hosts of APIs in API Gateway, as they are in `https://<api id>.execute-api.<region>.<suffix>/<stage>`. */
const API_HOST = /^[^.]+\.execute-api\.[^/]+$/;

type Connect = (...args: unknown[]) => TLSSocket;

/**
 * Makes the hosts of API Gateway reachable from this thread, as they are from a function on AWS: a TLS connection to
 * one of them becomes a plain connection to the front door, which finds the API by the `Host` of the request.
 */
function reachApis(frontDoorPort: number): void {
  const connect = tls.connect as Connect;
  const redirected: Connect = (...args) => {
    const { host, servername } = (typeof args[0] === 'object' ? args[0] : {}) as ConnectionOptions;
    if (!API_HOST.test(servername ?? host ?? '')) return connect(...args);
    const socket = net.connect({ host: HOST, port: frontDoorPort });
    socket.once('connect', () => socket.emit('secureConnect'));
    return Object.assign(socket, { authorized: true, alpnProtocol: false }) as unknown as TLSSocket;
  };
  tls.connect = redirected as typeof tls.connect;
  syncBuiltinESMExports();
}

type Lookup = (hostname: string, ...rest: unknown[]) => void;

const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Makes names under `localhost` resolve to the loopback address in this thread (RFC 6761, 6.3). Browsers resolve them,
 * but not every system does.
 */
function resolveLocalhost(): void {
  const lookup = dns.lookup as unknown as Lookup;
  const resolved: Lookup = (hostname, ...rest) => lookup(LOCALHOST.test(hostname) ? HOST : hostname, ...rest);
  dns.lookup = Object.assign(resolved, dns.lookup) as unknown as typeof dns.lookup;
  syncBuiltinESMExports();
}
