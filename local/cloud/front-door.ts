import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RestApi } from './api-gateway/rest-api.ts';
import type { Distributions } from './cloudfront/distributions.ts';
import type { Issuer } from './cognito.ts';
import { type HeaderList, type HttpRequest, type HttpResponse, header, jsonResponse, withoutHeaders } from './http.ts';

const DRAIN_MS = 5_000;

/**
 * Returns the server of the public port. The `Host` selects a CloudFront distribution, or an API for a direct request
 * such as `curl -H 'Host: <id>.execute-api.…'`. The token issuer shares the host of the main distribution.
 */
export function frontDoor(
  distributions: Distributions,
  apis: ReadonlyMap<string, RestApi>,
  issuer: Issuer | undefined,
  log: (line: string) => void,
): Server {
  const serviceAt = (host: string, request: HttpRequest) => {
    const service = distributions.forHost(host);
    const { main } = distributions;
    return service === main ? (issuer?.serviceAt(main.domainName, request) ?? main) : service;
  };
  const server = createServer((incoming, outgoing) => {
    const begin = performance.now();
    const request = { ...toRequest(incoming), clientGone: abortOnClose(outgoing) };
    const host = header(request.headers, 'host') ?? '';
    const apiId = /^([^.]+)\.execute-api\./.exec(host)?.[1];
    const service = apiId === undefined ? serviceAt(host, request) : (apis.get(apiId) ?? forbidden);
    service
      .handle(request)
      .catch((error: unknown) => {
        log(`Internal error of the local cloud: ${error instanceof Error ? error.stack : String(error)}`);
        return jsonResponse(500, { message: 'The local cloud failed: see its log' }, 'local cloud');
      })
      .then(async (response) => {
        await drain(incoming);
        const { socket } = incoming;
        const before = socket.bytesWritten;
        const complete = await send(response, request, outgoing);
        response.onSent?.(socket.bytesWritten - before);
        const ms = Math.round(performance.now() - begin);
        const note = complete ? '' : ' (broke off)';
        log(`${request.method} ${request.path} ${response.status} ${ms} ms ${response.servedBy}${note}`);
      })
      .catch((error: unknown) => {
        // For example an invalid response header. Only this request fails.
        log(`${request.method} ${request.path} 502: ${error}`);
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
  });
  server.on('clientError', refuse);
  // Uploads can be slow and generations long: the services have their own deadlines.
  server.requestTimeout = 0;
  return server;
}

/**
 * Responds to what is no HTTP request, such as a path with bytes that are not ASCII. The connection stays open for a
 * while: if it closed while the client still sends, the client would not read the response.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The rest of the same request.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  setTimeout(() => socket.destroy(), DRAIN_MS).unref();
}

/**
 * Discards the rest of an unread body for a while: if the connection closed during its upload, the client would not
 * read the response.
 */
async function drain(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const timeout = AbortSignal.timeout(DRAIN_MS);
  await once(incoming, 'close', { signal: timeout }).catch(() => undefined);
}

const forbidden = { handle: async () => jsonResponse(403, { message: 'Forbidden' }, 'API Gateway') };

function toRequest(incoming: IncomingMessage): HttpRequest {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const raw = incoming.rawHeaders;
  const headers: HeaderList = raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : [],
  );
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers,
    body: incoming,
    peerIp: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/** Returns a signal that is aborted when the response has ended or its connection is closed. */
function abortOnClose(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  return controller.signal;
}

/** Sends a response. Returns false when the client or the service disconnected before its end. */
async function send(response: HttpResponse, request: HttpRequest, outgoing: ServerResponse): Promise<boolean> {
  const { status, body } = response;
  const bodyless = request.method === 'HEAD' || status === 204 || status === 304;
  const length = Buffer.isBuffer(body) ? String(body.length) : header(response.headers, 'content-length');
  const headers = withoutHeaders(response.headers, ['content-length']).flat();
  if (length !== undefined && status !== 204 && status !== 304) headers.push('content-length', length);
  outgoing.writeHead(status, headers);
  if (Buffer.isBuffer(body) || bodyless) {
    if (!Buffer.isBuffer(body)) body.destroy();
    outgoing.end(bodyless ? undefined : body);
    return !outgoing.destroyed;
  }
  outgoing.flushHeaders();
  try {
    await pipeline(body, outgoing);
    return true;
  } catch {
    body.destroy();
    return false;
  }
}
