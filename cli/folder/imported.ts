import { readFileSync } from 'node:fs';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { dependencyNames } from '../../lambda/sites/source/kind.ts';
import { FileIndex } from './file-index.ts';
import { contentOf, type FolderFile, type Scan, scanFolder } from './scan.ts';
import type { Manifest } from './site.ts';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|css|html?)$/i;
const IMPORT =
  /(?:\bfrom|\bimport|\bURL|\burl)\s{0,9}(?:\(\s{0,9}){0,1}(?:url\(\s{0,9})?["']([^"'\n]{1,300})["']/g;

/**
 * Returns the files that `.gitignore` leaves out although the code of a project imports them, directly or not: a build
 * needs them as those that are sent. `lib/` in a template for Python is the usual cause.
 */
export function importedFiles({ files, leftOut, site }: Manifest): FolderFile[] {
  if (!leftOut.some(({ reason }) => reason === '.gitignore')) return [];
  const manifest = files.find(({ path }) => path === 'package.json');
  const packages = dependencyNames(manifest === undefined ? '' : contentOf(manifest).toString());
  const sent = new FileIndex(files.map(({ path }) => path));
  /** The imports of a file that no other one has, and no package. */
  const missing = (file: FolderFile) =>
    importsOf(file).filter((specifier) => {
      const isPackage = packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      return !isPackage && !specifier.includes(':') && sent.find(specifier, file.path).length === 0;
    });
  if (files.every((file) => missing(file).length === 0)) return [];
  const present = new Set(files.map(({ path }) => path));
  const ignored = ignoredFiles(site).filter(({ path }) => !present.has(path));
  const index = new FileIndex(ignored.map(({ path }) => path));
  const byPath = new Map(ignored.map((file) => [file.path, file]));
  const found = new Set<FolderFile>();
  // The loop over this set includes the files that are added during the loop.
  const open = new Set(files);
  for (const file of open) {
    for (const path of missing(file).flatMap((specifier) => index.find(specifier, file.path))) {
      const imported = byPath.get(path);
      if (imported) found.add(imported);
      if (imported) open.add(imported);
    }
  }
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function importsOf(file: FolderFile): string[] {
  if (!CODE.test(file.path) || file.bytes > LIMITS.fileBytes) return [];
  const text = readFileSync(file.file, 'utf8');
  return Array.from(text.matchAll(IMPORT), ([, specifier = '']) => specifier);
}

/** Returns the files of a folder as if there were no `.gitignore`; none if they are far too many. */
function ignoredFiles({ folder, outermost }: Manifest['site']): Scan['files'] {
  try {
    return scanFolder(folder, outermost, { gitIgnored: true }).files;
  } catch {
    return [];
  }
}
