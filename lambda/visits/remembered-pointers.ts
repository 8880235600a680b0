import type { Clock } from '../platform/clock.ts';
import { RecentlyUsed } from '../platform/recently-used.ts';
import { asOf, type Deployment } from '../stored/deployment.ts';

/** The facts that an instance knows about a deployment. */
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
 * Reads pointers. With `edgeSeconds` an instance remembers each for as long, and a response may be cached for what is left
 * of that time: no visitor sees a version that was replaced more than `edgeSeconds` ago.
 */
export class RememberedPointers {
  readonly #read: (id: string) => Promise<Deployment | undefined>;
  readonly #edgeSeconds: number;
  readonly #clock: Clock;
  readonly #remembered = new RecentlyUsed<{ readonly deployment: Deployment; readonly readAt: number }>(REMEMBERED);

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
    const deployment = await this.#read(id);
    if (this.#edgeSeconds > 0 && deployment) this.#remembered.set(id, { deployment, readAt });
    return { deployment, edgeSeconds: this.#secondsSince(readAt), current: true };
  }

  #secondsSince(readAt: number): number {
    return Math.max(0, Math.floor(this.#edgeSeconds - (this.#clock() - readAt) / 1_000));
  }
}
