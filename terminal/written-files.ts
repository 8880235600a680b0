import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/*
 * Everything that a command line writes. A folder may come from someone else, with symbolic links in place of the files
 * that a command is about to write: none is followed.
 */

/**
 * Writes a file as a whole: a new file of an unpredictable name takes its place. That of a symbolic link, too.
 * @param mode exactly; by default that of a new file
 * @throws Error for a folder, a device and the like
 */
export function replaceFile(file: string, content: string | Uint8Array, mode?: number): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile() && !stats.isSymbolicLink()) throw notRegular(file);
  const temporary = join(dirname(file), `.ptp-${randomBytes(12).toString('hex')}.tmp`);
  try {
    createFile(temporary, content, mode);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes a file that must not exist, even as a symbolic link that leads nowhere. */
function createFile(file: string, content: string | Uint8Array, mode?: number): void {
  const descriptor = openSync(file, 'wx', mode);
  try {
    writeFileSync(descriptor, content);
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777);
  } finally {
    closeSync(descriptor);
  }
}

const notRegular = (file: string) => new Error(`${file} is not a regular file: it is left alone`);

/** Adds a line to a text, which need not exist. @returns false if that is no regular file, and left alone */
export function appendLine(file: string, line: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) return false;
  const text = stats ? readFileSync(file, 'utf8') : '';
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  replaceFile(file, `${text}${end}${line}\n`, stats?.mode);
  return true;
}

/** Writes a file that only its user can read; a new folder of it is the user's alone, too. */
export function writePrivateFile(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, content, 0o600);
}

/**
 * Writes the file that a command line names, and the folders that it is in.
 * @param given its path, relative to `cwd`
 * @param force whether to replace a file
 * @returns its absolute path
 * @throws Error for a symbolic link, and as `outputPath`
 */
export function writeOutput(given: string, cwd: string, content: Uint8Array, force: boolean): string {
  const file = resolve(cwd, given);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw notRegular(file);
  outputPath(given, cwd);
  mkdirSync(dirname(file), { recursive: true });
  if (force) replaceFile(file, content);
  else createFile(file, content);
  return file;
}

/**
 * Returns the absolute path of what a command line names to be written.
 * @throws Error if a symbolic link leads it out of the folder that it shares with `cwd`, which may be someone else's
 */
export function outputPath(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  const shared = realpathSync(sharedFolder(path, cwd));
  const place = realPlace(path);
  if (isIn(place, shared)) return path;
  throw new Error(`"${given}" leads to ${place} through a symbolic link: name that one, or another`);
}

/** Returns the deepest folder that both paths are in. */
function sharedFolder(path: string, folder: string): string {
  return isIn(path, folder) || folder === dirname(folder) ? folder : sharedFolder(path, dirname(folder));
}

function isIn(path: string, folder: string): boolean {
  const [first] = relative(folder, path).split(sep);
  return first !== '..' && resolve(folder, relative(folder, path)) === path;
}

/** Returns the path without symbolic links; its end need not exist. */
function realPlace(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) || path === dirname(path)) return realpathSync(path);
  return join(realPlace(dirname(path)), basename(path));
}

/** Creates the folder of a file of a project, through no symbolic link below the project. */
export function makeFolder(root: string, path = ''): void {
  mkdirSync(root, { recursive: true });
  let at = root;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) mkdirSync(at);
    else if (!stats.isDirectory()) throw new Error(`${at} is not a folder: nothing is written through it`);
  }
}

/** Deletes a folder with all that is in it; of a symbolic link, the link alone. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Deletes a file of a project, and the folders that are empty without it. */
export function removeFile(root: string, file: string): void {
  rmSync(file);
  for (let at = dirname(file); at !== root && readdirSync(at).length === 0; at = dirname(at)) rmdirSync(at);
}
