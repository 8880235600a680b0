/** The number with which `jest-worker` asks a worker to end. */
const END = 2;

const closers: (() => Promise<unknown>)[] = [];

/**
 * Returns a function that starts something with its first call in this process, such as a browser or a cloud, and returns the
 * same with later ones: the test files of a worker share it. It is closed when the worker ends.
 */
export function shared<T>(
  start: () => Promise<T>,
  close: (started: T) => Promise<unknown>,
): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => {
    if (started === undefined) {
      started = start();
      closers.push(() => (started as Promise<T>).then(close));
      if (closers.length === 1) process.on('message', endWorker);
    }
    return started;
  };
}

/** Closes what the test files of this process shared. */
export async function closeShared(): Promise<void> {
  await Promise.allSettled(closers.splice(0).map((close) => close()));
}

/** Ends the worker, which Jest would otherwise kill half a second later, before its temporary folders are removed. */
function endWorker(message: unknown): void {
  if (!Array.isArray(message) || message[0] !== END) return;
  void closeShared().finally(() => process.exit());
}
