import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonObject, writePrivateFile } from './credentials.ts';

/** What `.ptp.json` remembers of the deployment of a folder. */
export interface Project {
  /** The base URL of the service. */
  readonly url: string;
  readonly projectId: string;
  /** The id of the deployment. */
  readonly id: string;
  /** The `X-Deployment-Token` of a deployment without an owner. */
  readonly token?: string;
  /** SHA-256 of the deployed files, in hexadecimal. */
  readonly hashes?: readonly string[];
}

export const PROJECT_FILE = '.ptp.json';

/** Returns the project of a folder, or `undefined` if nothing was deployed from it. @throws Error for an invalid file */
export function readProject(folder: string): Project | undefined {
  const path = join(folder, PROJECT_FILE);
  if (!existsSync(path)) return undefined;
  const project = readJsonObject(path, 'delete it, and the next deploy creates a new deployment');
  const missing = ['url', 'projectId', 'id'].find((field) => typeof project[field] !== 'string');
  if (missing === undefined) return project as unknown as Project;
  throw new Error(`${path} has no "${missing}": delete it, and the next deploy creates a new deployment`);
}

/** Writes `.ptp.json`, which may hold a secret, with mode 600. */
export function writeProject(folder: string, project: Project): void {
  writePrivateFile(join(folder, PROJECT_FILE), project);
}
