import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The lock of a state folder, and the id of the process that holds it, for the error message only. */
const LOCK = 'state.lock';
const PID_FILE = 'state.pid';

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * The locks of this process by path. A database that nothing refers to is closed by the garbage collector, and closing a
 * second one of the same file would release the lock of the first.
 */
const held = new Map<string, DatabaseSync>();

/**
 * Locks a file for this process, until the returned function is called or the process ends. SQLite takes a file lock of
 * the operating system: a dead process cannot hold it, and of two concurrent processes only one gets it.
 * @param path absolute path; the empty file is created if its folder exists
 * @returns undefined if it is locked already, by this process or another
 * @throws Error if the file cannot be used
 */
export function lockFile(path: string): (() => void) | undefined {
  if (held.has(path)) return undefined;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is written, so no file of a journal. Of two processes that begin an exclusive transaction at the same
    // time, both could fail.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  held.set(path, lock);
  return () => {
    if (!lock.isOpen) return;
    lock.close();
    held.delete(path);
  };
}

/**
 * Creates the state folder and locks it for this process, until the returned function is called or the process ends.
 * @param stateDir absolute path
 * @throws Error that names the process that holds the lock; the folder is unchanged
 */
export function lockState(stateDir: string): () => void {
  const pidFile = join(stateDir, PID_FILE);
  const unlock = lockFolder(stateDir);
  if (unlock === undefined) {
    const pid = readPid(pidFile);
    const holder = pid === undefined ? 'another process' : `process ${pid}`;
    throw new Error(
      `The state in ${stateDir} is in use by ${holder}: stop it, or set STATE_DIR, PORT and BACKEND_PORT for a second service`,
    );
  }
  writeFileSync(pidFile, String(process.pid));
  let locked = true;
  return () => {
    if (!locked) return;
    locked = false;
    // Keeps the lock file, because another process may lock it as soon as it is unlocked.
    rmSync(pidFile, { force: true });
    unlock();
  };
}

/** Removes everything in the state folder except the lock. */
export function emptyState(stateDir: string): void {
  for (const name of readdirSync(stateDir)) {
    if (name !== LOCK && name !== PID_FILE) rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

function lockFolder(stateDir: string): (() => void) | undefined {
  try {
    mkdirSync(stateDir, { recursive: true });
    return lockFile(join(stateDir, LOCK));
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Cannot use the state folder ${stateDir} (${message}): set STATE_DIR to a writable folder`);
  }
}

/** Returns the id of the process that holds the lock, or undefined before it is written. */
function readPid(pidFile: string): number | undefined {
  try {
    return Number(readFileSync(pidFile, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
