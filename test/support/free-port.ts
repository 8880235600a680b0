import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/** Below the ports that operating systems choose for connections and for port 0 (RFC 6335: from 49152; Linux: 32768). */
const PORTS = [10_000, 32_000] as const;

/**
 * Returns a free port of the loopback interface, for a local cloud: its functions and its state contain the addresses before
 * it listens, and its backend is restarted at the same port. Other servers of tests bind port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const port = await new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined));
      server.listen(randomInt(...PORTS), '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    if (port === undefined) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
