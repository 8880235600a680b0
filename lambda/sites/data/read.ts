import { DATA_PAGE } from '../../contract/limits.ts';
import type { Collection } from './declaration.ts';
import { DataProblem, type DataRequest, type DataResponse, emptyResponse, jsonResponse } from './http.ts';
import { type DataContext, demand, hasEnded, itemFor, mayDo, presentTo } from './rules.ts';
import type { DataStore, Item, ItemPage } from './store.ts';

/** Responds with a page of the items that the caller may read, newest first. */
export async function listItems(
  collection: Collection,
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  const query = listQuery(request.rawQuery);
  const { owner } = context.caller;
  const ownOnly = query.mine || (collection.read === 'author' && !owner);
  if (!query.mine || !mayDo(collection, 'create', context)) demand(collection, 'read', context);
  // Later items of a visitor who asks for them are then recognized.
  const visitor = context.caller.visitor ?? (query.mine ? context.newVisitor?.() : undefined);
  if (ownOnly && visitor === undefined) {
    if (context.newVisitor === undefined) throw noVisitors();
    return jsonResponse(200, { items: [], next: null });
  }
  // The revision is read first: a list may be newer than its tag, and never older.
  const { revision } = await context.store.state(collection.name);
  const etag = `"${revision}-${owner ? 'o' : 'v'}${ownOnly ? 'm' : ''}${visitor ?? ''}"`;
  if (matches(request.headers['if-none-match'], etag)) return emptyResponse(304, { ETag: etag });
  const page = await pageFor(collection, { ...query, ownOnly, visitor }, context);
  const items = page.items
    .filter((item) => !hasEnded(item, context))
    .map((item) => presentTo(context, collection, item));
  return jsonResponse(200, { items, next: page.next ?? null }, { ETag: etag });
}

/** The store ends a page by itself; two that are merged are no longer than one. */
const PAGE_BYTES = 1_048_576;

interface ListQuery {
  readonly limit: number;
  readonly before: string | undefined;
  readonly mine: boolean;
}

function listQuery(rawQuery: string): ListQuery {
  const query = new URLSearchParams(rawQuery);
  const limit = query.get('limit') ?? String(DATA_PAGE.standard);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > DATA_PAGE.most)
    throw new DataProblem('invalid', `limit must be an integer from 1 to ${DATA_PAGE.most}`, {
      field: 'limit',
    });
  const before = query.get('cursor') ?? undefined;
  if (before !== undefined && !/^[\w-]{1,64}$/.test(before))
    throw new DataProblem('invalid', 'cursor must be the next of an earlier page', { field: 'cursor' });
  return { limit: Number(limit), before, mine: query.get('mine') === 'true' };
}

function noVisitors(): DataProblem {
  return new DataProblem('forbidden', 'Visitors are not recognized here: the site has no origin of its own');
}

async function pageFor(
  { name, review }: Collection,
  { limit, before, ownOnly, visitor }: ListQuery & { readonly ownOnly: boolean; readonly visitor: string | undefined },
  { store, caller }: DataContext,
): Promise<ItemPage> {
  if (ownOnly) return store.list(name, { limit, before, author: visitor, shownOnly: false });
  if (caller.owner) return store.list(name, { limit, before, shownOnly: false });
  const shown = store.list(name, { limit, before, shownOnly: true });
  if (!review || visitor === undefined) return shown;
  const own = store.list(name, { limit, before, author: visitor, shownOnly: false });
  return merge(await shown, await own, limit);
}

/** Merges two pages. Behind the end of either, the other one could have gaps. */
function merge(one: ItemPage, other: ItemPage, limit: number): ItemPage {
  const all = new Map([...one.items, ...other.items].map((item) => [item.id, item]));
  const end = [one.next ?? '', other.next ?? ''].reduce((a, b) => (a > b ? a : b));
  const sorted = [...all.values()].filter(({ id }) => id >= end).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const items = sorted.slice(0, Math.min(limit, fittingCount(sorted)));
  const next = sorted.length > items.length ? items.at(-1)?.id : end;
  return next === undefined || next === '' ? { items } : { items, next };
}

/** Returns how many items fill a page. */
function fittingCount(items: readonly Item[]): number {
  let characters = 0;
  const end = items.findIndex(({ fields }) => {
    characters += JSON.stringify(fields).length;
    return characters > PAGE_BYTES;
  });
  return end === -1 ? items.length : end;
}

/** Responds with one item. */
export async function readItem(
  collection: Collection,
  id: string,
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  const item = await itemFor(collection, id, 'read', context);
  const etag = itemTag(item);
  if (matches(request.headers['if-none-match'], etag)) return emptyResponse(304, { ETag: etag });
  return jsonResponse(200, presentTo(context, collection, item), { ETag: etag });
}

export function itemTag({ revision }: Item): string {
  return `"${revision}"`;
}

/** Reports if a list of entity tags has one, or is `*` (RFC 9110, 13.1). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/** Responds with the number of items, or how many have each value of the field that is tallied. */
export async function countItems(
  collection: Collection,
  what: 'count' | 'tally',
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  const field = collection.schema.properties.get(collection.tally ?? '');
  if (what === 'tally' && field === undefined)
    throw new DataProblem('not_found', `${collection.name} declares no tally`);
  demand(collection, 'count', context);
  if (collection.count === 'author' && !context.caller.owner && !(await hasCreated(collection, context)))
    throw new DataProblem('forbidden', `Only visitors who created an item may count in ${collection.name}`);
  const { items, waiting, revision, tally } = await context.store.state(collection.name);
  const etag = `"${revision}"`;
  if (matches(request.headers['if-none-match'], etag)) return emptyResponse(304, { ETag: etag });
  if (what === 'count') return jsonResponse(200, { count: items - waiting }, { ETag: etag });
  const values = field?.type === 'string' ? (field.enum ?? []) : [];
  const counts = Object.fromEntries(values.map((value) => [value, Object.hasOwn(tally, value) ? tally[value] : 0]));
  return jsonResponse(200, { tally: counts }, { ETag: etag });
}

async function hasCreated({ name }: Collection, { store, caller }: DataContext): Promise<boolean> {
  if (caller.visitor === undefined) return false;
  const own: Parameters<DataStore['list']>[1] = { limit: 1, author: caller.visitor, shownOnly: false };
  return (await store.list(name, own)).items.length > 0;
}
