import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository. */
const ROOT = join(import.meta.dirname, '../../..');

/** A package in `node_modules`. */
export interface InstalledPackage {
  /** Its own name: `react` for the alias `react18`. */
  readonly name: string;
  readonly version: string;
  /** In the repository, such as `node_modules/react18`. */
  readonly folder: string;
}

/** An entry of package-lock.json. */
export type LockEntry = Readonly<Record<string, unknown>> & {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

let entries: Readonly<Record<string, LockEntry>> | undefined;

/** The entries of the repository's package-lock.json, by folder. */
export function lockEntries(): Readonly<Record<string, LockEntry>> {
  entries ??= JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return entries as Readonly<Record<string, LockEntry>>;
}

/** Returns the installed versions of each package, by its own name. */
export function installedPackages(): Map<string, InstalledPackage[]> {
  const packages = new Map<string, InstalledPackage[]>();
  for (const [folder, entry] of Object.entries(lockEntries())) {
    if (folder === '' || entry.version === undefined || !existsSync(join(ROOT, folder))) continue;
    const name = entry.name ?? nameOfFolder(folder);
    const versions = packages.get(name) ?? [];
    if (!versions.some(({ version }) => version === entry.version)) {
      versions.push({ name, version: entry.version, folder });
    }
    packages.set(name, versions);
  }
  return packages;
}

/** `@scope/a` for `node_modules/b/node_modules/@scope/a`. */
export function nameOfFolder(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Returns the package.json of an installed package. */
export function installedManifest(folder: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}

/** Types, source maps and documents only cost time; those of the tests' own packages are served. */
const LEFT_OUT = /\.(?:map|md|d\.[cm]?ts)$/;

/** Returns the files of an installed package by path, without its own `node_modules`. */
export function installedFiles(folder: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const read = (path: string) => {
    for (const entry of readdirSync(join(ROOT, folder, path), { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== 'node_modules') read(inner);
      if (entry.isFile() && !LEFT_OUT.test(inner)) files.set(inner, readFileSync(join(ROOT, folder, inner)));
    }
  };
  read('');
  return files;
}
