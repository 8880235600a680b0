import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type Served, serve } from './serve.ts';

/**
 * Starts a proxy that leads every tunnel to one port of this machine, and refuses other requests.
 * @param reached gets the host and port of each tunnel, and the URLs of other requests
 */
export async function startTunnelProxy(port: number, reached: string[]): Promise<Served> {
  const server = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.writeHead(502).end();
  });
  server.on('connect', (request, client) => {
    reached.push(request.url ?? '');
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client]) socket.on('error', () => {});
  });
  return serve(server);
}
