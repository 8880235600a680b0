import { availableParallelism } from 'node:os';
import { Environment, type FunctionConfig, type Invocation, type Sink } from './environment.ts';

/** The idle time after which an environment ends, except the last one of a function. Each uses some 30 MB. */
const IDLE_MS = 10_000;
/** Tenants are many, and few come back soon. */
const TENANT_IDLE_MS = 3_000;

/**
 * The execution environments of a function, or of one tenant of it. As on Lambda, each runs one invocation at a time
 * and is reused.
 */
export class Pool {
  private readonly config: FunctionConfig;
  private readonly admission: Admission;
  private readonly log: (line: string) => void;
  private readonly all = new Set<Environment>();
  private readonly idle = new Map<Environment, NodeJS.Timeout>();
  private closed = false;

  constructor(config: FunctionConfig, admission: Admission, log: (line: string) => void) {
    this.config = config;
    this.admission = admission;
    this.log = log;
  }

  /**
   * Runs an invocation in an idle or a new environment.
   * @param clientGone aborted when the client disconnects
   * @throws FunctionError
   */
  async run(invocation: Invocation, sink: Sink, clientGone?: AbortSignal): Promise<void> {
    const turn = await this.admission.enter(this.config.name, clientGone);
    try {
      const environment = this.take();
      turn.environment = environment;
      await environment.ready.then(() => environment.run(invocation, sink)).finally(() => this.release(environment));
    } finally {
      this.admission.leave(turn);
    }
  }

  /** Kills all environments: their invocations fail, and the next one gets a new environment. @returns how many there were */
  async crash(): Promise<number> {
    const crashed = [...this.all];
    this.all.clear();
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all(crashed.map((environment) => environment.crash()));
    return crashed.length;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.all([...this.all].map((environment) => environment.terminate()));
  }

  private take(): Environment {
    if (this.closed) throw new Error('The local cloud is closed');
    // Prefers the most recently used one, so that the others reach their idle time.
    const free = [...this.idle.keys()].filter((environment) => environment.alive).at(-1);
    if (free !== undefined) {
      clearTimeout(this.idle.get(free));
      this.idle.delete(free);
      return free;
    }
    const environment = new Environment(this.config, this.log);
    this.all.add(environment);
    return environment;
  }

  private release(environment: Environment): void {
    if (!environment.alive) {
      this.all.delete(environment);
      return;
    }
    const idleMs = this.config.perTenant ? TENANT_IDLE_MS : IDLE_MS;
    const timer = setTimeout(() => this.retire(environment), idleMs).unref();
    this.idle.set(environment, timer);
  }

  private retire(environment: Environment): void {
    if (this.all.size === 1 && !this.config.perTenant) return;
    this.idle.delete(environment);
    this.all.delete(environment);
    void environment.terminate();
  }
}

/** The interval between measurements of an environment's load. */
const WINDOW_MS = 25;

/** The most invocations of a function that run at a time; others wait. Each uses some 30 MB. */
const MAX_CONCURRENCY = 64;

/** Permission to run an invocation, until it is returned with `leave`. */
export interface Turn {
  readonly functionName: string;
  /** The environment of the invocation; until it is set, the turn counts as fully busy. */
  environment?: { utilization(): number };
  /** The busy fraction of the last window, 0 to 1. */
  load: number;
  /** The time of that measurement, from `performance.now()`. */
  measured: number;
}

/** A waiting invocation. */
interface Waiter {
  readonly begin: (turn: Turn) => void;
  readonly clientGone: AbortSignal | undefined;
}

/**
 * Starts invocations while processors are free. On Lambda every environment has its own processor; here they share
 * a few, and a burst that started at once would run into the timeouts of its AWS calls. Invocations that wait for
 * the network, a provider or a generation do not count.
 */
export class Admission {
  private readonly limit: number;
  private readonly running = new Set<Turn>();
  /** By function; the next function is first. */
  private readonly waiting = new Map<string, Waiter[]>();
  private timer: NodeJS.Timeout | undefined;

  constructor(processors = availableParallelism()) {
    this.limit = Math.max(2, processors);
  }

  /**
   * Waits for a turn, in the order of the calls. Functions take turns, so that other functions do not wait for a burst
   * of one. An invocation whose client has disconnected still runs, as on AWS, but after those whose clients wait. The
   * turn must be returned with `leave`.
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

  /** Dequeues the first eligible invocation, of the next function that has one and is below that limit. */
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
