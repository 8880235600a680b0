import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { buildWarning } from '../../lambda/sites/build-warning.ts';
import { entryOf } from '../../lambda/sites/entry.ts';
import { PathSet } from '../../lambda/sites/path-set.ts';
import { type ProjectKind, projectKind } from '../../lambda/sites/source/kind.ts';
import { count, sizeOf } from '../../terminal/text.ts';
import { contentOf, type Scan, scanFolder } from './scan.ts';
import type { FolderSite } from './site.ts';
import type { Variable } from './source/variables.ts';

/** The files of a site, or the source that the service builds. */
export interface Manifest extends Scan {
  readonly site: FolderSite;
  readonly bytes: number;
  /** Whether the service must publish the files as they are, even if they are source. */
  readonly asIs?: boolean;
  /** Of source that the service builds: what is sent with it. */
  readonly variables?: readonly Variable[];
}

export function manifestOf(site: FolderSite, options: { sourceMaps?: boolean | undefined }): Manifest {
  const scan = scanFolder(site.folder, site.outermost, options);
  return { ...scan, site, bytes: scan.files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** @throws Error if the service would not accept the files, before they are sent */
export function checkManifest({ files, bytes, site }: Pick<Manifest, 'files' | 'bytes' | 'site'>): void {
  if (files.length === 0)
    throw new Error(`${site.folder} has no files to deploy: --dry-run says what is left out, and why`);
  const paths = new PathSet();
  for (const { path } of files) {
    const problem = paths.add(path);
    if (problem !== undefined)
      throw new Error(`The path "${path}" ${problem}: rename the file, or leave it out with .ptpignore`);
  }
  const { fileBytes, deploymentBytes, filesPerDeployment } = LIMITS;
  const refuse = (problem: string, named: Manifest['files']) => {
    const largest = named.toSorted((a, b) => b.bytes - a.bytes).slice(0, 3);
    const list = largest.map((file) => `${file.path} (${sizeOf(file.bytes)})`).join(', ');
    throw new Error(`${problem}. The largest are ${list}: leave files out with .ptpignore`);
  };
  const large = files.filter((file) => file.bytes > fileBytes);
  if (large.length > 0)
    refuse(
      `A file may have at most ${inMB(fileBytes)}: ${count(large.length, 'file')} ${large.length === 1 ? 'is' : 'are'} larger`,
      large,
    );
  if (bytes > deploymentBytes)
    refuse(`The files have ${sizeOf(bytes)}, but a deployment at most ${inMB(deploymentBytes)}`, files);
  if (files.length > filesPerDeployment)
    refuse(
      `There are ${count(files.length, 'file')}, but a deployment has at most ${filesPerDeployment}`,
      files,
    );
}

const inMB = (bytes: number) => `${bytes / 1_048_576} MB`;

/** Returns what the service does with the files of a project. */
export function kindOf({ files }: Manifest): ProjectKind {
  return projectKind(new Map(files.map((file) => [file.path, contentOf(file)])));
}

/** Returns what visitors would see of a project that was not built, as the service itself warns, or undefined. */
export function warningOf({ files }: Manifest): string | undefined {
  const entry = entryOf(files.map(({ path }) => path));
  return buildWarning(
    files.map(({ path, file }) => ({ path, content: path === entry ? readFileSync(file) : '' })),
    entry,
  );
}

/** Returns a folder as its user would name it: `.`, `./dist`, or its absolute path. */
export function nameOf(folder: string, cwd: string): string {
  const path = relative(cwd, folder);
  if (path.startsWith('..')) return folder;
  return path === '' ? '.' : `./${path}`;
}
