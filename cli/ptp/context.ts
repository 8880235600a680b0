import { type CommandIo, EXIT, type Output, UsageError } from '../program.ts';
import { readCredentials } from './credentials.ts';
import { readProject } from './project-file.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
  readonly url?: string;
}

/** What a command works with. */
export interface Context {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Whether a person sees the messages and can answer questions: neither stdin nor stderr is redirected. */
  readonly isTerminal: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether stderr shows colors. */
  readonly color: boolean;
  /** Aborted by Ctrl-C. A command then has a second to end. */
  readonly signal: AbortSignal;
  /** Writes a line to stderr, unless `--quiet`. */
  say(text: string): void;
  /** Writes the result to stdout: as JSON with `--json`, otherwise by `print`. */
  result(value: unknown, print: (stdout: Output) => void): void;
  /** Returns the base URL that commands on a folder use; without a folder, that of the current one. */
  baseUrl(folder?: string): string;
  /** Returns the API key for that base URL. */
  key(folder?: string): string | undefined;
}

export const DEFAULT_URL = 'http://localhost:3000';

/** @param options read on every use, because they are parsed after the commands are registered */
export function createContext(io: CommandIo, options: () => GlobalOptions, signal: AbortSignal): Context {
  const { stdin = process.stdin, stdout, stderr, env } = io;
  const cwd = process.cwd();
  const isTerminal = Boolean(stdin.isTTY && stderr.isTTY);
  return {
    ...{ stdin, stdout, stderr, env, cwd, isTerminal, signal },
    get json() {
      return options().json ?? false;
    },
    get quiet() {
      return options().quiet ?? false;
    },
    get color() {
      return Boolean(stderr.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb' && options().color !== false;
    },
    say(text) {
      if (!options().quiet) stderr.write(`${text}\n`);
    },
    result(value, print) {
      if (options().json) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
      else print(stdout);
    },
    baseUrl: (folder = cwd) => serviceOf(options(), env, folder).url,
    key: (folder = cwd) => keyFor(serviceOf(options(), env, folder), env),
  };
}

interface Service {
  readonly url: string;
  /** Whether only `.ptp.json`, which may come from someone else, names this URL. */
  readonly foreign: boolean;
}

/** Finds the base URL: `--url`, `PTP_URL`, the folder's `.ptp.json`, the last login, the local service. */
function serviceOf({ url }: GlobalOptions, env: NodeJS.ProcessEnv, folder: string): Service {
  if (url !== undefined) return { url: baseUrlOf(url, '--url'), foreign: false };
  if (env.PTP_URL) return { url: baseUrlOf(env.PTP_URL, 'PTP_URL'), foreign: false };
  const known = readCredentials(env).url ?? DEFAULT_URL;
  const project = readProject(folder);
  if (!project) return { url: known, foreign: false };
  const named = baseUrlOf(project.url, '"url" in .ptp.json');
  return { url: named, foreign: named !== known && named !== DEFAULT_URL };
}

/** Returns the key for a service. A key never leaves for a URL that its user did not name. */
function keyFor({ url, foreign }: Service, env: NodeJS.ProcessEnv): string | undefined {
  if (!env.PTP_API_KEY) return readCredentials(env).keys[url];
  if (!foreign) return env.PTP_API_KEY;
  throw new UsageError(
    `PTP_API_KEY is not sent to ${url}, which only .ptp.json names: set PTP_URL=${url} too`,
  );
}

/** Returns a base URL without a trailing slash. @throws UsageError unless it is one of HTTP */
export function baseUrlOf(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const bare = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && !url.username;
  if (url && bare) return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  throw new UsageError(
    `Invalid ${source} "${text}": expected a base URL such as https://d111111abcdef8.cloudfront.net`,
  );
}

/** Returns the exit code of an error, by the status of the response if it was one. */
export function exitCodeOf(error: unknown): number {
  const { status } = error as { status?: unknown };
  if (status === 401 || status === 403) return EXIT.unauthorized;
  if (status === 429) return EXIT.rateLimited;
  if (typeof status === 'number' && (status === 0 || status >= 500)) return EXIT.unavailable;
  return EXIT.failed;
}
