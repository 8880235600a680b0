import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const HOST = '127.0.0.1';

/**
 * Starts a server that listens until `resources` is disposed of.
 * @param port 0 chooses a free one
 * @returns its URL
 */
export async function listen(server: Server, port: number, resources: AsyncDisposableStack): Promise<string> {
  await bind(server, port);
  resources.defer(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/** @throws Error with the code EADDRINUSE when the port is taken */
function bind(server: Server, port: number): Promise<void> {
  // A client that reuses a connection must not find it closed, as with Node's 5 s while the machine is busy.
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
}

/** Binds a port that a variable sets. @throws Error that says what to do when the port is taken */
export async function bindConfigured(server: Server, variable: string, port: number): Promise<void> {
  await bind(server, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is in use: stop the process that uses it, or set ${variable}`);
  });
}
