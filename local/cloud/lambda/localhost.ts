import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { HOST } from '../listen.ts';

type Lookup = (hostname: string, ...rest: unknown[]) => void;

const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/**
 * Makes names under `localhost` resolve to the loopback address in this thread (RFC 6761, 6.3). Browsers resolve them, but not
 * every system does.
 */
export function resolveLocalhost(): void {
  const lookup = dns.lookup as unknown as Lookup;
  const resolved: Lookup = (hostname, ...rest) => lookup(LOCALHOST.test(hostname) ? HOST : hostname, ...rest);
  dns.lookup = Object.assign(resolved, dns.lookup) as unknown as typeof dns.lookup;
  syncBuiltinESMExports();
}
