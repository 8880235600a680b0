import type { Clock } from '../platform/clock.ts';
import { CircuitOpen, isUnreachable } from '../platform/unreachable.ts';
import { asOf, type Deployment } from '../stored/deployment.ts';

/** What an instance knows about a deployment. */
export interface Pointer {
  /** Undefined if there is none. */
  readonly deployment: Deployment | undefined;
  /** For how many seconds the edge may serve a response without asking again. */
  readonly edgeSeconds: number;
  /** Whether the deployment was read for this visit, rather than remembered. */
  readonly current: boolean;
}

/** The most pointers that an instance remembers. */
const REMEMBERED = 1_000;

/**
 * For how long an instance serves the version that it knows while DynamoDB is unreachable: without it, the edge would serve its copies,
 * which can be of different versions. Shorter than the time until which a page that becomes private may have copies.
 */
const OUTAGE_MS = 60_000;

/**
 * Reads pointers, and remembers them for outages. With `edgeSeconds` an instance reads each again only after as long, and a response may
 * be cached for what is left of that time: no visitor sees a version that was replaced more than `edgeSeconds` ago.
 */
export class RememberedPointers {
  readonly #read: (id: string) => Promise<Deployment | undefined>;
  readonly #edgeSeconds: number;
  readonly #clock: Clock;
  readonly #remembered = new Map<string, { readonly deployment: Deployment; readonly readAt: number }>();

  constructor(read: (id: string) => Promise<Deployment | undefined>, edgeSeconds: number, clock: Clock) {
    this.#read = read;
    this.#edgeSeconds = edgeSeconds;
    this.#clock = clock;
  }

  /** @param again reads the deployment even if it is remembered */
  async find(id: string, again = false): Promise<Pointer> {
    const known = again ? undefined : this.#remembered.get(id);
    const left = known ? this.#secondsSince(known.readAt) : 0;
    if (known && left > 0)
      return { deployment: asOf(known.deployment, this.#clock()), edgeSeconds: left, current: false };
    // The time before the read: a change may follow it at once.
    const readAt = this.#clock();
    try {
      const deployment = await this.#read(id);
      this.#remember(id, deployment, readAt);
      return { deployment, edgeSeconds: this.#secondsSince(readAt), current: true };
    } catch (error) {
      const isAway = error instanceof CircuitOpen || isUnreachable(error);
      const last = isAway && !again ? this.#remembered.get(id) : undefined;
      if (!last || readAt - last.readAt > OUTAGE_MS) throw error;
      return { deployment: asOf(last.deployment, readAt), edgeSeconds: 0, current: false };
    }
  }

  #secondsSince(readAt: number): number {
    return Math.max(0, Math.floor(this.#edgeSeconds - (this.#clock() - readAt) / 1_000));
  }

  #remember(id: string, deployment: Deployment | undefined, readAt: number): void {
    this.#remembered.delete(id);
    if (deployment) this.#remembered.set(id, { deployment, readAt });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
