import { SOAK } from './soak.ts';

/** How much longer a hostile text may take than an ordinary one. Quadratic time takes thousands of times as long. */
const FACTOR = 20;

/** The least time that ordinary work counts as, in microseconds: some kernels measure a thread in milliseconds. */
const LEAST = 1_000;

/** Returns 64 KB of text; a quarter of a megabyte in the soak tests. */
export const repeated = (unit: string) => unit.repeat(2 ** (SOAK ? 18 : 16) / unit.length);

/**
 * Returns a check that work takes linear time: at most 20 times as long as ordinary work on a text of the same length. Both
 * are measured in the same run, and the fastest of five counts.
 */
export function linearTime(ordinary: () => unknown): (hostile: () => unknown) => void {
  let floor: number | undefined;
  return (hostile) => {
    floor ??= Math.max(LEAST, Math.min(...[ordinary, ordinary, ordinary].map(processorTime)));
    const limit = FACTOR * floor;
    let fastest = processorTime(hostile);
    for (let repeats = 0; repeats < 4 && fastest > limit; repeats++) {
      fastest = Math.min(fastest, processorTime(hostile));
    }
    expect(fastest).toBeLessThanOrEqual(limit);
  };
}

/** Returns the processor time that work takes this thread, in microseconds: other processes do not count. */
export function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
