import { DATA_INDEXES, END_INDEX } from '../../platform/env.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import type { Fields, Item, NewItem } from '../../sites/data/store.ts';
import { authorKey, itemKey, parseItemKey } from './keys.ts';
import type { Announcement } from './site-state.ts';
import type { Attributes, SiteTable } from './site-table.ts';

/**
 * For how long a deleted item leaves a tombstone. It shows which of two deletions at the same time was the one that counts, and that
 * a repeated request has created its item.
 */
const TOMBSTONE_MS = 86_400_000;

/** An item with what only the store knows of it. */
export interface StoredItem {
  readonly collection: string;
  readonly item: Item;
  /** The size of its fields. */
  readonly bytes: number;
  /** The hash of its unique value. */
  readonly unique?: string;
  /** Identifies the call that created it, and the one that changed it last. */
  readonly createdBy: string;
  readonly changedBy?: string;
}

/** In place of an item that was deleted, or whose creation was undone. */
interface Tombstone {
  /** The call that deleted the item; absent if none was created. */
  readonly deletedBy?: string;
  /** The creation that was undone. It may not write its item any more. */
  readonly undone?: string;
  readonly createdAt: number;
}

/** Returns the attributes of a new item. @param unique the hash of its unique value */
function newAttributes(
  site: string,
  collection: string,
  { id, fields, author, shown, createdAt, endsAt, tally }: NewItem,
  { createdBy, unique }: { readonly createdBy: string; readonly unique: string | undefined },
): Record<string, unknown> {
  const key = itemKey(collection, id);
  return {
    site,
    key,
    text: JSON.stringify(fields),
    createdAt,
    updatedAt: createdAt,
    revision: 1,
    author,
    createdBy,
    unique,
    tally,
    ...(author !== undefined && { authorKey: authorKey(collection, author, id) }),
    ...(shown && { shownKey: key }),
    ...(endsAt !== undefined && { endsAt, [END_INDEX.shard]: site.slice(0, 1) }),
  };
}

function tombstone(site: string, key: string, { createdAt, ...by }: Tombstone, now: number): Record<string, unknown> {
  return { site, key, createdAt, ...by, expiresAt: Math.ceil((now + TOMBSTONE_MS) / 1_000) };
}

/** Returns the item that attributes are of; undefined for a tombstone. */
export function toStored(attributes: Attributes | undefined): StoredItem | undefined {
  if (attributes?.text === undefined) return undefined;
  const { collection, id } = parseItemKey(String(attributes.key)) ?? { collection: '', id: '' };
  const { text, createdAt, updatedAt, revision, author, shownKey, endsAt, tally, unique, createdBy, changedBy } =
    attributes as unknown as Columns;
  return {
    collection,
    item: {
      id,
      fields: JSON.parse(text) as Fields,
      createdAt,
      updatedAt,
      revision,
      shown: shownKey !== undefined,
      ...(author === undefined ? {} : { author }),
      ...(endsAt === undefined ? {} : { endsAt }),
      ...(tally === undefined ? {} : { tally }),
    },
    bytes: Buffer.byteLength(text),
    createdBy,
    ...(unique === undefined ? {} : { unique }),
    ...(changedBy === undefined ? {} : { changedBy }),
  };
}

/** The attributes of an item that exists. */
type Columns = Omit<Item, 'id' | 'fields' | 'shown'> &
  Pick<StoredItem, 'unique' | 'createdBy' | 'changedBy'> & {
    /** The fields as JSON. */
    readonly text: string;
    /** Only of items that visitors see. */
    readonly shownKey?: string;
  };

/** Returns the tombstone that attributes are of; undefined for an item, and once its time is over. @param now in Unix milliseconds */
export function toTombstone(attributes: Attributes | undefined, now: number): Tombstone | undefined {
  if (attributes?.expiresAt === undefined || Number(attributes.expiresAt) * 1_000 <= now) return undefined;
  return attributes as unknown as Tombstone;
}

