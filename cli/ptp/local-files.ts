import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathProblem } from '../../lambda/sites/paths.ts';
import { writePrivateFile } from '../../terminal/written-files.ts';

/** The content of the login file: the base URL of the last login, and an API key for each base URL. */
interface Credentials {
  readonly url?: string;
  readonly keys: Readonly<Record<string, string>>;
}

/** Returns the path of the login file (XDG Base Directory Specification; `%APPDATA%` on Windows). */
export function credentialsPath({ XDG_CONFIG_HOME, APPDATA, HOME }: NodeJS.ProcessEnv): string {
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(HOME || homedir(), '.config');
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
  writePrivateFile(credentialsPath(env), jsonOf(credentials));
}

const jsonOf = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

/** @param advice what to do if the file does not contain a JSON object */
function readJsonObject(path: string, advice: string): Record<string, unknown> {
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
  const path = join(folder, PROJECT_FILE);
  const content = { ...knownFields({ ...project }, path), ...(others.length > 0 ? { others } : {}) };
  writePrivateFile(path, jsonOf(content));
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
  if (!Array.isArray(others)) throw new Error(`${path} has an invalid "others": ${ADVICE}`);
  return [last, ...others].map((project) => knownFields(Object(project), path));
}

/** Returns whether a value is that of a field. The file may come from someone else. */
const FIELDS: Readonly<Record<keyof LinkedDeployment, (value: unknown) => boolean>> = {
  url: (value) => text(/^https?:\/\/[!-~]+$/)(value) && URL.canParse(value as string),
  projectId: text(/^[A-Za-z0-9._-]{1,128}$/),
  id: text(/^[0-9a-z]{12}$/),
  owner: text(/^(?:key|anonymous)$/),
  token: text(/^ptd_[\w.-]{1,200}$/),
  version: text(/^[\w-]{1,64}$/),
  files: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([path, digest]) => pathProblem(path) === undefined && text(/^[0-9a-f]{64}$/)(digest)),
};
const REQUIRED: readonly string[] = ['url', 'projectId', 'id'];

function text(pattern: RegExp) {
  return (value: unknown) => typeof value === 'string' && pattern.test(value);
}

/** Returns the fields of a deployment, without others. @throws Error for an invalid one */
function knownFields(project: Readonly<Record<string, unknown>>, path: string): LinkedDeployment {
  const known = Object.entries(FIELDS).flatMap(([field, isValid]) => {
    const value = project[field];
    if (value !== undefined && !isValid(value)) throw new Error(`${path} has an invalid "${field}": ${ADVICE}`);
    if (value === undefined && REQUIRED.includes(field)) throw new Error(`${path} has no "${field}": ${ADVICE}`);
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(known);
}
