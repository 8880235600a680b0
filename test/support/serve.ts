import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** A server that listens on the loopback interface. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** Closes its connections, and stops to listen. */
  close(): Promise<void>;
}

/** @param port by default, a free one */
export async function serve(server: Server, port = 0, host = '127.0.0.1'): Promise<Served> {
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections();
      await closed;
    },
  };
}