export const isEnded = ({ endsAt }: Item, now: number): boolean => endsAt !== undefined && endsAt <= now;

/** Returns the size of fields as they are stored. */
export const bytesOf = (fields: Fields): number => Buffer.byteLength(JSON.stringify(fields));

type Key = Pick<Announcement, 'collection' | 'id'>;

/** The item after a change. */
export interface Replacement {
  /** The fields as JSON. */
  readonly text: string;
  readonly shown: boolean;
  readonly updatedAt: number;
  /** The value that is tallied, if it changes. */
  readonly tally?: { readonly to: string | undefined };
}

/**
 * The writes of items. Each is made by an announced change, and repeatable: after one whose response was lost, the item names the
 * change.
 */
export class ItemWrites {
  readonly #table: SiteTable;

  constructor(table: SiteTable) {
    this.#table = table;
  }

  read({ collection, id }: Key): Promise<Attributes | undefined> {
    return this.#table.get(itemKey(collection, id));
  }

  /** @returns false if it took so long that another call undid the creation */
  async create(change: Announcement, item: NewItem, unique: string | undefined): Promise<boolean> {
    const attributes = newAttributes(this.#table.site, change.collection, item, {
      createdBy: change.by,
      unique,
    });
    const created = await this.#table.put(attributes, NEW);
    return created || (await this.read(change))?.createdBy === change.by;
  }

  /** @returns false if the item has changed, or is gone */
  async update(change: Announcement, { text, shown, updatedAt, tally }: Replacement): Promise<boolean> {
    const key = itemKey(change.collection, change.id);
    const { sortKey } = DATA_INDEXES.shown;
    const update = new ItemUpdate()
      .set('text', text)
      .set('updatedAt', updatedAt)
      .set('revision', Number(change.revision) + 1)
      .set('changedBy', change.by)
      .require('revision', '% = ?', change.revision)
      .require('barred', '(attribute_not_exists(%) OR % <> ?)', change.by);
    if (shown) update.set(sortKey, key);
    else update.remove(sortKey);
    if (tally?.to !== undefined) update.set('tally', tally.to);
    else if (tally) update.remove('tally');
    const updated = await this.#table.update(key, { ...update.input, ReturnValues: 'UPDATED_NEW' });
    return updated !== undefined || toStored(await this.read(change))?.changedBy === change.by;
  }

  /** Replaces an item by a tombstone. @returns false if the item has changed, or is gone */
  async delete(change: Announcement, { item: { createdAt } }: StoredItem): Promise<boolean> {
    const { site, now } = this.#table;
    const key = itemKey(change.collection, change.id);
    const deleted = await this.#table.put(tombstone(site, key, { createdAt, deletedBy: change.by }, now), {
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':revision': change.revision },
    });
    return deleted || (await this.read(change))?.deletedBy === change.by;
  }

  /** Keeps a creation from writing its item. @returns false if there is an item or a tombstone */
  bar(change: Pick<Announcement, 'collection' | 'id' | 'at' | 'by'>): Promise<boolean> {
    const { site, now } = this.#table;
    const key = itemKey(change.collection, change.id);
    const place = tombstone(site, key, { createdAt: change.at, undone: change.by }, now);
    return this.#table.put(place, NEW);
  }

  /** Keeps a change from replacing the fields of its item. @returns false if the item has changed, or is gone */
  async barUpdate(change: Announcement): Promise<boolean> {
    const update = new ItemUpdate().set('barred', change.by).require('revision', '% = ?', change.revision);
    const key = itemKey(change.collection, change.id);
    return (await this.#table.update(key, { ...update.input, ReturnValues: 'NONE' })) !== undefined;
  }
}

const NEW = {
  ConditionExpression: 'attribute_not_exists(#key)',
  ExpressionAttributeNames: { '#key': 'key' },
};
