import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { BROWSER_SLOW } from '../contract/looks.ts';

/** Chromium, as it is installed on a machine. */
export interface Chromium {
  readonly executablePath: string;
  /** Arguments besides those of every look. */
  readonly args?: readonly string[];
  /** The environment of its processes, besides folders of their own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its own sandbox works, which it does neither for root nor on Lambda. */
  readonly sandbox?: boolean;
  /**
   * The number of browsers that a look starts, each with one context: a single process cannot have more. Default: one
   * for all.
   */
  readonly count?: number;
}

/** The methods of one browser, or of several, that a look uses. */
export type LookBrowser = Pick<Browser, 'newContext' | 'version'>;

interface BrowserOptions extends Chromium {
  /** When it is killed, in milliseconds after it has started, however far `use` is. */
  readonly milliseconds: number;
  /** When it is killed at the latest, a time of `performance.now()`; it may not have started by then. */
  readonly deadline?: number;
}

/** Chromium does not start: says nothing about the page. */
export class LaunchFailed extends Error {
  override readonly name = 'LaunchFailed';
}

/** The browser of this machine is not there yet: says nothing about the page. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
}

/** A page had not opened when the time was over, without a fault of its own. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Chromium was killed or crashed while it was used: `late`, `memory`, or for a reason that is unknown. */
export class BrowserEnded extends Error {
  override readonly name = 'BrowserEnded';
  readonly why: 'late' | 'memory' | 'crash';

  constructor(why: BrowserEnded['why']) {
    super(`The browser ended: ${why}`);
    this.why = why;
  }
}

const LAUNCH_MS = 20_000;

/** The memory of all its processes together: the function has 2048 MB. */
const MOST_MB = 1_400;

/**
 * A request that escapes the interceptor finds no network: no name resolves, addresses included, and the proxy of all
 * schemes, loopback included, is a name. WebRTC has no proxy, and so no UDP either.
 * https://chromium.googlesource.com/chromium/src/+/HEAD/net/docs/proxy.md#overriding-the-implicit-bypass-rules
 */
const NO_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://proxy.invalid:9',
  '--proxy-bypass-list=<-loopback>',
  // Chrome knows the first name, the headless shell the second.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-domain-reliability',
  '--no-pings',
];

/** The heap of one renderer, in MB: a page that leaks memory ends soon. */
const HEAP = '--js-flags=--max-old-space-size=512';

/** A page with a thousand windows would take the time of the look. */
const ALLOWS_WINDOWS = '--disable-popup-blocking';

/**
 * Starts Chromium with an environment, a profile and a process group of its own and without a network, and ends all of
 * its processes as soon as `use` has ended, or its time is over.
 * @throws LaunchFailed, BrowserEnded, TooSlow
 */
export async function withBrowser<T>(options: BrowserOptions, use: (browser: LookBrowser) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'look-'));
  const started: Started[] = [];
  try {
    const launching = Array.from({ length: options.count ?? 1 }, async () => {
      started.push(await start(options, home));
    });
    const failed = (await Promise.allSettled(launching)).find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw new LaunchFailed('Chromium does not start', { cause: failed.reason });
    const milliseconds = Math.min(options.milliseconds, remaining(options));
    const late = milliseconds < options.milliseconds ? new TooSlow(BROWSER_SLOW) : new BrowserEnded('late');
    return await untilEnd(started, milliseconds, late, use(together(started)));
  } finally {
    for (const { pid } of started) killGroup(pid);
    // Waits until Playwright has removed the profiles.
    await Promise.all(started.map(({ browser }) => browser.close().catch(() => undefined)));
    // A process that was killed may still hold a file for a moment.
    await rm(home, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
}

/** A browser, and its main process, which leads the group of all others. */
interface Started {
  readonly browser: Browser;
  readonly pid: number;
}

/** Returns the milliseconds until the deadline, at least one. */
function remaining({ deadline = Number.POSITIVE_INFINITY }: BrowserOptions): number {
  return Math.max(1, deadline - performance.now());
}

async function start(given: BrowserOptions, home: string): Promise<Started> {
  const { executablePath, args = [], env = {}, sandbox } = given;
  const options = {
    executablePath,
    args: [...NO_NETWORK, HEAP, ...args],
    ignoreDefaultArgs: [ALLOWS_WINDOWS],
    env: { ...env, HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
    timeout: Math.min(LAUNCH_MS, remaining(given)),
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  const launch = (chromiumSandbox: boolean) => chromium.launch({ ...options, chromiumSandbox });
  const browser = await launch(sandbox === true).catch((error: Error) => {
    // Linux distributions restrict user namespaces:
    // https://chromium.googlesource.com/chromium/src/+/main/docs/linux/sandboxing.md
    if (sandbox && error.message.includes('No usable sandbox')) return launch(false);
    throw error;
  });
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const main = processInfo.find(({ type }) => type === 'browser');
  if (main === undefined) throw new Error('Chromium has no main process');
  return { browser, pid: main.id };
}

/** Returns several browsers as one, whose contexts are each in the next one. */
function together(started: readonly Started[]): LookBrowser {
  let contexts = 0;
  const next = () => (started[contexts++ % started.length] as Started).browser;
  return {
    async newContext(options) {
      const context = await next().newContext(options);
      // A single process ends with its context, which would look like a crash. It is ended soon.
      if (started.length > 1) context.close = async () => undefined;
      return context;
    },
    version: () => (started[0] as Started).browser.version(),
  };
}

/**
 * Returns what a promise resolves to while the browsers run, and have time and memory.
 * @throws BrowserEnded, or `tooLate` after that time
 */
async function untilEnd<T>(started: readonly Started[], ms: number, tooLate: Error, using: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const end = (why: BrowserEnded['why']) => ended.reject(new BrowserEnded(why));
  const late = globalThis.setTimeout(() => ended.reject(tooLate), ms);
  const large = whenTooLarge(
    started.map(({ pid }) => pid),
    MOST_MB,
    () => end('memory'),
  );
  for (const { browser } of started) browser.on('disconnected', () => end('crash'));
  using.catch(() => undefined);
  try {
    return await Promise.race([using, ended.promise]);
  } catch (error) {
    // Calls may fail before the event arrives.
    await setTimeout(0);
    if (started.some(({ browser }) => !browser.isConnected())) await ended.promise;
    throw error;
  } finally {
    clearTimeout(late);
    clearInterval(large);
  }
}

const INTERVAL_MS = 200;
/** The page size of Linux on x86_64, and on arm64 by default. */
const PAGE_BYTES = 4_096;

/** Ends all processes of a group at once. @param leader the process id of its first one */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/**
 * Calls `act` while the processes of groups take more memory than allowed. Otherwise, the kernel would choose which
 * process of the function ends. Only Linux says how much they take; elsewhere it is never called.
 * @param leaders the process ids of the first ones
 * @returns a timer, to be cleared
 */
function whenTooLarge(leaders: readonly number[], megabytes: number, act: () => void): NodeJS.Timeout {
  return setInterval(() => {
    if (bytesOf(leaders) > megabytes * 1_048_576) act();
  }, INTERVAL_MS);
}

/** Returns the memory that the processes of groups do not share with others, in bytes; 0 if this is not Linux. */
function bytesOf(leaders: readonly number[]): number {
  let bytes = 0;
  for (const id of processes()) {
    // The name, in parentheses, may have spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const [, , group] = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    if (!leaders.includes(Number(group))) continue;
    const [, resident = 0, shared = 0] = read(`/proc/${id}/statm`).split(' ').map(Number);
    bytes += (resident - shared) * PAGE_BYTES;
  }
  return bytes;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Returns an empty text for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
