import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';

/** The folder of a LevelDB that holds nothing: the operating system lets one live process have it open. */
const LOCK = 'lock.db';
/** Inside of it; for the error message only. */
const PID_FILE = 'pid';

/** The locks of this process: a second `open()` in the same process would release the first one's lock. */
const held = new Set<string>();

/**
 * Creates the state folder and locks it for this process, until the returned function is called or the process ends,
 * however it ends. The lock is LevelDB's, a file lock of the operating system, which the tables in the same folder
 * need as well: a dead process cannot hold it, and two starts at once cannot both get it.
 * @param stateDir absolute path
 * @throws Error that names the process that holds the lock; nothing in the folder is changed then
 */
export async function lockState(stateDir: string): Promise<() => Promise<void>> {
  createFolder(stateDir);
  const folder = join(stateDir, LOCK);
  if (held.has(folder)) throw new Error(refusal(stateDir, process.pid));
  held.add(folder);
  const lock = new ClassicLevel(folder);
  try {
    await lock.open();
  } catch (error) {
    held.delete(folder);
    const { code, message } = (error as Error).cause as NodeJS.ErrnoException;
    throw new Error(
      code === 'LEVEL_LOCKED' ? refusal(stateDir, holder(folder)) : unusable(stateDir, message),
    );
  }
  const pidFile = join(folder, PID_FILE);
  writeFileSync(pidFile, String(process.pid));
  return async () => {
    if (lock.status !== 'open') return;
    // The folder stays: another process may open it the moment it is closed.
    rmSync(pidFile, { force: true });
    await lock.close();
    held.delete(folder);
  };
}

/** Removes everything in the state folder except the lock. */
export function emptyState(stateDir: string): void {
  for (const name of readdirSync(stateDir)) {
    if (name !== LOCK) rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

/** @throws Error when the path is not a folder and cannot become one */
function createFolder(stateDir: string): void {
  try {
    mkdirSync(stateDir, { recursive: true });
  } catch (error) {
    throw new Error(unusable(stateDir, (error as Error).message));
  }
}

/** The process that holds the lock, or undefined while it has not written its id yet. */
function holder(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, PID_FILE), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function unusable(stateDir: string, why: string): string {
  return `The state folder ${stateDir} cannot be used (${why}): set STATE_DIR to a writable folder`;
}

function refusal(stateDir: string, pid: number | undefined): string {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return `The state in ${stateDir} is in use by ${who}: stop it, or set STATE_DIR, PORT and BACKEND_PORT for a second service.`;
}
