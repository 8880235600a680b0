import type { ClearedCollection, CollectionList } from '../../contract/data.ts';
import { BACKUP_DAYS } from '../../contract/data.ts';
import { ApiError } from '../../contract/errors.ts';
import { DATA_LIMITS } from '../../contract/limits.ts';
import { type Clock, DAY_MS } from '../../platform/clock.ts';
import { approval, CHANGED_SINCE, isAsSeen } from '../../sites/data/change.ts';
import { type Collection, type Declaration, parseDeclaration } from '../../sites/data/declaration.ts';
import type { DataStore, Item } from '../../sites/data/store.ts';
import { signOwner, siteOf } from '../../stored/data/site-data.ts';
import type { OwnedData } from '../../stored/data/site-data-table.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS } from '../../stored/deployment-owner.ts';
import type { PointerStore } from '../../stored/pointer-store.ts';
import { requireLive } from '../manage.ts';
import { takenDownError } from '../write-errors.ts';

/** The data of a deployment, opened for its owner. */
export interface OpenedData {
  readonly store: ReturnType<OwnedData['store']>;
  readonly declaration: Declaration;
}

/**
 * Returns the data of a deployment, or undefined if its site has never declared any.
 * @throws ApiError gone, taken_down, not_found if sites of the stage have no data
 */
export async function openData(deployment: Deployment, table: OwnedData | undefined): Promise<OpenedData | undefined> {
  requireLive(deployment);
  // A takedown may be for what the page collected.
  const refused = takenDownError(deployment);
  if (refused) throw refused;
  if (!table) throw new ApiError('not_found', 'Sites of this service have no data: its operator has turned it off');
  const { id, data } = deployment;
  if (!data) return undefined;
  const text = (await table.rules(siteOf(id, data), data.rules)) ?? '{}';
  return { store: table.store(id, data), declaration: parseDeclaration(text) };
}

/**
 * Returns a collection of a deployment: one that is declared, or one that has items of a former declaration.
 * @throws ApiError not_found
 */
export async function openCollection(
  deployment: Deployment,
  name: string,
  table: OwnedData | undefined,
): Promise<OpenedData> {
  const opened = await openData(deployment, table);
  const isThere =
    opened && (opened.declaration.collections.has(name) || (await opened.store.totals()).collections.includes(name));
  if (isThere) return opened;
  const known = [...(opened?.declaration.collections.keys() ?? [])].join(', ');
  throw new ApiError(
    'not_found',
    `The site has no collection of this name; ${known === '' ? 'its _data.json declares none' : `_data.json declares ${known}`}`,
  );
}

/** Until the link is opened, in seconds; the browser stays the owner's for longer. */
const LINK_SECONDS = 600;

/**
 * Creates a link that makes a browser the owner's. From then on, an anonymous deployment takes no deploy without its token: a script of
 * a page that only knows the projectId would be in the owner's browser.
 * @param site the site on an origin that only its pages are on, if it has one
 * @throws ApiError invalid_request without such an origin, not_found without data
 */
export async function createOwnerLink(
  { id, owner, data, tokenRequired }: Deployment,
  site: string | undefined,
  { pointers, clock }: { readonly pointers: Pick<PointerStore, 'requireToken'>; readonly clock: Clock },
): Promise<{ readonly url: string; readonly expiresAt: number }> {
  if (!data) throw new ApiError('not_found', 'The site has no data: its _data.json declares it');
  if (site === undefined)
    throw new ApiError(
      'invalid_request',
      'Pages of this service share one origin, on which other pages could use the link: read the data here, or add a domain to the deployment',
    );
  const end = Math.floor(clock() / 1_000) + LINK_SECONDS;
  const key = signOwner({ owner, data }, 'link', end);
  if (owner === ANONYMOUS && !tokenRequired) await pointers.requireToken(id);
  return { url: `${new URL('.data/owner', site)}?key=${key}`, expiresAt: end * 1_000 };
}

/** Returns until when backups keep what is deleted now, in Unix milliseconds. */
export function backupsUntil(now: number): number {
  return now + BACKUP_DAYS * DAY_MS;
}

/** Returns the collections that are declared, and those that still have items. */
export async function listCollections(opened: OpenedData | undefined, linkable: boolean): Promise<CollectionList> {
  const limits = { ...DATA_LIMITS };
  if (!opened) return { collections: [], items: 0, bytes: 0, limits, linkable };
  const { store, declaration } = opened;
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
        fields: fieldsOf(declaration, name),
      };
    }),
  );
  return { collections, items, bytes, limits, linkable };
}

/** Returns the fields of a collection in the order of its schema; none if it is not declared any more. */
export function fieldsOf({ collections }: Declaration, collection: string): string[] {
  return [...(collections.get(collection)?.schema.properties.keys() ?? [])];
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
  const { tally } = declaration.collections.get(collection) ?? {};
  const approved = await store.update(collection, item, approval(tally, item, clock()));
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
      const removed = await Promise.all(items.slice(at, at + CONCURRENT).map((item) => store.remove(collection, item)));
      deleted += removed.filter(Boolean).length;
    }
  }
}
