import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayOf } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import type { Item, NewItem, Refusal } from '../../sites/data/store.ts';
import { type ItemWrites, toStored, toTombstone } from './items.ts';
import { newItemId, requestKey, uniqueKey } from './keys.ts';
import type { Recovery } from './recovery.ts';
import {
  ABANDONED_MS,
  type Announcement,
  announcement,
  type DataBounds,
  type SiteState,
  type SiteStates,
} from './site-state.ts';
import { contended, type SiteTable } from './site-table.ts';

/** For how long a request is recognized by its `Idempotency-Key`: a day, and a day after its item is deleted. */
const REQUEST_MS = 2 * 86_400_000;

/**
 * From when on a repeated request takes over from one that has not written its item, which can then write it no more: longer than a
 * creation takes. A response says it (`Retry-After`).
 */
const TAKEN_OVER_MS = 2_000;

/** Lost races before a creation or a claim gives up, and the pause before each attempt of a creation. */
const ROUNDS = 6;
const PAUSE_MS = 15;

/** The parts that creations use. */
interface CreationParts {
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
      const former = await claims.resolve(claim, async (other) => !(await this.#takeOver(collection, other)));
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
    return deleted?.deletedBy === undefined ? undefined : created({ ...item, id, createdAt: deleted.createdAt });
  }

  /** @returns undefined if it lost a race */
  async #try(collection: string, item: NewItem): Promise<Item | Refusal | undefined> {
    const { states, claims, items, key, table, recovery } = this.#parts;
    const { id, bytes, tally: to, most, unique, shown } = item;
    const at = table.now;
    const waiting = Number(!shown);
    const change = announcement({ kind: 'create', collection, id, at, bytes, waiting, to });
    const hash = unique === undefined ? undefined : keyedHash(key, ['unique', collection, unique]);
    const claim = hash === undefined ? undefined : { key: uniqueKey(collection, hash), id, by: change.by, at };
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
    if (announced.value?.isOvergrown) {
      await this.#undo(change, claim);
      return 'site_full';
    }
    if (claim && !claimed.value && (await this.#isTaken(collection, claim, hash))) {
      await states.undo(change);
      return 'duplicate';
    }
    if (!(await items.create(change, item, hash))) throw contended('The site');
    await recovery.settle(change, announced.value?.pastDays(at));
    return created(item);
  }

  /** Ends the call of a claim that has no item after a moment. @returns false if it has one, or is too young */
  async #takeOver(collection: string, { id, by, at }: Claim): Promise<boolean> {
    const { items, states, recovery, table } = this.#parts;
    const found = await items.read({ collection, id });
    if (found) return toStored(found) === undefined && toTombstone(found, table.now)?.deletedBy === undefined;
    if (at > table.now - TAKEN_OVER_MS || !(await items.bar({ collection, id, by, at }))) return false;
    const announced = (await states.read()).announced({ collection, id });
    if (announced) await recovery.end(announced);
    return true;
  }

  /** Decides whether another item has a unique value. */
  async #isTaken(collection: string, claim: Claim, hash: string | undefined): Promise<boolean> {
    const { claims, items } = this.#parts;
    const stands = async (other: Claim) => {
      const found = await items.read({ collection, id: other.id });
      return found ? toStored(found)?.unique === hash : claims.isFresh(other);
    };
    return (await claims.resolve(claim, stands)) !== undefined;
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

/** Claims a unique value, or the key of a request, for one item. */
interface Claim {
  /** The sort key. */
  readonly key: string;
  /** The item that is created with it. */
  readonly id: string;
  /** The call that creates the item. */
  readonly by: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** When it ends, in Unix seconds; absent if it stays as long as its item. */
  readonly expiresAt?: number | undefined;
}

/** Returns the keyed hash of a value: without the site's key, nobody can compute it. 128 bits. */
function keyedHash(key: string, parts: readonly string[]): string {
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify(parts))
    .digest('base64url')
    .slice(0, 22);
}

/** The claims of a site. One whose item does not exist after a minute, or cannot be written any more, is void. */
export class Claims {
  readonly #table: SiteTable;

  constructor(table: SiteTable) {
    this.#table = table;
  }

  /** @returns false if there is a claim, which can be this one: its response may have been lost */
  claim(claim: Claim): Promise<boolean> {
    return this.#put(claim, {
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': 'key' },
    });
  }

  /**
   * Decides what a failed claim means.
   * @param stands reports if the item of another claim exists, or may still be written
   * @returns the claim that stands, or undefined if it is this one
   */
  async resolve(claim: Claim, stands: (former: Claim) => Promise<boolean>): Promise<Claim | undefined> {
    for (let round = 0; round < ROUNDS; round++) {
      const former = await this.find(claim.key);
      if (former?.by === claim.by) return undefined;
      if (former && (await stands(former))) return former;
      if (await (former ? this.#replace(former, claim) : this.claim(claim))) return undefined;
    }
    throw contended('A unique value');
  }

  async find(key: string): Promise<Claim | undefined> {
    return (await this.#table.get(key)) as unknown as Claim | undefined;
  }

  /** Whether the call of a claim can still be creating its item. */
  isFresh({ at }: Claim): boolean {
    return at > this.#table.now - ABANDONED_MS;
  }

  /** Deletes the claim of a call, unless another call has taken it over. */
  async release({ key, by }: Pick<Claim, 'key' | 'by'>): Promise<void> {
    await this.#table.delete(key, ofCall(by));
  }

  #replace(former: Claim, claim: Claim): Promise<boolean> {
    return this.#put(claim, ofCall(former.by));
  }

  #put({ key, id, by, at, expiresAt }: Claim, condition: object): Promise<boolean> {
    return this.#table.put({ site: this.#table.site, key, id, by, at, expiresAt }, condition);
  }
}

const ofCall = (by: string) => ({
  ConditionExpression: '#by = :by',
  ExpressionAttributeNames: { '#by': 'by' },
  ExpressionAttributeValues: { ':by': by },
});
