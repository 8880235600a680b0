import { type AddressInfo, createServer } from 'node:net';

/** Below the ports that operating systems choose for connections and for port 0 (RFC 6335: from 49152; Linux: 32768). */
const FIRST = 10_000;
/** Each worker of Jest has ports of its own: another one could take a port between the search and its use. */
const PER_WORKER = 2_000;
const WORKERS = 11;

const first = FIRST + (Number(process.env.JEST_WORKER_ID ?? 0) % WORKERS) * PER_WORKER;
/** Starts anywhere, since the ports of an earlier test file may still close. */
let next = Math.trunc(Math.random() * PER_WORKER);

/**
 * Returns a free port of the loopback interface, for a local cloud: its functions and its state contain the addresses before
 * it listens, and its backend is restarted at the same port. Other servers of tests bind port 0.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % PER_WORKER;
    const server = createServer();
    const port = await new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined));
      server.listen(first + next, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
    if (port === undefined) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
