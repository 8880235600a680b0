import { NodeHttpHandler } from '@smithy/node-http-handler';

const TICK_MS = 25;

/** The most that a tick counts. A later one means that this process, and on a laptop the service as well, had no processor. */
const MOST_MS = 2 * TICK_MS;

/**
 * Sends the requests of an AWS client, and gives up waiting for the headers of a response after a time in which this process could run:
 * a deadline by the clock would fail requests on a busy machine although the service works.
 */
export class PatientHandler extends NodeHttpHandler {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    super();
    this.#milliseconds = milliseconds;
  }

  /** @throws an error named TimeoutError, which the SDK retries */
  override async handle(...[request, options]: Parameters<NodeHttpHandler['handle']>) {
    const deadline = new AbortController();
    let left = this.#milliseconds;
    let last = performance.now();
    const ticks = setInterval(() => {
      const now = performance.now();
      left -= Math.min(now - last, MOST_MS);
      last = now;
      if (left <= 0) deadline.abort();
    }, TICK_MS);
    const { abortSignal } = options ?? {};
    const signals = [deadline.signal, ...(abortSignal instanceof AbortSignal ? [abortSignal] : [])];
    try {
      return await super.handle(request, { ...options, abortSignal: AbortSignal.any(signals) });
    } catch (error) {
      if (!deadline.signal.aborted) throw error;
      const message = `No response from ${request.hostname} within ${this.#milliseconds} ms`;
      throw Object.assign(new Error(message), { name: 'TimeoutError' });
    } finally {
      clearInterval(ticks);
    }
  }
}
