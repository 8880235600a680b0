import { availableParallelism } from 'node:os';

/** How long a measurement of what an environment does is good for. */
const WINDOW_MS = 25;

/** A function's concurrency. */
const MAX_CONCURRENCY = 64;

/** The right to run, until it is given back. */
export interface Turn {
  readonly functionName: string;
  /** What runs; until it is known, the turn counts as busy. */
  environment?: { utilization(): number };
  /** The part of the last window in which it was busy, 0 to 1. */
  load: number;
  /** When that was, as `performance.now()` tells it. */
  measured: number;
}

/** An invocation that has not begun. */
interface Waiter {
  readonly begin: (turn: Turn) => void;
  readonly clientGone: AbortSignal | undefined;
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
  private readonly waiting = new Map<string, Waiter[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(processors = availableParallelism()) {
    this.limit = Math.max(2, processors);
  }

  /**
   * Resolves in the order of the calls; the functions take turns, so that what a burst began is finished beside it and
   * nobody waits for all of it. An invocation whose client has gone runs all the same, as on AWS, but begins after those
   * that somebody waits for. The turn has to be given to `leave`.
   */
  enter(functionName: string, clientGone?: AbortSignal): Promise<Turn> {
    return new Promise((begin) => {
      const waiter = { begin, clientGone };
      const queue = this.waiting.get(functionName);
      if (queue === undefined) this.waiting.set(functionName, [waiter]);
      else queue.push(waiter);
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
      const next = this.next((waiter) => !waiter.clientGone?.aborted) ?? this.next(() => true);
      if (next === undefined) return;
      const { functionName, waiter } = next;
      const turn = { functionName, load: 1, measured: performance.now() };
      this.running.add(turn);
      waiter.begin(turn);
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.admit();
    }, WINDOW_MS);
  }

  /** Takes the first of these that may begin out of the queue of the function whose turn it is. */
  private next(wanted: (waiter: Waiter) => boolean): { functionName: string; waiter: Waiter } | undefined {
    for (const [functionName, queue] of this.waiting) {
      const index = queue.findIndex(wanted);
      const waiter = queue[index];
      if (waiter === undefined || this.concurrency(functionName) >= MAX_CONCURRENCY) continue;
      queue.splice(index, 1);
      this.waiting.delete(functionName);
      if (queue.length > 0) this.waiting.set(functionName, queue);
      return { functionName, waiter };
    }
    return undefined;
  }

  private concurrency(functionName: string): number {
    let count = 0;
    for (const turn of this.running) if (turn.functionName === functionName) count += 1;
    return count;
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
