import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { RestApi } from './api-gateway/rest-api.ts';
import type { Distributions } from './cloudfront/distributions.ts';
import type { Issuer } from './cognito/issuer.ts';
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  withoutHeaders,
} from './http.ts';

const DRAIN_MS = 5_000;

/**
 * The port that people use: CloudFront's distributions by their names, and API Gateway for requests whose `Host` is that
 * of an API, so that `curl -H 'Host: <id>.execute-api.…'` tries that door as well. Where tokens come from is at the main
 * distribution's name too.
 */
export function frontDoor(
  distributions: Distributions,
  apis: ReadonlyMap<string, RestApi>,
  issuer: Issuer | undefined,
  log: (line: string) => void,
): Server {
  const atName = (host: string, request: HttpRequest) => {
    const distribution = distributions.forHost(host);
    return issuer?.serviceAt(distribution.domainName, request) ?? distribution;
  };
  const server = createServer((incoming, outgoing) => {
    const begin = performance.now();
    const request = { ...toRequest(incoming), clientGone: closed(outgoing) };
    const host = header(request.headers, 'host') ?? '';
    const apiId = /^([^.]+)\.execute-api\./.exec(host)?.[1];
    const door = apiId === undefined ? atName(host, request) : (apis.get(apiId) ?? forbidden);
    door
      .handle(request)
      .catch((error: unknown) => {
        log(`the local cloud failed: ${error instanceof Error ? error.stack : String(error)}`);
        return jsonResponse(500, { message: 'The local cloud failed; its console says why.' }, 'local cloud');
      })
      .then(async (response) => {
        await drain(incoming);
        const complete = await send(response, request, outgoing);
        const ms = Math.round(performance.now() - begin);
        const note = complete ? '' : ' (broke off)';
        log(`${request.method} ${request.path} ${response.status} ${ms} ms ${response.servedBy}${note}`);
      })
      .catch((error: unknown) => {
        // A header that no message can have, for one. Whoever sent it is to blame, and nobody else's request.
        log(`${request.method} ${request.path} 502: ${error}`);
        if (outgoing.headersSent) outgoing.destroy();
        else outgoing.writeHead(502).end();
      });
  });
  // Uploads may be slow and generations long: the services behind have the deadlines.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
  return server;
}

/**
 * Takes the rest of a body that nobody read, for a while: a client that still writes would find the connection closed
 * under it, and never read its answer.
 */
async function drain(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const patience = AbortSignal.timeout(DRAIN_MS);
  await once(incoming, 'close', { signal: patience }).catch(() => undefined);
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

/** A signal that is aborted when the response has ended or its connection is closed. */
function closed(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  return controller.signal;
}

/** False when the client or the service behind went away before the end. */
async function send(
  response: HttpResponse,
  request: HttpRequest,
  outgoing: ServerResponse,
): Promise<boolean> {
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
