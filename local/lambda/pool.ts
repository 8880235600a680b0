import { Environment, type FunctionConfig, type Sink } from './environment.ts';

/** Environments of one function that may load their code at the same time. */
const MAX_INITIALIZING = 2;
const MAX_ENVIRONMENTS = 64;
/** A free environment ends after this time, except for the last one. */
const IDLE_MS = 60_000;

interface Waiter {
  readonly resolve: (environment: Environment) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The execution environments of one function. As on Lambda each of them runs one invocation at a time and is
 * used again; requests wait in the order in which they came, and while they wait environments are added.
 */
export class Pool {
  private readonly config: FunctionConfig;
  private readonly log: (line: string) => void;
  private readonly all = new Set<Environment>();
  private readonly idle = new Map<Environment, NodeJS.Timeout>();
  private readonly waiters: Waiter[] = [];
  private initializing = 0;
  private closed = false;

  constructor(config: FunctionConfig, log: (line: string) => void) {
    this.config = config;
    this.log = log;
  }

  /** Runs one invocation in the next free environment. Rejects with FunctionError. */
  async run(event: string, requestId: string, sink: Sink): Promise<void> {
    const environment = await this.acquire();
    try {
      await environment.run(event, requestId, sink);
    } finally {
      this.release(environment);
    }
  }

  /** Ends every environment there is; what they run fails, and the next invocation gets a new one. */
  async crash(): Promise<void> {
    const crashed = [...this.all];
    this.all.clear();
    for (const timer of this.idle.values()) clearTimeout(timer);
    this.idle.clear();
    await Promise.all(crashed.map((environment) => environment.crash()));
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.idle.values()) clearTimeout(timer);
    await Promise.all([...this.all].map((environment) => environment.terminate()));
  }

  private acquire(): Promise<Environment> {
    // The one used last comes first, so that the others grow old and end.
    const free = [...this.idle.keys()].filter((environment) => environment.alive).at(-1);
    if (free !== undefined) {
      clearTimeout(this.idle.get(free));
      this.idle.delete(free);
      return Promise.resolve(free);
    }
    return new Promise((resolve, reject) => {
      this.waiters.push({ resolve, reject });
      this.grow();
    });
  }

  private grow(): void {
    if (this.closed || this.initializing >= Math.min(MAX_INITIALIZING, this.waiters.length)) return;
    if (this.all.size >= MAX_ENVIRONMENTS) return;
    const environment = new Environment(this.config, this.log);
    this.all.add(environment);
    this.initializing += 1;
    environment.ready
      .then(
        () => this.settle(environment),
        (error: unknown) => {
          this.all.delete(environment);
          this.waiters.shift()?.reject(error);
        },
      )
      .finally(() => {
        this.initializing -= 1;
        this.grow();
      });
    this.grow();
  }

  private release(environment: Environment): void {
    if (environment.alive) this.settle(environment);
    else this.all.delete(environment);
    this.grow();
  }

  private settle(environment: Environment): void {
    const waiter = this.waiters.shift();
    if (waiter !== undefined) {
      waiter.resolve(environment);
      return;
    }
    const timer = setTimeout(() => this.retire(environment), IDLE_MS).unref();
    this.idle.set(environment, timer);
  }

  private retire(environment: Environment): void {
    if (this.all.size === 1) return;
    this.idle.delete(environment);
    this.all.delete(environment);
    void environment.terminate();
  }
}
