import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../platform/log.ts';
import type {
  CollectionState,
  DataStore,
  Item,
  ItemPage,
  ListRequest,
  NewItem,
  Refusal,
} from '../../sites/data/store.ts';
import { Claims, Creations } from './creations.ts';
import { bytesOf, ItemWrites, isEnded, type Replacement, type StoredItem, toStored } from './items.ts';
import { uniqueKey } from './keys.ts';
import { listItems } from './list.ts';
import { Recovery } from './recovery.ts';
import {
  type Announcement,
  announcement,
  type DataBounds,
  isAbandoned,
  type SiteState,
  SiteStates,
} from './site-state.ts';
import { contended, type DataTable, SiteTable } from './site-table.ts';

/** A site whose data is stored. */
interface StoredSite {
  /** The partition, from `siteOf`. */
  readonly site: string;
  /** The `key` of `SiteData`. */
  readonly key: string;
}

/** Lost races before a change gives up, and the pause before each attempt. */
const ROUNDS = 6;
const PAUSE_MS = 15;

/** The data of one site in DynamoDB: docs/decisions/0081-a-site-has-data.md. */
export class DynamoDbDataStore implements DataStore {
  readonly #table: SiteTable;
  #read: Promise<SiteState> | undefined;
  readonly #bounds: DataBounds;
  readonly #states: SiteStates;
  readonly #items: ItemWrites;
  readonly #claims: Claims;
  readonly #recovery: Recovery;
  readonly #creations: Creations;

  /** @param read the state, if it has been read for this request */
  constructor(table: DataTable, { site, key }: StoredSite, bounds: DataBounds, read?: Promise<SiteState>) {
    this.#read = read;
    this.#table = new SiteTable(table, site);
    this.#bounds = bounds;
    this.#states = new SiteStates(this.#table, bounds);
    this.#items = new ItemWrites(this.#table);
    this.#claims = new Claims(this.#table);
    this.#recovery = new Recovery(this.#states, this.#items, table.clock);
    this.#creations = new Creations({
      table: this.#table,
      key,
      bounds,
      states: this.#states,
      items: this.#items,
      claims: this.#claims,
      recovery: this.#recovery,
    });
  }

  async state(collection: string): Promise<CollectionState> {
    return (await this.#state()).collection(collection);
  }

  /** Returns how much all collections have together. */
  async totals(): Promise<{
    readonly items: number;
    readonly bytes: number;
    /** The collections that have items, even if they are not declared. */
    readonly collections: readonly string[];
  }> {
    const { items, bytes, collections } = await this.#state();
    return { items, bytes, collections };
  }

  list(collection: string, request: ListRequest): Promise<ItemPage> {
    return listItems(this.#table, collection, request);
  }

  async get(collection: string, id: string): Promise<Item | undefined> {
    const item = toStored(await this.#items.read({ collection, id }))?.item;
    return item && !isEnded(item, this.#table.now) ? item : undefined;
  }

  create(collection: string, item: NewItem): Promise<Item | Refusal> {
    return item.repeatable ? this.#creations.createOnce(collection, item) : this.#creations.create(collection, item);
  }

  async update(
    collection: string,
    before: Item,
    { fields, bytes, shown, at, tally }: Parameters<DataStore['update']>[2],
  ): Promise<Item | 'site_full' | undefined> {
    const { id, revision } = before;
    const change = announcement({
      kind: 'update',
      collection,
      id,
      at: this.#table.now,
      bytes: bytes - bytesOf(before.fields),
      revision,
      waiting: Number(!shown) - Number(!before.shown),
      from: tally?.from,
      to: tally?.to,
    });
    const announced = await this.#announce(change);
    if (announced !== 'announced') return announced === 'site_full' ? announced : undefined;
    const replacement: Replacement = {
      text: JSON.stringify(fields),
      shown,
      updatedAt: at,
      ...(tally && { tally: { to: tally.to } }),
    };
    if (!(await this.#items.update(change, replacement))) {
      await this.#states.undo(change);
      return undefined;
    }
    await this.#recovery.settle(change);
    const { tally: from, ...rest } = before;
    const to = tally ? tally.to : from;
    return {
      ...rest,
      fields,
      shown,
      updatedAt: at,
      revision: revision + 1,
      ...(to !== undefined && { tally: to }),
    };
  }

  async remove(collection: string, { id }: Pick<Item, 'id'>): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await sleep(PAUSE_MS * round);
      const stored = toStored(await this.#items.read({ collection, id }));
      if (!stored) return false;
      const change = announcement({
        kind: 'delete',
        collection,
        id,
        at: this.#table.now,
        bytes: -stored.bytes,
        revision: stored.item.revision,
        waiting: -Number(!stored.item.shown),
        from: stored.item.tally,
      });
      if ((await this.#announce(change)) !== 'announced') continue;
      if (!(await this.#items.delete(change, stored))) {
        await this.#states.undo(change);
        continue;
      }
      await Promise.all([this.#releaseUnique(stored), this.#recovery.settle(change)]);
      return true;
    }
    throw contended('The item');
  }

  /** Deletes an item whose time is over. @returns false if it is gone, or stays */
  async removeEnded(collection: string, id: string): Promise<boolean> {
    const stored = toStored(await this.#items.read({ collection, id }));
    return stored !== undefined && isEnded(stored.item, this.#table.now) && this.remove(collection, { id });
  }

  async #state(): Promise<SiteState> {
    const state = await (this.#read ?? this.#states.read());
    this.#read = undefined;
    return (await this.#recovery.recover(state)) ? this.#states.read() : state;
  }

  /** If this fails, the claim is void all the same, because its item does not exist. */
  async #releaseUnique({ collection, unique, createdBy: by }: StoredItem): Promise<void> {
    if (unique === undefined) return;
    await this.#claims
      .release({ key: uniqueKey(collection, unique), by })
      .catch((error: unknown) => log.error('claim of data not released', { error }));
  }

  /** Announces a change of an existing item, once the announcements of others have ended. */
  async #announce(change: Announcement): Promise<'announced' | 'site_full' | 'busy'> {
    for (let round = 0; round < ROUNDS; round++) {
      if (round > 0) await sleep(PAUSE_MS * round);
      const state = (await this.#states.announce(change)) ?? (await this.#states.read());
      if (state.has(change)) {
        if (!state.addsCounter(change) || !state.isOvergrown) return 'announced';
        await this.#states.undo(change);
        return 'site_full';
      }
      const other = state.announced(change);
      if (!other) {
        if (state.bytes + change.bytes > this.#bounds.bytes) return 'site_full';
      } else if (isAbandoned(other, this.#table.now)) await this.#recovery.end(other);
      else if (other.kind === 'create') await this.#settleCreation(other);
    }
    return 'busy';
  }

  /** Settles a creation whose item exists, so that it can be changed. */
  async #settleCreation(change: Announcement): Promise<void> {
    const stored = toStored(await this.#items.read(change));
    if (stored?.createdBy === change.by) await this.#states.settle(change);
  }
}
