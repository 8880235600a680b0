import { once } from 'node:events';
import { createServer } from 'node:http';

/** A server that reads requests and never responds, as a service that hangs. */
export interface SilentServer {
  /** How many requests it got. */
  requests(): number;
  /** Closes its connections, and stops to listen. */
  close(): Promise<void>;
}

export async function startSilentServer(port: number): Promise<SilentServer> {
  let requests = 0;
  const server = createServer(() => {
    requests++;
  });
  server.listen(port);
  await once(server, 'listening');
  return {
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
