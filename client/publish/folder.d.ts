// biome-ignore-all lint: generated
// Generated from client/ by npm run client: do not edit.

import type { DeployFile } from './client.js';
/**
 * Returns all files of a folder and the folders in it, sorted by path; for Node only. Symbolic links are left out, because they
 * can lead out of the folder.
 * @param accepts decides by the path of a file whether it is read
 */
export declare function readFolder(
  folder: string,
  accepts?: (path: string) => boolean,
): Promise<DeployFile[]>;
