import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { Item, NewItem, Refusal } from '../../sites/data/store.ts';
import { type Announcement, announcement } from './announcement.ts';
import { type Claim, type Claims, keyedHash } from './claims.ts';
import { newItemId } from './item-id.ts';
import type { ItemWrites } from './item-writes.ts';
import { requestKey, uniqueKey } from './keys.ts';
import type { Recovery } from './recovery.ts';
import type { DataBounds, SiteState, SiteStates } from './site-state.ts';
import { contended, type SiteTable } from './site-table.ts';
import { toStored, toTombstone } from './stored-item.ts';

/** For how long a request is recognized by its `Idempotency-Key`: a day, and a day after its item is deleted. */
const REQUEST_MS = 2 * 86_400_000;

/** Lost races before a creation gives up, and the pause before each attempt. */
const ROUNDS = 6;
const PAUSE_MS = 15;

/** What creations are made of. */
export interface CreationParts {
  readonly table: SiteTable;
  readonly key: string;
  readonly bounds: DataBounds;
  readonly states: SiteStates;
  readonly items: ItemWrites;
  readonly claims: Claims;
  readonly recovery: Recovery;
}

/** Creates the items of a site. */
export class Creations {
  readonly #parts: CreationParts;

  constructor(parts: CreationParts) {
    this.#parts = parts;
  }

  /** Creates an item, or returns the one that an earlier request created. @param item `id` names the request */
  async createOnce(collection: string, item: NewItem): Promise<Item | Refusal> {
    const { claims, table } = this.#parts;
    const at = table.now;
    const claim: Claim = {
      key: requestKey(collection, item.id),
      id: newItemId(item.createdAt),
      by: newId(8),
      at,
      expiresAt: Math.ceil((at + REQUEST_MS) / 1_000),
    };
    if (!(await claims.claim(claim))) {
      const isUsed = async (former: Claim) => (await this.#earlier(collection, former, item)) !== undefined;
      const former = await claims.resolve(claim, isUsed);
      if (former) return (await this.#earlier(collection, former, item)) ?? 'in_progress';
    }
    const created = await this.create(collection, { ...item, id: claim.id });
    if (typeof created === 'string') await this.#release(claim);
    return created;
  }

  async create(collection: string, item: NewItem): Promise<Item | Refusal> {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await sleep(PAUSE_MS * round);
      const result = await this.#try(collection, item);
      if (result) return result;
    }
    throw contended('The site');
  }

  /** Returns the item of an earlier request, even if it was deleted within a day. */
  async #earlier(collection: string, { id }: Claim, item: NewItem): Promise<Item | undefined> {
    const { items, table } = this.#parts;
    const found = await items.read({ collection, id });
    const stored = toStored(found);
    if (stored) return stored.item;
    const deleted = toTombstone(found, table.now);
    return deleted?.deletedBy === undefined
      ? undefined
      : created({ ...item, id, createdAt: deleted.createdAt });
  }

  /** @returns undefined if it lost a race */
  async #try(collection: string, item: NewItem): Promise<Item | Refusal | undefined> {
    const { states, claims, items, key, table, recovery } = this.#parts;
    const { id, bytes, tally: to, most, unique, shown } = item;
    const at = table.now;
    const waiting = Number(!shown);
    const change = announcement({ kind: 'create', collection, id, at, bytes, waiting, to });
    const hash = unique === undefined ? undefined : keyedHash(key, ['unique', collection, unique]);
    const claim =
      hash === undefined ? undefined : { key: uniqueKey(collection, hash), id, by: change.by, at };
    const [announced, claimed] = await Promise.allSettled([
      states.announce(change, most),
      claim ? claims.claim(claim) : true,
    ]);
    const failed = [announced, claimed].find((one) => one.status === 'rejected');
    if (announced.status === 'rejected' || claimed.status === 'rejected') {
      await this.#undo(change, claim);
      throw failed?.reason;
    }
    if (!announced.value) {
      const state = await states.read();
      // Otherwise, the response to the announcement was lost.
      if (!state.has(change)) {
        await this.#release(claim);
        return (await recovery.recover(state)) ? undefined : this.#refusal(state, collection, item);
      }
    }
    if (claim && !claimed.value && (await this.#isTaken(collection, claim, hash))) {
      await states.undo(change);
      return 'duplicate';
    }
    if (!(await items.create(change, item, hash))) throw contended('The site');
    await recovery.settle(change, announced.value?.pastDays(at));
    return created(item);
  }

  /** Decides whether another item has a unique value. */
  async #isTaken(collection: string, claim: Claim, hash: string | undefined): Promise<boolean> {
    const { claims, items } = this.#parts;
    const isUsed = async ({ id }: Claim) => toStored(await items.read({ collection, id }))?.unique === hash;
    return (await claims.resolve(claim, isUsed)) !== undefined;
  }

  /** Takes back what may have been written. Otherwise, a later request does so. */
  async #undo(change: Announcement, claim: Claim | undefined): Promise<void> {
    const undone = [this.#parts.states.undo(change), claim ? this.#parts.claims.release(claim) : undefined];
    for (const { status } of await Promise.allSettled(undone))
      if (status === 'rejected') log.error('creation of data not undone', { collection: change.collection });
  }

  async #release(claim: Claim | undefined): Promise<void> {
    if (claim) await this.#parts.claims.release(claim);
  }

  /** Returns why there is no room, or undefined if there is. */
  #refusal(state: SiteState, collection: string, { most, bytes }: NewItem): Refusal | undefined {
    const { bounds, table } = this.#parts;
    if (most !== undefined && state.itemsOf(collection) >= most) return 'full';
    if (state.items >= bounds.items || state.bytes + bytes > bounds.bytes) return 'site_full';
    return state.createdOn(dayOf(table.now)) >= bounds.creationsPerDay ? 'too_many_today' : undefined;
  }
}

function created({ id, fields, createdAt, shown, author, endsAt, tally }: NewItem): Item {
  return {
    id,
    fields,
    createdAt,
    updatedAt: createdAt,
    shown,
    revision: 1,
    ...(author === undefined ? {} : { author }),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(tally === undefined ? {} : { tally }),
  };
}
