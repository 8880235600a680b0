import { meter } from '../usage.ts';
import type { Admission } from './admission.ts';
import { Environment, type FunctionConfig, type Invocation, type Sink } from './environment.ts';

/** The idle time after which an environment ends, except the last one of a function. Each uses some 30 MB. */
const IDLE_MS = 10_000;
/** Tenants are many, and few come back soon. */
const TENANT_IDLE_MS = 3_000;

/**
 * The execution environments of a function, or of one tenant of it. As on Lambda, each runs one invocation at a time and is reused.
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
    meter({ service: 'lambda', function: this.config.name, memoryMb: this.config.memoryMb });
    const turn = await this.admission.enter(this.config.name, clientGone);
    try {
      const environment = this.take();
      turn.environment = environment;
      await environment.ready
        .then(() => environment.run(invocation, sink))
        .finally(() => this.release(environment));
    } finally {
      this.admission.leave(turn);
    }
  }

  /** Kills all environments: their invocations fail, and the next one gets a new environment. */
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
