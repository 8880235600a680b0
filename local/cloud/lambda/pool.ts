import type { Admission } from './admission.ts';
import { Environment, type FunctionConfig, type Sink } from './environment.ts';

/** A free environment ends after this time, except for the last one: it holds some 30 MB. */
const IDLE_MS = 10_000;

/**
 * The execution environments of one function. As on Lambda each of them runs one invocation at a time and is
 * used again; requests begin in the order in which they came.
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
   * Runs one invocation, in a free environment or a new one. Rejects with FunctionError.
   * @param clientGone aborted when nobody waits for the answer any more
   */
  async run(event: string, requestId: string, sink: Sink, clientGone?: AbortSignal): Promise<void> {
    const turn = await this.admission.enter(this.config.name, clientGone);
    try {
      const environment = this.take();
      turn.environment = environment;
      await environment.ready
        .then(() => environment.run(event, requestId, sink))
        .finally(() => this.release(environment));
    } finally {
      this.admission.leave(turn);
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

  private take(): Environment {
    if (this.closed) throw new Error('The local cloud has ended.');
    // The one used last comes first, so that the others grow old and end.
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
