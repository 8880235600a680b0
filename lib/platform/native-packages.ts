import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** For which machine native packages are: that of Lambda, or this one, which runs the local cloud. */
export type Platform = 'lambda' | 'this';

/** Installed packages for Lambda, by what they were installed from. */
const CACHE = 'node_modules/.cache/native-packages';

const MANIFEST = ['package.json', 'package-lock.json'];

/** The part of package-lock.json (version 3) that is used. */
interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * Adds packages that esbuild cannot bundle to a folder, as `node_modules`: for this machine as links to those of the repository,
 * and for Lambda with their dependencies, since `npm ci` installs native code for its own machine only.
 * @throws Error of npm if a package cannot be fetched, or differs from package-lock.json
 */
export function addPackages(names: readonly string[], platform: Platform, folder: string): void {
  const modules = join(folder, 'node_modules');
  if (platform === 'lambda') {
    cpSync(installedNative(names), modules, { recursive: true });
    return;
  }
  for (const name of names) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction');
  }
}

/**
 * Adds the packages of a manifest of its own to a folder, as `node_modules`. They are only installed where Lambda needs them, instead
 * of with those of the repository.
 * @param manifest folder with `package.json` and `package-lock.json`
 * @throws Error of npm if a package cannot be fetched, or differs from the lock file
 */
export function addLocked(manifest: string, folder: string): void {
  const files = Object.fromEntries(MANIFEST.map((name) => [name, readFileSync(join(manifest, name), 'utf8')]));
  cpSync(installed(files, 'x64'), join(folder, 'node_modules'), { recursive: true });
}

/** Returns a folder with the packages for Lambda, which npm has fetched and verified by the hashes of package-lock.json. */
function installedNative(names: readonly string[]): string {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const dependencies = Object.fromEntries(names.map((name) => [name, entryOf(lock, `node_modules/${name}`).version]));
  const packages = { '': { dependencies }, ...closure(lock, names) };
  const files = {
    'package.json': JSON.stringify({ private: true, dependencies }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  };
  const modules = installed(files, 'arm64');
  const paths = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  const native = paths.filter((path) => path.endsWith('.node'));
  if (native.length !== names.length)
    throw new Error(`npm installed ${native.length} native packages for ${names.join(' and ')}: update npm`);
  return modules;
}

/** Returns the folder of the packages that a manifest and its lock file name, which is kept for the next synthesis. */
function installed(files: Readonly<Record<string, string>>, cpu: 'arm64' | 'x64'): string {
  const folder = join(CACHE, createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16));
  if (existsSync(folder)) return join(folder, 'node_modules');
  // Renamed once it is complete. Another synthesis may run at the same time, and finish first.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(unfinished, name), content);
  const lambda = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc', '--include=optional'];
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...lambda], {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  rmSync(join(unfinished, 'node_modules/.package-lock.json'));
  rmSync(join(unfinished, 'node_modules/.bin'), { recursive: true, force: true });
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return join(folder, 'node_modules');
}

/** Returns the entries of packages and all their dependencies, by path. */
function closure(lock: LockFile, names: readonly string[]): Record<string, LockEntry> {
  const found: Record<string, LockEntry> = {};
  const add = (path: string) => {
    if (found[path]) return;
    const entry = entryOf(lock, path);
    found[path] = entry;
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(pathOf(lock, name, path));
  };
  for (const name of names) add(`node_modules/${name}`);
  return found;
}

/** Returns the path of a dependency as Node resolves it: beside its dependent, or in a folder around it. */
function pathOf(lock: LockFile, name: string, from: string): string {
  const own = `${from}/node_modules/${name}`;
  if (lock.packages[own]) return own;
  const parent = from.lastIndexOf('/node_modules/');
  return parent < 0 ? `node_modules/${name}` : pathOf(lock, name, from.slice(0, parent));
}

function entryOf(lock: LockFile, path: string): LockEntry {
  const entry = lock.packages[path];
  if (!entry) throw new Error(`package-lock.json has no ${path}: run npm install`);
  return entry;
}
