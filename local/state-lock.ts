import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';

const LOCK = 'lock';

/** The locks of this process: its own id in any other lock was left there by one that had the same id. */
const held = new Set<string>();

interface Holder {
  readonly pid: number;
  /** Seconds that the machine had run when the lock was taken: less now is another run of it, with other processes. */
  readonly uptime: number;
}

/**
 * Makes the state folder and takes it for this process, until what is returned is called or the process ends.
 * @param stateDir absolute path
 * @throws Error that names the process which has it; nothing in the folder is touched then
 */
export function lockState(stateDir: string): () => void {
  mkdirSync(stateDir, { recursive: true });
  const file = join(stateDir, LOCK);
  while (!create(file)) {
    const holder = read(file);
    if (isRunning(file, holder)) throw new Error(refusal(stateDir, file, holder));
    rmSync(file, { force: true });
  }
  held.add(file);
  return () => {
    if (held.delete(file)) rmSync(file, { force: true });
  };
}

/** Removes what is in the state folder, but for the lock. */
export function emptyState(stateDir: string): void {
  for (const name of readdirSync(stateDir)) {
    if (name !== LOCK) rmSync(join(stateDir, name), { recursive: true, force: true });
  }
}

/** @returns false if there is such a file already */
function create(file: string): boolean {
  const holder: Holder = { pid: process.pid, uptime: uptime() };
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @returns undefined if it does not say: another start is just writing it, or the machine died before it was on disk */
function read(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isRunning(file: string, holder: Holder | undefined): boolean {
  if (holder === undefined) return true;
  if (holder.pid === process.pid) return held.has(file);
  if (uptime() < holder.uptime) return false;
  try {
    return process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is another user's.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function refusal(stateDir: string, file: string, holder: Holder | undefined): string {
  const who = holder ? `process ${holder.pid}` : 'another process';
  return (
    `The state in ${stateDir} is in use by ${who}: stop it, or set STATE_DIR, PORT and BACKEND_PORT for a second service. ` +
    `If that is no local cloud, delete ${file}.`
  );
}
