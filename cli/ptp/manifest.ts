import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { buildWarning } from '../../lambda/sites/build-warning.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { PathSet } from '../../lambda/sites/path-set.ts';
import type { FolderFile, LeftOut, Scan } from './folder.ts';
import { scanFolder } from './folder.ts';
import type { Site } from './site.ts';
import { count, sizeOf } from './text.ts';

/** The files of a site that a deploy accepts. */
export interface Manifest extends Scan {
  readonly site: Site;
  readonly bytes: number;
}

/** Lists the files of a site. @throws Error if there is none, or if a path or a size exceeds what the service accepts */
export function manifestOf(site: Site, options: { sourceMaps?: boolean | undefined } = {}): Manifest {
  const scan = scanFolder(site.folder, site.outermost, options);
  const { files, leftOut } = scan;
  if (files.length === 0)
    throw new Error(
      `The folder ${site.folder} has no files to deploy${leftOut.length > 0 ? `: left out ${summaryOf(leftOut)}` : ''}`,
    );
  const paths = new PathSet();
  for (const { path } of files) {
    const problem = paths.add(path);
    if (problem !== undefined)
      throw new Error(`The path "${path}" ${problem}: rename the file, or name it in .ptpignore`);
  }
  const bytes = totalOf(files);
  refuseExcess(files, bytes);
  return { ...scan, site, bytes };
}

const ADVICE = 'leave files out with .ptpignore';

function refuseExcess(files: readonly FolderFile[], bytes: number): void {
  const large = files.filter((file) => file.bytes > LIMITS.fileBytes);
  if (large.length > 0)
    throw new Error(`A file may have at most ${sizeOf(LIMITS.fileBytes)}: ${largest(large)}; ${ADVICE}`);
  if (bytes > LIMITS.deploymentBytes)
    throw new Error(
      `The files have ${sizeOf(bytes)}, and a deployment at most ${sizeOf(LIMITS.deploymentBytes)}. The largest are ${largest(files)}; ${ADVICE}`,
    );
  if (files.length > LIMITS.filesPerDeployment)
    throw new Error(
      `There are ${count(files.length, 'file')}, and a deployment has at most ${LIMITS.filesPerDeployment}. Most are in ${fullest(files)}; ${ADVICE}`,
    );
}

function largest(files: readonly FolderFile[]): string {
  const sorted = files.toSorted((a, b) => b.bytes - a.bytes);
  const named = sorted.slice(0, 3).map(({ path, bytes }) => `${path} (${sizeOf(bytes)})`);
  return [...named, ...(sorted.length > 3 ? [`${count(sorted.length - 3, 'more file')}`] : [])].join(', ');
}

/** Returns the folders with most of the files. */
function fullest(files: readonly FolderFile[]): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : './';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 3);
  return sorted.map(([folder, n]) => `${folder} (${n})`).join(', ');
}

const totalOf = (files: readonly FolderFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns the reasons for which files are left out, with their numbers, such as `3 source map, 1 hidden`. */
function summaryOf(leftOut: readonly LeftOut[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, n]) => `${n} (${reason})`).join(', ');
}

/** Returns what the user should know was left out: secrets and source maps; the rest is a matter of course. */
export function noticesOf({ leftOut }: Manifest): string[] {
  const paths = (reason: string) => leftOut.filter((file) => file.reason === reason).map(({ path }) => path);
  const [secrets, maps] = [paths('may have secrets'), paths('source map')];
  return [
    ...(secrets.length > 0 ? [`Left out ${secrets.join(', ')}: may have secrets`] : []),
    ...(maps.length > 0 ? [`Left out ${count(maps.length, 'source map')}: --source-maps includes them`] : []),
  ];
}

/** Returns the files with their bytes. */
export function readFiles({ files }: Manifest): { path: string; content: Uint8Array }[] {
  return files.map(({ path, file }) => ({ path, content: readFileSync(file) }));
}

/** Returns what visitors would see of a project that was not built, as the service itself warns, or undefined. */
export function warningOf({ files }: Manifest): string | undefined {
  const entry = entryOf(files.map(({ path }) => path));
  const known = files.map(({ path, file }) => ({ path, content: path === entry ? readFileSync(file) : '' }));
  return buildWarning(known, entry);
}

/** Returns the folder that is deployed, as the user would name it. */
export function folderName({ site }: Pick<Manifest, 'site'>, cwd: string): string {
  const path = relative(cwd, site.folder);
  if (path === '') return 'this folder';
  return path.startsWith('..') ? site.folder : `./${path}`;
}
