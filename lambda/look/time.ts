/** The page does not let anything be done with it: its problem is recorded. */
export class Unresponsive extends Error {
  override readonly name = 'Unresponsive';
}

/** Returns what a promise resolves to, or undefined if it takes longer. */
export async function within<T>(ms: number, done: Promise<T>): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([done.then((value) => ({ value })), over]);
  } finally {
    clearTimeout(timer);
  }
}
