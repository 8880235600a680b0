import { setTimeout } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import pkg from '../../package.json' with { type: 'json' };
import { isInteractive } from '../../terminal/ask.ts';
import { LiveLines } from '../../terminal/live-lines.ts';
import { type CommandIo, type Output, UsageError } from '../../terminal/program.ts';
import { jsonText } from '../../terminal/safe-output.ts';
import { readCredentials, readProject } from './local-files.ts';

/** Options of every command. */
interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly url?: string;
}

/** The streams, settings and clients of a command. */
export interface Context {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** True if a person sees the messages and can answer questions: neither stdin nor stderr is redirected. */
  readonly isTerminal: boolean;
  /** True if stderr shows progress that is redrawn. */
  readonly isLive: boolean;
  /** Columns of stderr; 1,000 without a terminal. */
  readonly columns: number;
  readonly json: boolean;
  readonly quiet: boolean;
  /** True if stderr shows colors. */
  readonly color: boolean;
  /** Aborted by Ctrl-C. A command then has a second to end. */
  readonly signal: AbortSignal;
  /** Writes a line to stderr, unless `--quiet`. */
  say(text: string): void;
  /** Writes the result to stdout: as JSON with `--json`, otherwise by `print`. */
  result(value: unknown, print: (stdout: Output) => void): void;
  /** Returns the base URL for a folder, by default the current one; with null, that of no folder. */
  baseUrl(folder?: string | null): string;
  /** Returns the API key for that base URL. */
  key(folder?: string | null): string | undefined;
  /** Returns a client for that base URL, with its key if there is one. */
  client(options?: ClientOptions): Promise<Client>;
}

interface ClientOptions {
  readonly folder?: string | null;
  /** Replaces the saved key; null for none. */
  readonly key?: string | null;
  /** True to fail at once without a key. */
  readonly needsKey?: boolean;
}

export const DEFAULT_URL = 'http://localhost:3000';

/** @param options read on every use, because they are parsed after the commands are registered */
export function createContext(io: CommandIo, options: () => GlobalOptions, signal: AbortSignal): Context {
  const { stdin = process.stdin, stdout, stderr, env } = io;
  const cwd = process.cwd();
  const serviceIn = (folder: string | null = cwd) => serviceOf(options(), env, folder);
  const say = (text: string) => {
    if (options().quiet) return;
    if (LiveLines.active) LiveLines.active.print([text]);
    else stderr.write(`${text}\n`);
  };
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd,
    isTerminal: isInteractive({ stdin, stderr }),
    signal,
    say,
    get json() {
      return options().json ?? false;
    },
    get quiet() {
      return options().quiet ?? false;
    },
    get columns() {
      return stderr.isTTY ? (stderr.columns ?? 80) : 1_000;
    },
    get isLive() {
      return Boolean(stderr.isTTY) && env.TERM !== 'dumb' && !options().quiet;
    },
    get color() {
      return Boolean(stderr.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
    },
    result(value, print) {
      if (options().json) stdout.write(`${jsonText(value)}\n`);
      else print(stdout);
    },
    baseUrl: (folder) => serviceIn(folder).url,
    key: (folder) => keyFor(serviceIn(folder), env),
    async client({ folder, needsKey = false, ...given } = {}) {
      const service = serviceIn(folder);
      const key = given.key === undefined ? keyFor(service, env) : (given.key ?? undefined);
      if (needsKey && key === undefined) throw noKey(service.url);
      const { Client } = await import('../../client/client.ts');
      const sleep = (ms: number, aborted?: AbortSignal) => {
        say(`The service is unreachable or busy: retrying in ${ms / 1_000} s`);
        return setTimeout(ms, undefined, aborted && { signal: aborted });
      };
      return new Client({ baseUrl: service.url, key, sleep, userAgent: `ptp/${pkg.version}` });
    },
  };
}

/** Returns the error of a command that needs a key. */
export function noKey(url: string): Error {
  const login = `ptp login${url === DEFAULT_URL ? '' : ` --url ${url}`}`;
  const message = `No API key for ${url}: run "${login}", or set PTP_API_KEY`;
  return Object.assign(new Error(message), { status: 401 });
}

interface Service {
  readonly url: string;
  /** True if only `.ptp.json`, which may come from someone else, names this URL. */
  readonly foreign: boolean;
}

/** Finds the base URL: `--url`, `PTP_URL`, the folder's `.ptp.json`, the last login, the local service. */
function serviceOf({ url }: GlobalOptions, env: NodeJS.ProcessEnv, folder: string | null): Service {
  if (url !== undefined) return { url: baseUrlOf(url, '--url'), foreign: false };
  if (env.PTP_URL) return { url: baseUrlOf(env.PTP_URL, 'PTP_URL'), foreign: false };
  const known = readCredentials(env).url ?? DEFAULT_URL;
  const project = folder === null ? undefined : readProject(folder);
  if (!project) return { url: known, foreign: false };
  const named = baseUrlOf(project.url, '"url" in .ptp.json');
  return { url: named, foreign: named !== known && named !== DEFAULT_URL };
}

/** Returns the key for a service. A key never leaves for a URL that its user did not name. */
function keyFor({ url, foreign }: Service, env: NodeJS.ProcessEnv): string | undefined {
  if (!env.PTP_API_KEY) return readCredentials(env).keys[url];
  if (!foreign) return env.PTP_API_KEY;
  throw new UsageError(`PTP_API_KEY is not sent to ${url}, which only .ptp.json names: set PTP_URL=${url} too`);
}

/** Returns a base URL without a trailing slash. @throws UsageError unless it is one of HTTP */
function baseUrlOf(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && !url.username;
  if (url && bare) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new UsageError(
    `Invalid ${source} "${text}": expected a base URL such as https://d111111abcdef8.cloudfront.net`,
  );
}
