import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DeployFile } from './files.ts';

/**
 * Returns all files of a folder and the folders in it, sorted by path; for Node only. Symbolic links are left out, because they
 * can lead out of the folder.
 * @param accepts decides by the path of a file whether it is read
 */
export async function readFolder(
  folder: string,
  accepts: (path: string) => boolean = () => true,
): Promise<DeployFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'))
    .filter(accepts)
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(join(folder, path)) })));
}
