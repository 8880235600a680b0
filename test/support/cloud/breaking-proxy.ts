import { once } from 'node:events';
import { createServer, request as forward, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { serve } from '../serve.ts';

export interface ProxiedRequest {
  readonly method: string;
  path: string;
  readonly headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface ProxiedResponse {
  status: number;
  readonly headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a proxy does wrong. Both functions change their first argument. */
export interface Breakage {
  readonly request?: (request: ProxiedRequest) => void;
  /** With it, the proxy sends a response only when it is complete. */
  readonly response?: (response: ProxiedResponse, request: ProxiedRequest) => void;
}

/**
 * Starts a proxy in front of the local cloud, which is under the proxy's own address in redirects and JSON.
 * @param localAddress the address of the proxy as the cloud sees it
 */
export async function startProxy(baseUrl: string, localAddress: string) {
  const target = new URL(baseUrl);
  let breakage: Breakage = {};
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '', headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const request = { method, path, headers: { ...headers, host: target.host }, body };
    breakage.request?.(request);
    if (headers['content-length']) request.headers['content-length'] = String(request.body.length);
    const options = { hostname: '127.0.0.1', port: target.port, localAddress, agent: false };
    const sent = forward({ ...options, method, path: request.path, headers: request.headers });
    sent.end(request.body);
    outgoing.once('close', () => sent.destroy());
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode: status = 0, headers: answered } = answer;
    const type = String(answered['content-type']);
    if (!breakage.response && !type.includes('json') && !answered.location) {
      outgoing.writeHead(status, answered);
      outgoing.flushHeaders();
      return void answer.pipe(outgoing);
    }
    const response = { status, headers: answered, body: Buffer.concat(await answer.toArray()) };
    const isText = type.includes('json') && answered['content-encoding'] === undefined;
    if (isText) response.body = Buffer.from(here(response.body.toString()));
    if (answered.location) answered.location = here(answered.location);
    breakage.response?.(response, request);
    if (method !== 'HEAD') delete answered['content-length'];
    delete answered['transfer-encoding'];
    outgoing.writeHead(response.status, answered).end(response.body);
  });
  const { url, close } = await serve(server, 0, 'localhost');
  const here = (text: string) => text.replaceAll(target.origin, url);
  return {
    url,
    break: (how: Breakage) => {
      breakage = how;
    },
    close,
  };
}
