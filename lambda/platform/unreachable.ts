import { setTimeout as sleep } from 'node:timers/promises';
import { afterRunning, type Clock } from './clock.ts';

const CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
const THROTTLED = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
]);

/** Returns whether AWS rejected a call because of a quota. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && (THROTTLED.has(error.name) || isThrottled(error.cause));
}

/** The error for an index that DynamoDB is still filling: an update of the stack does not wait for it. */
const BACKFILLING = 'Cannot read from backfilling global secondary index';

/**
 * Returns whether an AWS call failed, after the SDK's own retries, because the service was unreachable or overloaded:
 * no connection, a timeout, throttling, a 5xx, or an index that is not ready.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  if (error.name === 'TimeoutError' || isThrottled(error) || (code !== undefined && CONNECTION.has(code))) return true;
  if (($metadata?.httpStatusCode ?? 0) >= 500 || error.message.startsWith(BACKFILLING)) return true;
  return error instanceof AggregateError ? error.errors.some(isUnreachable) : isUnreachable(error.cause);
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Makes a call, again and again while AWS is unreachable. */
export type Retry = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Retries `call` with exponential backoff (100 ms to 1 s) while AWS is unreachable; any other error is thrown at once.
 * `call` must be idempotent: a write may have taken effect although its response was lost.
 * @param deadline Unix milliseconds after which no retry begins
 */
export async function retryUntil<T>(deadline: number, call: () => Promise<T>, clock: Clock): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await call();
    } catch (error) {
      if (!isUnreachable(error) || clock() + pause > deadline) throw error;
      await sleep(pause);
    }
  }
}

/**
 * For how long a service is not called after it was unreachable: up to a half longer at random, so that the instances of a
 * function, which lost it at the same time, do not all call it again at the same time.
 */
const OPEN_MS = 400;

/** How long a read waits for a service that did not respond: some ten times what a read takes, and less than visits wait otherwise. */
const SHORT_WAIT_MS = 250;

/** The error of a call that was not made, or not waited for. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen';

  constructor() {
    super('The service was unreachable a moment ago');
  }
}

/**
 * Calls an AWS service, but not for half a second after it was unreachable: then every call fails at once instead of waiting for
 * its timeout. After that, one call probes the service; if it succeeds, calls are made again. Throttling does not open the
 * circuit: it is a quick response, and may concern a single key.
 * https://docs.aws.amazon.com/prescriptive-guidance/latest/cloud-design-patterns/circuit-breaker.html
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #random: () => number;
  /** Unix milliseconds; 0 while the circuit is closed. */
  #openUntil = 0;
  /** Whether the call that opened the circuit got no response. */
  #isSilent = false;

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
      this.#openUntil = isGone(error) ? this.#clock() + this.#pause() : 0;
      this.#isSilent = isTimeout(error);
      throw error;
    }
  }

  /**
   * Makes a read even while the circuit is open: once the service works again, no read fails because it did not a moment ago. If the
   * service did not respond at all, the read does not wait for long.
   * @throws CircuitOpen, or the error of the read
   */
  async read<Result>(read: () => Promise<Result>): Promise<Result> {
    if (this.#clock() >= this.#openUntil) return this.call(read);
    const result = read().then(
      (value) => {
        this.#openUntil = 0;
        return value;
      },
      (error: unknown) => {
        if (isGone(error)) throw new CircuitOpen();
        this.#openUntil = 0;
        throw error;
      },
    );
    if (!this.#isSilent) return result;
    const short = Promise.withResolvers<never>();
    const cancel = afterRunning(SHORT_WAIT_MS, () => short.reject(new CircuitOpen()));
    return Promise.race([result, short.promise]).finally(cancel);
  }

  #pause(): number {
    return OPEN_MS * (1 + this.#random() / 2);
  }
}

function isGone(error: unknown): boolean {
  return isUnreachable(error) && !isThrottled(error);
}

/** Returns whether a call got no response, rather than a refusal. */
function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || isTimeout(error.cause);
}
