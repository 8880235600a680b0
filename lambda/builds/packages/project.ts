import semver from 'semver';
import type { BuildProblem } from '../../contract/builds.ts';
import { type Files, textOf } from '../files.ts';
import { type JsonSource, membersIn, parseJson } from '../json.ts';
import { errorAtOffset, placeOf } from '../problems.ts';
import { isPackageName, type Manifest, readManifest, record, strongestIntegrity, texts } from './manifest.ts';

/** The dependencies that the files of a project declare. */
export interface Project {
  /** The declared ranges by name. */
  readonly specs: ReadonlyMap<string, string>;
  /** The ranges of `overrides`, for the dependencies of packages. */
  readonly overrides: ReadonlyMap<string, string>;
  readonly lock: LockFile | undefined;
  readonly warnings: readonly string[];
  /** Returns a problem with the line of package.json that has this dependency. */
  problem(name: string, message: string): BuildProblem;
}

/** In the order in which they win. */
const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Reads package.json, those of the packages of the project that it depends on, and package-lock.json.
 * @throws BuildError if the first or the last is invalid, with its line
 */
export function readProject(files: Files): Project {
  const source = sourceOf(files, 'package.json');
  const manifest = source === undefined ? {} : objectOf(source);
  const specs = specsOf(manifest);
  const sources = new Set(source && [source]);
  const folders = specs.size > 0 ? manifestsInFolders(files) : [];
  // The loop over this map includes the dependencies that are added during the loop.
  for (const name of specs.keys())
    for (const folder of folders) {
      if (folder.manifest.name !== name) continue;
      sources.add(folder.source);
      for (const [needed, spec] of specsOf(folder.manifest)) if (!specs.has(needed)) specs.set(needed, spec);
    }
  const overrides = new Map<string, string>();
  for (const [name, spec] of texts(manifest.overrides)) {
    const override = spec.startsWith('$') ? specs.get(spec.slice(1)) : spec;
    if (override !== undefined) overrides.set(name, override);
  }
  const lockSource = sourceOf(files, 'package-lock.json');
  const { lock, warnings } = lockSource === undefined ? { lock: undefined, warnings: [] } : readLockFile(lockSource);
  return {
    specs,
    overrides,
    lock,
    warnings,
    problem: (name, message) => {
      for (const each of sources) {
        const offset = dependencyOffset(each.text, name);
        if (offset !== undefined) return { message, ...placeOf(each.path, each.text, offset) };
      }
      return { message };
    },
  };
}

function specsOf(manifest: Readonly<Record<string, unknown>>): Map<string, string> {
  const all = SECTIONS.flatMap((section) => [...texts(manifest[section])]);
  return new Map(all.toReversed());
}

/** Returns the package.json files below that of the root. */
function manifestsInFolders(files: Files) {
  const paths = [...files.keys()].filter((path) => path.endsWith('/package.json'));
  return paths.map((path) => {
    const text = textOf(files, path) ?? '';
    return { source: { path, text }, manifest: membersIn(text) };
  });
}

/** Returns the offset of a dependency in package.json: a member of that name after the first section. */
function dependencyOffset(text: string, name: string): number | undefined {
  const starts = SECTIONS.map((section) => memberOffset(text, section)).filter((at) => at !== undefined);
  return starts.length === 0 ? undefined : memberOffset(text, name, Math.min(...starts));
}

/** Returns the object that a file has. @throws BuildError if it has another value, or is not JSON */
function objectOf(source: JsonSource): Readonly<Record<string, unknown>> {
  const value = parseJson(source);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return record(value);
  throw errorAtOffset(source.path, source.text, 0, 'Expected an object');
}

function sourceOf(files: Files, path: string): JsonSource | undefined {
  const text = textOf(files, path);
  return text === undefined ? undefined : { path, text };
}

/** A package-lock.json of npm 7 or newer. */
interface LockFile {
  /** Returns the entry of a folder, such as `node_modules/a/node_modules/b`. */
  entry(folder: string): LockEntry | undefined;
  /** The folders with an entry. */
  readonly folders: readonly string[];
}

interface LockEntry {
  readonly version: string;
  /** Undefined without a hash that can be verified: then only the version counts. */
  readonly manifest: Manifest | undefined;
}

/**
 * Reads a package-lock.json of version 2 or 3 (https://docs.npmjs.com/cli/configuring-npm/package-lock-json). Where
 * packages come from (`resolved`) is ignored, and so are links, bundled packages, and those of git, which have no hash
 * of the registry.
 * @throws BuildError with the line that is not JSON
 */
function readLockFile(source: JsonSource): { lock: LockFile | undefined; warnings: string[] } {
  const { packages, lockfileVersion } = objectOf(source);
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

/** Returns where the text has a member of this name, after the given offset; its value may be in another object. */
function memberOffset(text: string, name: string, after = 0): number | undefined {
  const quoted = JSON.stringify(name);
  for (let at = text.indexOf(quoted, after); at >= 0; at = text.indexOf(quoted, at + 1)) {
    if (/^\s*:/.test(text.slice(at + quoted.length, at + quoted.length + 20))) return at;
  }
  return undefined;
}
