import { mkdirSync } from 'node:fs';
import { ClassicLevel } from 'classic-level';

/** The locks of this process: a second `open()` in the same process would release the lock of the first. */
const held = new Set<string>();

/**
 * Locks a folder for this process, until the returned function is called or the process ends. The folder becomes an empty
 * LevelDB, which takes a file lock of the operating system: a dead process cannot hold it, and of two concurrent processes
 * only one gets it.
 * @param folder absolute path; it is created if its parent exists
 * @returns undefined if it is locked already, by this process or another
 * @throws Error with the cause if the folder cannot be used
 */
export async function lockFolder(folder: string): Promise<(() => Promise<void>) | undefined> {
  if (held.has(folder)) return undefined;
  held.add(folder);
  const lock = new ClassicLevel(folder);
  try {
    mkdirSync(folder, { recursive: true });
    await lock.open();
  } catch (error) {
    held.delete(folder);
    const cause = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (cause.code === 'LEVEL_LOCKED') return undefined;
    throw cause;
  }
  return async () => {
    if (lock.status !== 'open') return;
    await lock.close();
    held.delete(folder);
  };
}
