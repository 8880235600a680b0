import { rmSync } from 'node:fs';

const closers: (() => Promise<unknown>)[] = [];
const folders: string[] = [];

/**
 * Returns a function that starts something with its first call in this process, such as a browser or a cloud, and returns the
 * same with later ones: the test files of a worker share it.
 * @param close closes it if Jest runs all files in its own process; otherwise it ends with the worker
 */
export function shared<T>(start: () => Promise<T>, close: (started: T) => Promise<unknown>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    if (started === undefined) {
      started = start();
      closers.push(() => (started as Promise<T>).then(close));
    }
    return started;
  };
}

/** Removes a folder of something that is shared when the process ends. */
export function removeAtEnd(folder: string): void {
  if (folders.length === 0)
    process.on('exit', () => {
      for (const one of folders) rmSync(one, { recursive: true, force: true });
    });
  folders.push(folder);
}

/** Closes what the test files of this process shared. */
export async function closeShared(): Promise<void> {
  await Promise.allSettled(closers.splice(0).map((close) => close()));
}
