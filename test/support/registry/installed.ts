import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The repository. */
const ROOT = join(import.meta.dirname, '../../..');

/** What only `npm run test:all` installs, by `npm run fixtures`. */
export const FIXTURES = 'test/fixtures/packages';

/** A package in the `node_modules` of the repository, or of its fixtures. */
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

/** The entries of package-lock.json of the repository and, if they are installed, of the fixtures, by folder. */
export function lockEntries(): Readonly<Record<string, LockEntry>> {
  entries ??= {
    ...entriesOf(''),
    ...(existsSync(join(ROOT, FIXTURES, 'node_modules')) && entriesOf(FIXTURES)),
  };
  return entries;
}

function entriesOf(project: string): Record<string, LockEntry> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, project, 'package-lock.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries<LockEntry>(packages)
      .filter(([folder]) => folder !== '')
      .map(([folder, entry]) => [posix.join(project, folder), entry]),
  );
}

/** Returns the folder of a package that a project depends on, such as `react18`. @throws Error if it is not installed */
export function folderOf(name: string): string {
  const folders = [`node_modules/${name}`, `${FIXTURES}/node_modules/${name}`];
  const folder = folders.find((one) => one in lockEntries());
  if (folder === undefined) throw new Error(`${name} is not installed: run npm run fixtures`);
  return folder;
}

/** Returns the installed versions of each package, by its own name. */
export function installedPackages(): Map<string, InstalledPackage[]> {
  const packages = new Map<string, InstalledPackage[]>();
  for (const [folder, entry] of Object.entries(lockEntries())) {
    if (entry.version === undefined || !existsSync(join(ROOT, folder))) continue;
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
