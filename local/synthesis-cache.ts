import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockFolder } from './folder-lock.ts';

/** An entry is about 40 MB: half of it is a layer of the CDK. */
const KEPT_ENTRIES = 6;
const LOCK = 'lock.db';
const POLL_MS = 100;

/** The names in an entry: the folder itself, and the hash of its files. */
const CONTENT = 'content';
const CHECKSUM = 'checksum';

export interface CacheSettings {
  /** Absolute path of the folder of the cache; it is created. */
  readonly folder: string;
  /** Makes the content of an entry, in a folder that does not exist yet. */
  readonly make: (folder: string) => Promise<void>;
  /** Called when another process is making an entry. */
  readonly onWait: () => void;
}

/**
 * Copies the folder of a key to `target`, and makes it first unless the cache has it undamaged. Of several processes, one makes
 * it and the others wait. An entry appears at once and complete, and the oldest ones are removed.
 * @param key name of a file
 * @param target absolute path of a folder, which is replaced
 * @throws Error of `make`, or that the cache or the target cannot be written
 */
export async function copyCached(
  key: string,
  target: string,
  { folder, make, onWait }: CacheSettings,
): Promise<void> {
  const entry = join(folder, key);
  if (copyEntry(entry, target)) return;
  mkdirSync(folder, { recursive: true });
  const unlock = await waitForLock(join(folder, LOCK), onWait);
  try {
    // Another process may have made it meanwhile.
    if (copyEntry(entry, target)) return;
    removeUnfinished(folder);
    await makeEntry(entry, make);
    removeOldest(folder);
    if (!copyEntry(entry, target)) throw new Error(`Cannot read ${entry}, which was written just now`);
  } finally {
    await unlock();
  }
}

async function waitForLock(folder: string, onWait: () => void): Promise<() => Promise<void>> {
  let unlock = await lockFolder(folder);
  if (unlock === undefined) onWait();
  while (unlock === undefined) {
    await sleep(POLL_MS);
    unlock = await lockFolder(folder);
  }
  return unlock;
}

/**
 * Copies the content of an entry. Returns false if there is none, or if the copy is not what was written: the entry is damaged,
 * or another process removed it at the same time.
 */
function copyEntry(entry: string, target: string): boolean {
  const content = join(entry, CONTENT);
  const checksumFile = join(entry, CHECKSUM);
  if (!existsSync(checksumFile)) return false;
  rmSync(target, { recursive: true, force: true });
  try {
    // Takes no space where the file system can share blocks, such as APFS.
    cpSync(content, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
    if (checksumOf(target) !== readFileSync(checksumFile, 'utf8')) return false;
    const now = new Date();
    utimesSync(entry, now, now);
    return true;
  } catch (error) {
    if (existsSync(checksumFile) && existsSync(content)) throw error;
    return false;
  }
}

async function makeEntry(entry: string, make: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = `${entry}.${randomUUID()}.tmp`;
  mkdirSync(unfinished);
  await make(join(unfinished, CONTENT));
  writeFileSync(join(unfinished, CHECKSUM), checksumOf(join(unfinished, CONTENT)));
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

/** Returns a hash of the paths and contents of all files of a folder. */
function checksumOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const content = readFileSync(path);
    hash.update(JSON.stringify([name, content.length])).update(content);
  }
  return hash.digest('hex');
}
