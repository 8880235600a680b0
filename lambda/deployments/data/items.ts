import type { ClearedCollection, CollectionList, DataItem } from '../../contract/data.ts';
import { BACKUP_DAYS } from '../../contract/data.ts';
import { ApiError } from '../../contract/errors.ts';
import { DATA_LIMITS } from '../../contract/limits.ts';
import { type Clock, DAY_MS } from '../../platform/clock.ts';
import { CHANGED_SINCE, changeTime, isAsSeen, tallyChange } from '../../sites/data/change.ts';
import type { Collection } from '../../sites/data/declaration.ts';
import type { DataStore, Item } from '../../sites/data/store.ts';
import type { OpenedData } from './owned-data.ts';

/** Returns an item as its owner sees it. */
export function shownItem({ id, createdAt, updatedAt, shown, fields }: Item): DataItem {
  return {
    id,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(shown ? {} : { waiting: true as const }),
    ...fields,
  };
}

/** Returns until when backups keep what is deleted now, in Unix milliseconds. */
export function backupsUntil(now: number): number {
  return now + BACKUP_DAYS * DAY_MS;
}

/** Returns the collections that are declared, and those that still have items. */
export async function listCollections(
  opened: OpenedData | undefined,
  linkable: boolean,
): Promise<CollectionList> {
  const limits = { ...DATA_LIMITS };
  if (!opened) return { collections: [], items: 0, bytes: 0, limits, linkable };
  const { store, declaration, fieldsOf } = opened;
  const { items, bytes, collections: stored } = await store.totals();
  const names = [...new Set([...declaration.collections.keys(), ...stored])];
  const collections = await Promise.all(
    names.map(async (name) => {
      const declared = declaration.collections.get(name);
      const state = await store.state(name);
      return {
        name,
        items: state.items,
        waiting: state.waiting,
        ...(declared?.tally === undefined ? {} : { tally: state.tally }),
        ...(declared && { rules: rulesOf(declared) }),
        fields: fieldsOf(name),
      };
    }),
  );
  return { collections, items, bytes, limits, linkable };
}

function rulesOf({ name: _, schema: __, ...rules }: Collection) {
  return rules;
}

/** @throws ApiError not_found */
export async function requireItem(store: DataStore, collection: string, id: string): Promise<Item> {
  const item = await store.get(collection, id);
  if (!item) throw new ApiError('not_found', 'The collection has no such item');
  return item;
}

/** Shows an item to visitors. @param seen its `updatedAt` when it was read @throws ApiError not_found, conflict */
export async function approveItem(
  { store, declaration }: Pick<OpenedData, 'store' | 'declaration'>,
  collection: string,
  { id, seen }: { readonly id: string; readonly seen: string | undefined },
  clock: Clock,
): Promise<Item> {
  const item = await requireItem(store, collection, id);
  if (item.shown) return item;
  if (!isAsSeen(item, seen)) throw new ApiError('conflict', CHANGED_SINCE);
  const { fields } = item;
  const { tally } = declaration.collections.get(collection) ?? {};
  const approved = await store.update(collection, item, {
    fields,
    bytes: Buffer.byteLength(JSON.stringify(fields)),
    shown: true,
    at: changeTime(item, clock()),
    ...tallyChange(tally, item, fields, true),
  });
  if (typeof approved === 'object') return approved;
  throw new ApiError('conflict', CHANGED_SINCE);
}

/** @throws ApiError not_found */
export async function deleteItem(store: DataStore, collection: string, id: string): Promise<void> {
  const item = await requireItem(store, collection, id);
  await store.remove(collection, item);
}

/** How many items are deleted at the same time: each is announced and settled at the state of the site. */
const CONCURRENT = 8;

/** For how long a request deletes: API Gateway waits for 29 s. */
const CLEARING_MS = 18_000;

/** Deletes the items of a collection that were created until now, as many as a request can. */
export async function clearCollection(
  store: DataStore,
  collection: string,
  clock: Clock,
): Promise<Omit<ClearedCollection, 'backupsUntil'>> {
  const begun = clock();
  let deleted = 0;
  for (;;) {
    const { items } = await store.list(collection, { limit: 100, shownOnly: false });
    if (items.length === 0) return { deleted, complete: true };
    for (let at = 0; at < items.length; at += CONCURRENT) {
      if (clock() - begun > CLEARING_MS) return { deleted, complete: false };
      const removed = await Promise.all(
        items.slice(at, at + CONCURRENT).map((item) => store.remove(collection, item)),
      );
      deleted += removed.filter(Boolean).length;
    }
  }
}
