import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Chromium, as `@sparticuz/chromium` unpacks it or as it is installed on this machine. */
export interface BrowserOptions {
  readonly executablePath: string;
  /** Besides those of every look. */
  readonly args?: readonly string[];
  /** The whole environment of Chromium, besides folders of its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** When it is killed, in milliseconds from now, however far `use` is. */
  readonly milliseconds: number;
}

/** Chromium could not be started, or ended while it was used: says nothing about the page. */
export class BrowserFault extends Error {
  override readonly name = 'BrowserFault';
}

const LAUNCH_MS = 15_000;

/**
 * What escapes the interceptor finds no network: no name resolves, addresses included, and the proxy for all schemes, loopback
 * included, is a name. https://www.chromium.org/developers/design-documents/network-stack/socks-proxy/
 */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://proxy.invalid:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--no-pings',
  '--dns-prefetch-disable',
  '--disable-domain-reliability',
];

/** A page may take this, and no more, in MB. */
const HEAP = ['--js-flags=--max-old-space-size=512 --max-semi-space-size=16'];

/**
 * Starts Chromium with an empty environment, a profile of its own and no network, and ends it with all of its processes as soon as
 * `use` has ended or its time is over.
 * @throws BrowserFault if Chromium does not start, or is not there any more
 */
export async function withBrowser<T>(
  { executablePath, args = [], env = {}, milliseconds }: BrowserOptions,
  use: (browser: Browser) => Promise<T>,
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'look-'));
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({
      executablePath,
      args: [...NO_NETWORK, ...HEAP, ...args],
      env: { ...env, HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
      timeout: Math.min(milliseconds, LAUNCH_MS),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    return await use(browser);
  } finally {
    await browser?.close().catch(() => undefined);
    await rm(home, { recursive: true, force: true });
  }
}
