import * as z from 'zod';

const seconds = z.number();

/** The timeouts of a stage's configuration. */
export const timeouts = z.object({
  providerTimeoutSeconds: seconds,
  firstTokenSeconds: seconds,
  stallSeconds: seconds,
});

/** Timeouts of a provider, in milliseconds. */
export interface Deadlines {
  /** From the start to the last event. */
  readonly totalMs: number;
  /** From the start to the first event. */
  readonly firstMs: number;
  /** From one event to the next. */
  readonly stallMs: number;
}

/** Returns the deadlines of the attempts of a stage. */
export function deadlinesOf(configured: z.output<typeof timeouts>): Deadlines {
  const { providerTimeoutSeconds, firstTokenSeconds, stallSeconds } = configured;
  return {
    // A little less, so that the attempt has logged its outcome in time. The state machine's own timeout has another 30 s, in
    // which what was written is built.
    totalMs: providerTimeoutSeconds * 1000 - Math.min(3_000, providerTimeoutSeconds * 100),
    firstMs: firstTokenSeconds * 1000,
    stallMs: stallSeconds * 1000,
  };
}

/** A provider missed a deadline. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
  readonly outcome: 'timed_out' | 'silent';

  constructor(outcome: 'timed_out' | 'silent', message: string) {
    super(message);
    this.outcome = outcome;
  }
}

/**
 * Yields the events of `source` while it meets the deadlines. A source that ignores its signal is abandoned.
 * @param abort aborted when a deadline has passed; when it is aborted from outside, its reason is thrown
 * @throws DeadlineError
 */
export async function* withDeadlines<T>(
  source: AsyncIterable<T>,
  abort: AbortController,
  { totalMs, firstMs, stallMs }: Deadlines,
): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const end = (outcome: 'timed_out' | 'silent', what: string, ms: number) =>
    abort.abort(new DeadlineError(outcome, `${what} within ${Math.round(ms / 100) / 10} s`));
  const total = setTimeout(end, totalMs, 'timed_out', 'Not done', totalMs);
  let silence = setTimeout(end, firstMs, 'silent', 'No first token', firstMs);
  try {
    while (true) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done) return;
      clearTimeout(silence);
      yield value;
      silence = setTimeout(end, stallMs, 'silent', 'No further token', stallMs);
    }
  } finally {
    clearTimeout(total);
    clearTimeout(silence);
  }
}
