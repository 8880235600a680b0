import type { Collection } from './declaration.ts';
import { CONTROLS, type FormEntries, isFormType, isTrapped, itemOf, nextPath, readForm } from './form.ts';
import { backPath, formPage } from './form-page.ts';
import {
  DataProblem,
  type DataRequest,
  type DataResponse,
  emptyResponse,
  isNavigation,
  jsonResponse,
  mediaType,
  presentItem,
} from './http.ts';
import { itemTag } from './read.ts';
import { type DataContext, demand, needsVisitor } from './rules.ts';
import type { Fields, Item, Json, NewItem, Refusal } from './store.ts';
import { accept, checkBody, isRecord, parse, sizeOf, unsupported, validate } from './validate.ts';

const DAY_MS = 86_400_000;

/** The response to a change, with the item that it created or that an earlier request with its key did, if any. */
export type Changed = DataResponse & { readonly created?: Pick<Stored, 'item' | 'isNew'> };

interface Stored {
  readonly item: Item;
  /** False if an earlier request created it. */
  readonly isNew: boolean;
  readonly visitor: string | undefined;
}

/** Creates the item that a script or a form sends. */
export async function createItem(collection: Collection, request: DataRequest, context: DataContext): Promise<Changed> {
  demand(collection, 'create', context);
  const type = mediaType(request.headers);
  checkBody(request);
  if (!isFormType(type)) {
    if (type !== 'application/json') throw unsupported('application/json or a form');
    const { value, entries } = withoutControls(parse(request.body));
    if (isTrapped(entries)) return jsonResponse(201, pretended(collection, value, context));
    const created = await store(collection, value, request, context);
    const { item, visitor } = created;
    return { ...jsonResponse(201, presentItem(item, visitor), { ETag: itemTag(item) }), created };
  }
  const entries = readForm(request.headers['content-type'] ?? '', request.body);
  if (typeof entries === 'string') throw new DataProblem('invalid', entries);
  const value = itemOf(collection.schema, entries);
  if (isTrapped(entries)) return afterForm(entries, request, context, pretended(collection, value, context));
  const created = await store(collection, value, request, context);
  return { ...afterForm(entries, request, context, presentItem(created.item, created.visitor)), created };
}

/** Separates the item from what a script sends of the form that it read. */
function withoutControls(value: Json): { readonly value: Json; readonly entries: FormEntries } {
  if (!isRecord(value)) return { value, entries: [] };
  const isControl = ([name]: readonly [string, Json]) => CONTROLS.includes(name);
  const members = Object.entries(value);
  return {
    value: Object.fromEntries(members.filter((member) => !isControl(member))),
    entries: members.filter(isControl).map(([name, one]) => [name, textOf(one)] as const),
  };
}

/** Objects and lists have no text: that of a deep one, or of one with a member `toString`, would be an error. */
function textOf(value: Json): string {
  return typeof value === 'object' ? 'object' : String(value);
}

/** Returns what looks like an item to a program that fell into the trap, without what no item could have. */
function pretended({ schema }: Collection, value: Json, { newItemId, clock }: DataContext): Json {
  const at = clock();
  const valid = validate(schema, value);
  const fields = 'fields' in valid ? valid.fields : {};
  return presentItem({ id: newItemId(), fields, createdAt: at, updatedAt: at, shown: true, revision: 1 }, undefined);
}

function afterForm(entries: FormEntries, request: DataRequest, { base }: DataContext, item: Json): DataResponse {
  if (!isNavigation(request)) return jsonResponse(201, item);
  const next = nextPath(entries, base, request.folder ?? '');
  if (next !== undefined) return emptyResponse(303, { Location: next });
  return formPage({ status: 200 }, request.headers['accept-language'], backPath(request, base));
}

