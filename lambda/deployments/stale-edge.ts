import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Deployment } from './deployment.ts';

/** Whoever moved the pointer tells the edge within this time, or is gone. */
const GRACE_MS = 5_000;
const REMEMBERED = 1_000;

/**
 * Tells the edge what a deploy did not get to tell it: that its pages are no longer right. Without this a deploy
 * that died in between would leave old files beside new ones. Once per instance and change.
 */
export class StaleEdge {
  readonly #clock: Clock;
  readonly #told = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Never fails: a page is not withheld because others may be old. */
  async drop({ id, staleSince }: Deployment, dropFromEdge: (id: string) => Promise<void>): Promise<void> {
    if (staleSince === undefined || this.#clock() - staleSince < GRACE_MS) return;
    if (this.#told.get(id) === staleSince) return;
    if (this.#told.size >= REMEMBERED) this.#told.clear();
    this.#told.set(id, staleSince);
    try {
      await dropFromEdge(id);
    } catch (error) {
      this.#told.delete(id);
      log.error('edge not told', { deployment: id, error });
    }
  }
}
