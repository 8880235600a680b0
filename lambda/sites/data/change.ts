import type { Collection } from './declaration.ts';
import { isFormType, patchOf, readForm } from './form.ts';
import { DataProblem, type DataRequest, type DataResponse, emptyResponse, jsonResponse, mediaType } from './http.ts';
import { itemTag, matches } from './read.ts';
import { type DataContext, demand, itemFor, notFound, presentTo } from './rules.ts';
import type { ObjectSchema } from './schema.ts';
import type { DataStore, Fields, Item, Json } from './store.ts';
import { accept, checkBody, isRecord, parse, requireSize, sizeOf, unsupported } from './validate.ts';

/** How often a change is repeated that another one came before. */
const ATTEMPTS = 4;

/** Changes fields of an item as a merge patch says (RFC 7396). */
export async function changeItem(
  collection: Collection,
  id: string,
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  demand(collection, 'update', context);
  checkBody(request);
  const patch = readPatch(collection, request);
  const { review, unique, tally } = collection;
  const changed = await attempt(collection, id, 'update', request, context, (before) => {
    const fields = acceptChange(collection, before.fields, patch);
    if (unique !== undefined && unique !== 'visitor' && fields[unique] !== before.fields[unique])
      throw new DataProblem('invalid', `${unique} cannot be changed: create another item`, { field: unique });
    const shown = before.shown && (!review || context.caller.owner);
    return context.store.update(collection.name, before, {
      fields,
      bytes: sizeOf(fields),
      shown,
      at: changeTime(before, context.clock()),
      ...tallyChange(tally, before, fields, shown),
    });
  });
  return jsonResponse(200, presentTo(context, collection, changed), { ETag: itemTag(changed) });
}

/** Reads a merge patch, or the form of a script that describes one. */
function readPatch({ schema }: Collection, { headers, body }: DataRequest): Json {
  const type = mediaType(headers);
  if (isFormType(type)) {
    const entries = readForm(headers['content-type'] ?? '', body);
    if (typeof entries === 'string') throw new DataProblem('invalid', entries);
    return patchOf(schema, entries);
  }
  if (!['application/json', 'application/merge-patch+json'].includes(type))
    throw unsupported('application/merge-patch+json, application/json or a form');
  return parse(body);
}

/**
 * Returns the fields of an item after a patch. What it does not name stays as it is, even if a new schema does not declare it any more,
 * refuses its value or requires a field that the item lacks: otherwise, nobody could change an older item.
 * @throws DataProblem invalid, too_large
 */
function acceptChange(collection: Collection, fields: Fields, patch: Json): Fields {
  if (!isRecord(patch)) return accept(collection, patch);
  const { properties, required } = collection.schema;
  const isNamed = ([name]: readonly [string, unknown]) => Object.hasOwn(patch, name);
  const schema: ObjectSchema = {
    type: 'object',
    properties: new Map([...properties].filter(isNamed)),
    required: new Set([...required].filter((name) => isNamed([name, undefined]))),
  };
  const changed = Object.entries(merged(fields, patch, 0) as Fields);
  const accepted = accept({ ...collection, schema }, Object.fromEntries(changed.filter(isNamed)));
  const result = { ...Object.fromEntries(changed.filter((entry) => !isNamed(entry))), ...accepted };
  requireSize(collection, Object.fromEntries(Object.entries(result).filter(([name]) => properties.has(name))));
  return result;
}

/** Shows an item to visitors. Only the owner may do so, who may name what was seen: its author can change it meanwhile. */
export async function approveItem(
  collection: Collection,
  id: string,
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  if (!context.caller.owner)
    throw new DataProblem('forbidden', `Only the owner of the site may approve items of ${collection.name}`);
  const seen = new URLSearchParams(request.rawQuery).get('seen') ?? undefined;
  if (seen !== undefined && Number.isNaN(Date.parse(seen)))
    throw new DataProblem('invalid', 'seen must be the updatedAt of the item', { field: 'seen' });
  const approved = await attempt(collection, id, 'update', request, context, async (before) => {
    if (before.shown) return before;
    if (!isAsSeen(before, seen)) throw new DataProblem('conflict', CHANGED_SINCE);
    return context.store.update(collection.name, before, approval(collection.tally, before, context.clock()));
  });
  return jsonResponse(200, presentTo(context, collection, approved), { ETag: itemTag(approved) });
}

export const CHANGED_SINCE = 'The item has changed since it was read: read it again';

/** Reports if an item is the one that was read, if that is known. @param seen its `updatedAt` then */
export function isAsSeen({ updatedAt }: Pick<Item, 'updatedAt'>, seen: string | undefined): boolean {
  return seen === undefined || Date.parse(seen) === updatedAt;
}

/** Returns the change that shows an item to visitors. */
export function approval(tally: string | undefined, before: Item, now: number): Parameters<DataStore['update']>[2] {
  const { fields } = before;
  const at = changeTime(before, now);
  return { fields, bytes: sizeOf(fields), shown: true, at, ...tallyChange(tally, before, fields, true) };
}

/** Returns the time of a change, later than that of any before, even where clocks differ: no two texts of an item have the same. */
function changeTime({ updatedAt }: Pick<Item, 'updatedAt'>, now: number): number {
  return Math.max(now, updatedAt + 1);
}

/** Returns how a change moves the tally. The rules may have tallied another field, or none, when the item was written. */
function tallyChange(tally: string | undefined, before: Pick<Item, 'tally'>, fields: Fields, shown: boolean) {
  const value = shown && tally !== undefined ? fields[tally] : undefined;
  const change = { from: before.tally, to: typeof value === 'string' ? value : undefined };
  return change.from === change.to ? {} : { tally: change };
}

export async function removeItem(
  collection: Collection,
  id: string,
  request: DataRequest,
  context: DataContext,
): Promise<DataResponse> {
  await attempt(collection, id, 'delete', request, context, async (before) =>
    (await context.store.remove(collection.name, before)) ? before : undefined,
  );
  return emptyResponse(204);
}

/** Changes the item as it is now; repeats the change if another one came before, unless the request forbids that. */
async function attempt(
  collection: Collection,
  id: string,
  operation: 'update' | 'delete',
  request: DataRequest,
  context: DataContext,
  change: (before: Item) => Promise<Item | 'site_full' | undefined>,
): Promise<Item> {
  const condition = request.headers['if-match'];
  for (let attempts = 0; attempts < ATTEMPTS; attempts++) {
    const before = await itemFor(collection, id, operation, context);
    if (condition !== undefined && !matches(condition, itemTag(before)))
      throw new DataProblem('precondition_failed', 'The item has changed: read it again');
    const after = await change(before);
    if (after === 'site_full') throw new DataProblem('site_full', 'The site has as much data as a site may have');
    if (after !== undefined) return after;
    if (operation === 'delete') throw notFound(collection, id);
  }
  throw new DataProblem('conflict', 'Others change the item at the same time: try again');
}

const DEEPEST = 10;

/** Applies a merge patch (RFC 7396, 2). What is nested deeper than any schema stays, and is refused later. */
function merged(target: Json | undefined, patch: Json, depth: number): Json {
  if (!isRecord(patch) || depth > DEEPEST) return patch;
  const result = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else result.set(name, merged(result.get(name), value, depth + 1));
  }
  return Object.fromEntries(result);
}