async function store(collection: Collection, value: Json, request: DataRequest, context: DataContext): Promise<Stored> {
  const fields = accept(collection, value);
  const key = idempotencyKey(request);
  const { caller, clock, newItemId, idFor } = context;
  const visitor =
    caller.visitor ?? (needsVisitor(collection) ? context.newVisitor?.(secretOf(collection, key, fields)) : undefined);
  if (visitor === undefined && collection.unique === 'visitor')
    throw new DataProblem('forbidden', 'Visitors are not recognized here: the site has no origin of its own');
  const id = key === undefined ? newItemId() : idFor(`${collection.name}/${key}`);
  const item: NewItem = {
    ...newItem(collection, {
      fields,
      visitor,
      shown: !collection.review || caller.owner,
      now: clock(),
    }),
    id,
    ...(key !== undefined && { repeatable: true }),
  };
  const stored = await context.store.create(collection.name, item);
  if (typeof stored === 'string') throw refused(stored, collection);
  // What another visitor sent under the same key is not theirs to see.
  if (key !== undefined && !isSame(stored.fields, fields))
    throw new DataProblem('idempotency_mismatch', 'This Idempotency-Key was used for another request: send a new one');
  return { item: stored, isNew: stored.createdAt === item.createdAt, visitor };
}

function newItem(
  { unique, tally, most, keepDays }: Collection,
  {
    fields,
    visitor,
    shown,
    now,
  }: {
    readonly fields: Fields;
    readonly visitor: string | undefined;
    readonly shown: boolean;
    readonly now: number;
  },
): Omit<NewItem, 'id'> {
  const only = unique === 'visitor' ? visitor : unique && normalForm(fields[unique]);
  // Until it is approved, an item counts for `most` only.
  const tallied = shown && tally !== undefined ? fields[tally] : undefined;
  return {
    fields,
    bytes: sizeOf(fields),
    shown,
    createdAt: now,
    ...(visitor !== undefined && { author: visitor }),
    ...(only !== undefined && { unique: only }),
    ...(typeof tallied === 'string' && { tally: tallied }),
    ...(most !== undefined && { most }),
    ...(keepDays !== undefined && { endsAt: now + keepDays * DAY_MS }),
  };
}

function refused(refusal: Refusal, { name, unique }: Collection): DataProblem {
  switch (refusal) {
    case 'full':
      return new DataProblem('full', `All places of ${name} are taken`);
    case 'duplicate':
      return unique === 'visitor' || unique === undefined
        ? new DataProblem('duplicate', `You already have an item in ${name}`)
        : new DataProblem('duplicate', `${name} already has an item with this ${unique}`, { field: unique });
    case 'site_full':
      return new DataProblem('site_full', 'The site has as much data as a site may have');
    case 'too_many_today':
      return new DataProblem('too_many', 'The site accepts no more items today', {
        headers: { 'Retry-After': '3600' },
      });
    default:
      return new DataProblem('conflict', 'The same request is under way: try again in 2 s', {
        headers: { 'Retry-After': '2' },
      });
  }
}

/** The key as elsewhere in the API (draft-ietf-httpapi-idempotency-key-header). */
function idempotencyKey({ headers }: DataRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new DataProblem('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces');
}

/** A random UUID (RFC 9562, version 4): nobody can guess its 122 bits. */
const RANDOM = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/**
 * Returns what the repeats of a creation share, and no other visitor knows; undefined if the key may be known to others. The fields are
 * part of it: visitors whose page sends the same UUID for all of them stay different visitors.
 */
function secretOf({ name }: Collection, key: string | undefined, fields: Fields): string | undefined {
  return key !== undefined && RANDOM.test(key) ? JSON.stringify([name, key, fields]) : undefined;
}

/** Returns the form in which values are compared. */
function normalForm(value: Json | undefined): string {
  return String(value).normalize('NFC').trim().toLowerCase();
}

/** Compares two values of JSON without the order of names. */
function isSame(one: Json, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name] ?? null, other[name] ?? null))
  );
}
