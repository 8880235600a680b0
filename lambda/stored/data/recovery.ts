import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { type ItemWrites, toStored } from './items.ts';
import type { Announcement, SiteState, SiteStates } from './site-state.ts';

/** The most changes that a request completes or undoes for others. */
const AT_ONCE = 10;

/** Completes or undoes changes whose calls died between their first write and their last one. */
export class Recovery {
  readonly #states: SiteStates;
  readonly #clock: Clock;
  readonly #items: ItemWrites;

  constructor(states: SiteStates, items: ItemWrites, clock: Clock) {
    this.#clock = clock;
    this.#states = states;
    this.#items = items;
  }

  /** Errors are only logged: the next request tries again. @returns whether there was anything to do */
  async recover(state: SiteState, now = this.#clock()): Promise<boolean> {
    const abandoned = state.abandoned(now).slice(0, AT_ONCE);
    await Promise.all(
      abandoned.map((change) =>
        this.end(change).catch((error: unknown) => log.error('change of data not ended', { error })),
      ),
    );
    return abandoned.length > 0;
  }

  /** Counts a change that was made. If that fails, a later request does it. */
  async settle(change: Announcement, pastDays?: readonly string[]): Promise<void> {
    try {
      const state = await this.#states.settle(change, pastDays);
      if (state) await this.recover(state);
    } catch (error) {
      log.error('change of data not settled', { error });
    }
  }

  /** Completes a change if its item was written, and undoes it otherwise, so that its call can not write it any more. */
  async end(change: Announcement): Promise<void> {
    const made = await this.#isMade(change);
    await (made ? this.#states.settle(change) : this.#states.undo(change));
  }

  #isMade(change: Announcement): Promise<boolean> {
    switch (change.kind) {
      case 'create':
        return this.#isCreated(change);
      case 'update':
        return this.#isUpdated(change);
      case 'delete':
        return this.#isDeleted(change);
    }
  }

  async #isCreated(change: Announcement): Promise<boolean> {
    return !(await this.#items.bar(change)) && (await this.#items.read(change))?.createdBy === change.by;
  }

  async #isUpdated(change: Announcement): Promise<boolean> {
    return !(await this.#items.barUpdate(change)) && (await this.#items.read(change))?.changedBy === change.by;
  }

  /** A deletion is completed: nobody else can have changed the item since it was announced. */
  async #isDeleted(change: Announcement): Promise<boolean> {
    const found = await this.#items.read(change);
    const stored = toStored(found);
    // The tombstone expires after a day.
    if (!stored) return found === undefined || found.deletedBy === change.by;
    return stored.item.revision === change.revision && (await this.#items.delete(change, stored));
  }
}
