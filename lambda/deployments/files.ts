import type { DeployFile } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import { quote } from '../contract/messages.ts';
import { pathKey, pathProblem } from '../contract/paths.ts';

/** A file of a site as it is stored. */
export interface SiteFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The files of a deploy request as bytes, once paths and sizes are right.
 * @throws ApiError invalid_request for a path, payload_too_large for a size; both name the file
 */
export function acceptFiles(files: readonly DeployFile[]): SiteFile[] {
  checkPaths(files.map(({ path }) => path));
  const accepted = files.map(({ path, content }) => ({ path, bytes: Buffer.from(content) }));
  for (const { path, bytes } of accepted) {
    if (bytes.length > LIMITS.fileBytes)
      throw tooLarge(`${quote(path)} has`, bytes.length, LIMITS.fileBytes, 'a file');
  }
  const total = accepted.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > LIMITS.deploymentBytes)
    throw tooLarge('The files have', total, LIMITS.deploymentBytes, 'a deployment');
  return accepted;
}

function checkPaths(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem) throw new ApiError('invalid_request', `The path ${quote(path)} ${problem}`);
    const twin = seen.get(pathKey(path));
    if (twin === path) throw new ApiError('invalid_request', `The path ${quote(path)} occurs twice`);
    if (twin)
      throw new ApiError(
        'invalid_request',
        `The paths ${quote(twin)} and ${quote(path)} differ only in case`,
      );
    seen.set(pathKey(path), path);
  }
  for (const path of paths) {
    const folder = foldersOf(path).find((name) => seen.has(pathKey(name)));
    if (folder)
      throw new ApiError(
        'invalid_request',
        `The path ${quote(folder)} is a file and the folder of ${quote(path)}`,
      );
  }
}

/** `a/b/c.js` is in `a` and `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, i) => names.slice(0, i + 1).join('/'));
}

function tooLarge(subject: string, bytes: number, limit: number, what: string): ApiError {
  const [has, may] = [bytes, limit].map((n) => n.toLocaleString('en'));
  return new ApiError('payload_too_large', `${subject} ${has} bytes: ${what} may have ${may}`);
}
