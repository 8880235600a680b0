import { END_INDEX } from '../../platform/env.ts';
import type { Fields, Item, NewItem } from '../../sites/data/store.ts';
import { authorKey, itemKey, parseItemKey } from './keys.ts';

/**
 * For how long a deleted item leaves a tombstone. It shows which of two deletions at the same time was the one that counts, and that
 * a repeated request has created its item.
 */
export const TOMBSTONE_MS = 86_400_000;

/** An item with what only the store knows of it. */
export interface StoredItem {
  readonly collection: string;
  readonly item: Item;
  /** Of its fields. */
  readonly bytes: number;
  /** The hash of its unique value. */
  readonly unique?: string;
  /** Identifies the call that created it, and the one that changed it last. */
  readonly createdBy: string;
  readonly changedBy?: string;
}

/** In place of an item that was deleted, or whose creation was undone. */
export interface Tombstone {
  /** The call that deleted the item; absent if none was created. */
  readonly deletedBy?: string;
  /** The creation that was undone. It may not write its item any more. */
  readonly undone?: string;
  readonly createdAt: number;
}

type Attributes = Readonly<Record<string, unknown>>;

/** Returns the attributes of a new item. @param unique the hash of its unique value */
export function newAttributes(
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

export function tombstone(
  site: string,
  key: string,
  { createdAt, ...by }: Tombstone,
  now: number,
): Record<string, unknown> {
  return { site, key, createdAt, ...by, expiresAt: Math.ceil((now + TOMBSTONE_MS) / 1_000) };
}

/** Returns the item that attributes are of; undefined for a tombstone. */
export function toStored(attributes: Attributes | undefined): StoredItem | undefined {
  if (attributes?.text === undefined) return undefined;
  const { collection, id } = parseItemKey(String(attributes.key)) ?? { collection: '', id: '' };
  const {
    text,
    createdAt,
    updatedAt,
    revision,
    author,
    shownKey,
    endsAt,
    tally,
    unique,
    createdBy,
    changedBy,
  } = attributes as unknown as Columns;
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
