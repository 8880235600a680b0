/** How much longer a hostile text may take than an ordinary one. Quadratic time takes thousands of times as long. */
const FACTOR = 20;

/** Returns a quarter of a megabyte of text. */
export const repeated = (unit: string) => unit.repeat(2 ** 18 / unit.length);

/**
 * Returns a check that work takes linear time: at most 20 times as long as ordinary work on a text of the same length. Both
 * are measured in the same run, and the fastest of three counts.
 */
export function linearTime(ordinary: () => unknown): (hostile: () => unknown) => void {
  let floor: number | undefined;
  return (hostile) => {
    floor ??= Math.min(time(ordinary), time(ordinary), time(ordinary));
    const limit = FACTOR * floor;
    let fastest = time(hostile);
    for (let repeats = 0; repeats < 2 && fastest > limit; repeats++) {
      fastest = Math.min(fastest, time(hostile));
    }
    expect(fastest).toBeLessThanOrEqual(limit);
  };
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
