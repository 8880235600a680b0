import semver from 'semver';
import { BuildError } from '../problem.ts';
import { type JsonSource, parseJson, problemAt } from './json-source.ts';
import { isPackageName, type Manifest, readManifest, record, strongestIntegrity } from './manifest.ts';

/** A package-lock.json of npm 7 or newer. */
export interface LockFile {
  /** Returns the entry of a folder, such as `node_modules/a/node_modules/b`. */
  entry(folder: string): LockEntry | undefined;
  /** The folders with an entry. */
  readonly folders: readonly string[];
}

export interface LockEntry {
  readonly version: string;
  /** Undefined without a hash that can be verified: then only the version counts. */
  readonly manifest: Manifest | undefined;
}

/**
 * Reads a package-lock.json of version 2 or 3 (https://docs.npmjs.com/cli/configuring-npm/package-lock-json). Where packages come
 * from (`resolved`) is ignored, and so are links, bundled packages, and those of git, which have no hash of the registry.
 * @throws BuildError with the line that is not JSON
 */
export function readLockFile(source: JsonSource): { lock: LockFile | undefined; warnings: string[] } {
  const lock = parseJson(source);
  const { packages, lockfileVersion } = record(lock);
  if (typeof lock !== 'object' || lock === null || Array.isArray(lock)) {
    throw new BuildError([problemAt(source, 0, 'Expected an object')]);
  }
  if (typeof packages !== 'object' || packages === null || Array.isArray(packages)) {
    const version = typeof lockfileVersion === 'number' ? ` has version ${lockfileVersion} and` : '';
    return {
      lock: undefined,
      warnings: [`${source.path}${version} is ignored: npm 7 or newer writes version 3`],
    };
  }
  return { lock: lockFileOf(packages), warnings: [] };
}

/** Returns the lock file with this member `packages`. */
export function lockFileOf(packages: object): LockFile {
  const entries = new Map<string, unknown>(Object.entries(packages));
  return {
    entry: (folder) => readEntry(folder, entries.get(folder)),
    folders: [...entries.keys()],
  };
}

function readEntry(folder: string, value: unknown): LockEntry | undefined {
  const entry = record(value);
  const { name = nameOfFolder(folder), version, link, resolved } = entry;
  if (typeof name !== 'string' || !isPackageName(name) || link === true) return undefined;
  if (typeof version !== 'string' || semver.valid(version) !== version) return undefined;
  const isOfRegistry = typeof resolved !== 'string' || /^https?:/.test(resolved);
  if (!isOfRegistry || entry.inBundle === true) return undefined;
  return { version, manifest: readManifest(entry, name, version, strongestIntegrity(entry.integrity)) };
}

/** `@scope/b` for `node_modules/a/node_modules/@scope/b`. */
export function nameOfFolder(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
