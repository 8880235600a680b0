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

/** A deployment of a folder, as `.ptp.json` records it. */
export interface LinkedDeployment {
  /** The base URL of the service. */
  readonly url: string;
  readonly projectId: string;
  /** The id of the deployment. */
  readonly id: string;
  /** `key` if it was deployed with an API key. */
  readonly owner?: 'key' | 'anonymous';
  /** The `X-Deployment-Token` of a deployment without an owner. */
  readonly token?: string;
  /** The version that was deployed from this folder last. */
  readonly version?: string;
  /** SHA-256 of the files of that version by path, in hexadecimal. */
  readonly files?: Readonly<Record<string, string>>;
}

export const PROJECT_FILE = '.ptp.json';
const ADVICE = 'repair or delete it; without it, the next deploy creates a new deployment';

/** Returns the last deployment of a folder, or `undefined` if there is none. @throws Error for an invalid file */
export function readProject(folder: string): LinkedDeployment | undefined {
  return projectsOf(folder)[0];
}

/** Returns the last deployment of a folder at a base URL, or the last one of a project there. */
export function findProject(folder: string, url: string, projectId?: string): LinkedDeployment | undefined {
  return projectsOf(folder).find((one) => one.url === url && one.projectId === (projectId ?? one.projectId));
}

/** Returns what is known of a deployment at a base URL. */
export function findDeployment(folder: string, url: string, id: string): LinkedDeployment | undefined {
  return projectsOf(folder).find((one) => one.url === url && one.id === id);
}

/** Writes a deployment to `.ptp.json`, which has mode 600. Those at other base URLs and of other projects are kept. */
export function writeProject(folder: string, project: LinkedDeployment): void {
  const others = projectsOf(folder)
    .filter((other) => other.url !== project.url || other.projectId !== project.projectId)
    .map(({ files: _, ...other }) => other);
  writePrivateFile(join(folder, PROJECT_FILE), { ...project, ...(others.length > 0 ? { others } : {}) });
}

/** Notes the live version of a deployment that was rolled back, so that the next deploy expects it. */
export function recordVersion(folder: string, id: string, version: string): void {
  const { files: _, ...project } = projectsOf(folder).find((one) => one.id === id) ?? {};
  if ('id' in project) writeProject(folder, { ...(project as LinkedDeployment), version });
}

/**
 * Notes that a deployment belongs to a key, with which the folder is deployed from now on. Its token is worth nothing.
 */
export function recordClaim(folder: string, url: string, id: string): void {
  const { token: _, ...project } = findDeployment(folder, url, id) ?? {};
  if ('id' in project) writeProject(folder, { ...(project as LinkedDeployment), owner: 'key' });
}

/** Returns the deployments of a folder, the last one first. */
function projectsOf(folder: string): LinkedDeployment[] {
  const path = join(folder, PROJECT_FILE);
  if (!existsSync(path)) return [];
  const { others = [], ...last } = readJsonObject(path, ADVICE);
  const projects = [last, ...(others as Record<string, unknown>[])];
  for (const project of projects)
    for (const field of ['url', 'projectId', 'id'])
      if (typeof project[field] !== 'string') throw new Error(`${path} has no "${field}": ${ADVICE}`);
  return projects as unknown as LinkedDeployment[];
}
