import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFile } from './lock.ts';

/** An entry is about 40 MB: half of it is a layer of the CDK. */
const KEPT_ENTRIES = 6;
const LOCK = 'cache.lock';
const POLL_MS = 50;

/** The names in an entry: the folder itself, and the list of its files. */
const CONTENT = 'content';
const LIST = 'files.json';

interface CacheSettings {
  /** Absolute path of the folder of the cache; it is created. */
  readonly folder: string;
  /** Makes the content of an entry, in a folder that does not exist yet. */
  readonly make: (folder: string) => Promise<void>;
  /** Called when another process is making an entry. */
  readonly onWait: () => void;
}

/**
 * Links the files of a key into `target`, and makes them first unless the cache has them undamaged. Of several
 * processes, one makes them and the others wait. An entry appears at once and complete, and the oldest ones are
 * removed, which leaves the files of targets. A target must not be written to: its files are those of the entry.
 * @param key name of a file
 * @param target absolute path of a folder, which is replaced
 * @throws Error of `make`, or that the cache or the target cannot be written
 */
export async function linkCached(key: string, target: string, { folder, make, onWait }: CacheSettings): Promise<void> {
  const entry = join(folder, key);
  if (linkEntry(entry, target)) return;
  mkdirSync(folder, { recursive: true });
  const unlock = await waitForLock(join(folder, LOCK), onWait);
  try {
    // Another process may have made it meanwhile.
    if (linkEntry(entry, target)) return;
    removeUnfinished(folder);
    await makeEntry(entry, make);
    removeOldest(folder);
    if (!linkEntry(entry, target)) throw new Error(`Cannot read ${entry}, which was written just now`);
  } finally {
    unlock();
  }
}

async function waitForLock(path: string, onWait: () => void): Promise<() => void> {
  let unlock = lockFile(path);
  if (unlock === undefined) onWait();
  while (unlock === undefined) {
    await sleep(POLL_MS);
    unlock = lockFile(path);
  }
  return unlock;
}

/**
 * Links the content of an entry. Returns false if there is none, or if its files do not have the sizes that were
 * written: the machine crashed soon after, or another process is removing the entry.
 */
function linkEntry(entry: string, target: string): boolean {
  const content = join(entry, CONTENT);
  const listFile = join(entry, LIST);
  if (!existsSync(listFile)) return false;
  rmSync(target, { recursive: true, force: true });
  try {
    linkFolder(content, target);
    if (listFiles(target) !== readFileSync(listFile, 'utf8')) return false;
    const now = new Date();
    utimesSync(entry, now, now);
    return true;
  } catch (error) {
    if (existsSync(listFile) && existsSync(content)) throw error;
    return false;
  }
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    // On another file system, or on one without hard links. Native packages are symbolic links.
    if (lstatSync(source).isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else copyFileSync(source, target, constants.COPYFILE_FICLONE);
  }
}

async function makeEntry(entry: string, make: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = `${entry}.${randomUUID()}.tmp`;
  mkdirSync(unfinished);
  await make(join(unfinished, CONTENT));
  writeFileSync(join(unfinished, LIST), listFiles(join(unfinished, CONTENT)));
  rmSync(entry, { recursive: true, force: true });
  renameSync(unfinished, entry);
}

/** Removes what processes left that failed or died while they made an entry. Only with the lock. */
function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.tmp')) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes all entries but those that were used last. */
function removeOldest(folder: string): void {
  const entries = readdirSync(folder)
    .filter((name) => name !== LOCK)
    .map((name) => join(folder, name))
    .map((path) => ({ path, usedAt: statSync(path).mtimeMs }))
    .toSorted((a, b) => b.usedAt - a.usedAt);
  for (const { path } of entries.slice(KEPT_ENTRIES)) rmSync(path, { recursive: true, force: true });
}

/** Returns the paths and sizes of all files of a folder, as JSON. */
function listFiles(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [path.slice(folder.length), statSync(path).size] as const);
  return JSON.stringify(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
