import type { Clock } from './clock.ts';
import { isThrottled, isUnreachable } from './unreachable.ts';

/**
 * For how long a service is not called after it was unreachable: up to a half longer at random, so that the instances of a
 * function, which lost it at the same time, do not all wait for it again at the same time. With the probe, that is less than the 5 s in
 * which the service recovers.
 */
const OPEN_MS = 3_000;

/** The error of a call that was not made. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen';

  constructor() {
    super('The service was unreachable a moment ago, so it was not called');
  }
}

/**
 * Calls an AWS service, but not for 3 s after it was unreachable: then every call fails at once instead of waiting for its
 * timeout. After these 3 s one call probes the service; if it succeeds, calls are made again. Throttling does not open the
 * circuit: it is a quick response, and may concern a single key.
 * https://docs.aws.amazon.com/prescriptive-guidance/latest/cloud-design-patterns/circuit-breaker.html
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  /** Unix milliseconds; 0 while the circuit is closed. */
  #openUntil = 0;

  /** @param random returns a number from 0 to 1 */
  constructor(clock: Clock, random = Math.random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** @throws CircuitOpen, or the error of the call */
  async call<Result>(call: () => Promise<Result>): Promise<Result> {
    const now = this.#clock();
    if (now < this.#openUntil) throw new CircuitOpen();
    // Others do not wait for the probe.
    if (this.#openUntil > 0) this.#openUntil = now + this.#pause();
    try {
      const result = await call();
      this.#openUntil = 0;
      return result;
    } catch (error) {
      const isGone = isUnreachable(error) && !isThrottled(error);
      this.#openUntil = isGone ? this.#clock() + this.#pause() : 0;
      throw error;
    }
  }

  #pause(): number {
    return OPEN_MS * (1 + this.#random() / 2);
  }
}
