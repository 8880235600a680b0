import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { type Served, serve } from './serve.ts';

/** A response that replaces the response of the service. */
export interface Refusal {
  readonly status: number;
  readonly body: string;
}

/**
 * Starts a proxy between functions and an AWS service. It passes on requests with their Host, which is signed.
 * @param target returns the URL of the service
 * @param fault runs before each request: it may wait, or return a response
 * @param port by default, a free one
 */
export async function startFaultProxy(
  target: () => string,
  fault: (request: IncomingMessage) => Promise<Refusal | undefined>,
  port = 0,
): Promise<Served> {
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const refusal = await fault(incoming);
    if (refusal) {
      outgoing.writeHead(refusal.status, { 'content-type': 'application/x-amz-json-1.0' });
      return void outgoing.end(refusal.body);
    }
    const { url = '', method = 'GET', headers } = incoming;
    const sent = forward(new URL(url, target()), { method, headers });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  return serve(server, port);
}
