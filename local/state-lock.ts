import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';

/** The folder that only one process can lock at a time. */
const LOCK = 'lock.db';
/** A file in that folder, for the error message only. */
const PID_FILE = 'pid';

/**
 * Creates the state folder and locks it for this process, until the returned function is called or the process ends.
 * @param stateDir absolute path
 * @throws Error that names the process that holds the lock; the folder is unchanged
 */
export async function lockState(stateDir: string): Promise<() => Promise<void>> {
  createFolder(stateDir);
  const folder = join(stateDir, LOCK);
  const unlock = await lockFolder(folder).catch((error: Error) => {
    throw new Error(unusable(stateDir, error.message));
  });
  if (unlock === undefined) throw new Error(inUse(stateDir, holder(folder)));
  const pidFile = join(folder, PID_FILE);
  writeFileSync(pidFile, String(process.pid));
  let locked = true;
  return async () => {
    if (!locked) return;
    locked = false;
    // Keeps the folder, because another process may lock it as soon as it is unlocked.
    rmSync(pidFile, { force: true });
    await unlock();
  };
}

/** Removes everything in the state folder except the lock. */
export function emptyState(stateDir: string): void {
  for (const name of readdirSync(stateDir)) {
    if (name !== LOCK) rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

/** @throws Error when the folder cannot be created */
function createFolder(stateDir: string): void {
  try {
    mkdirSync(stateDir, { recursive: true });
  } catch (error) {
    throw new Error(unusable(stateDir, (error as Error).message));
  }
}

/** Returns the id of the process that holds the lock, or undefined before it is written. */
function holder(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, PID_FILE), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function unusable(stateDir: string, cause: string): string {
  return `Cannot use the state folder ${stateDir} (${cause}): set STATE_DIR to a writable folder`;
}

function inUse(stateDir: string, pid: number | undefined): string {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return `The state in ${stateDir} is in use by ${who}: stop it, or set STATE_DIR, PORT and BACKEND_PORT for a second service`;
}
