import { availableParallelism } from 'node:os';

/** How long a measurement of what an environment does is good for. */
const WINDOW_MS = 25;

/** The right to run, until it is given back. */
export interface Turn {
  /** What runs; until it is known, the turn counts as busy. */
  environment?: { utilization(): number };
  /** The part of the last window in which it was busy, 0 to 1. */
  load: number;
  /** When that was, as `performance.now()` tells it. */
  measured: number;
}

/**
 * Lets invocations begin while the machine has processors for them. On Lambda every environment has its own; here
 * they share a few, and a burst that began all at once would only run into its own timeouts, one AWS call after
 * the other. What waits for the network, for a provider or a generation, is not counted.
 */
export class Admission {
  private readonly limit: number;
  private readonly running = new Set<Turn>();
  /** By function; the function whose turn is next comes first. */
  private readonly waiting = new Map<string, ((turn: Turn) => void)[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(processors = availableParallelism()) {
    this.limit = Math.max(2, processors);
  }

  /**
   * Fulfilled in the order of the calls; the functions take turns, so that what a burst began is finished beside
   * it and nobody waits for all of it. The turn has to be given to `leave`.
   */
  enter(functionName: string): Promise<Turn> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(functionName);
      if (queue === undefined) this.waiting.set(functionName, [resolve]);
      else queue.push(resolve);
      this.admit();
    });
  }

  leave(turn: Turn): void {
    this.running.delete(turn);
    this.admit();
  }

  private admit(): void {
    if (this.waiting.size === 0) return;
    for (let free = this.limit - this.load(); free > 0; free -= 1) {
      const resolve = this.next();
      if (resolve === undefined) return;
      const turn = { load: 1, measured: performance.now() };
      this.running.add(turn);
      resolve(turn);
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.admit();
    }, WINDOW_MS);
  }

  private next(): ((turn: Turn) => void) | undefined {
    for (const [functionName, queue] of this.waiting) {
      this.waiting.delete(functionName);
      const next = queue.shift();
      if (queue.length > 0) this.waiting.set(functionName, queue);
      return next;
    }
    return undefined;
  }

  private load(): number {
    const now = performance.now();
    let sum = 0;
    for (const turn of this.running) {
      if (now - turn.measured >= WINDOW_MS) {
        turn.load = Math.max(0, turn.environment?.utilization() ?? 1);
        turn.measured = now;
      }
      sum += turn.load;
    }
    return sum;
  }
}
