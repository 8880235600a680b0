import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The content of the login file: the base URL of the last login, and an API key for each base URL. */
export interface Credentials {
  readonly url?: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Returns the path of the login file (XDG Base Directory Specification; `%APPDATA%` on Windows). */
export function credentialsPath({ XDG_CONFIG_HOME, APPDATA, HOME }: NodeJS.ProcessEnv): string {
  const folder =
    XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(HOME || homedir(), '.config');
  return join(folder, 'ptp', 'credentials.json');
}

/** Returns the login file's content; without a file, no credentials. @throws Error if it is not such a file */
export function readCredentials(env: NodeJS.ProcessEnv): Credentials {
  const path = credentialsPath(env);
  if (!existsSync(path)) return { keys: {} };
  return { keys: {}, ...readJsonObject(path, 'delete it and run ptp login') };
}

/** Replaces the login file, readable by its user only. */
export function writeCredentials(credentials: Credentials, env: NodeJS.ProcessEnv): void {
  writePrivateFile(credentialsPath(env), credentials);
}

/** Writes JSON to a file of mode 600; a new folder gets mode 700. Atomically, so that no reader sees half of it. */
export function writePrivateFile(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** @param advice what to do if the file does not contain a JSON object */
export function readJsonObject(path: string, advice: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof content === 'object' && content !== null && !Array.isArray(content))
      return content as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Error(`${path} is not a JSON object: ${advice}`);
}
