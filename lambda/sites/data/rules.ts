import type { Collection, Declaration, Operation } from './declaration.ts';
import { DataProblem, presentItem } from './http.ts';
import type { DataStore, Item, Json } from './store.ts';

/** Who sends a request. */
interface DataCaller {
  /** The author hash of the visitor's cookie, if the browser has one. */
  readonly visitor?: string | undefined;
  /** Whether the site is the caller's. */
  readonly owner: boolean;
}

/** What operations use. */
export interface DataContext {
  readonly declaration: Declaration;
  readonly store: DataStore;
  readonly caller: DataCaller;
  /**
   * Makes the caller a visitor who is recognized, and returns the author hash; called only where a rule needs one. A secret that the
   * repeats of a request share makes them one visitor. Absent where the site has no origin of its own.
   */
  readonly newVisitor?: ((request?: string) => string) | undefined;
  /** Returns Unix time in milliseconds. */
  readonly clock: () => number;
  /** Returns a new id, which sorts by the time. */
  readonly newItemId: () => string;
  /** Returns the id for an idempotency key, the same one each time. */
  readonly idFor: (key: string) => string;
  /** The origin of the site, from which its pages send requests. */
  readonly origin: string;
  /** The path of the site on its origin; begins and ends with a slash. */
  readonly base: string;
}

/** Returns whether a caller may do something with some items at least. */
export function mayDo(collection: Collection, operation: Operation, context: DataContext): boolean {
  const role = collection[operation];
  if (context.caller.owner || role === 'visitor') return true;
  return role === 'author' && (context.caller.visitor !== undefined || context.newVisitor !== undefined);
}

function isAuthor({ author }: Item, { caller }: DataContext): boolean {
  return author !== undefined && author === caller.visitor;
}

/** Returns whether a caller may read an item: until it is approved, only its author and the owner may. */
export function mayRead(collection: Collection, item: Item, context: DataContext): boolean {
  if (context.caller.owner) return true;
  if (collection.read === 'owner') return false;
  return isAuthor(item, context) || (collection.read === 'visitor' && item.shown);
}

/**
 * Returns an item as the caller may see it: one who may change an item, and not read it, gets none of its fields. Others get the
 * declared fields only, so that a private field stays private when its declaration goes.
 */
export function presentTo(context: DataContext, collection: Collection, item: Item): Json {
  const { visitor, owner } = context.caller;
  if (owner || isAuthor(item, context)) return presentItem(item, visitor);
  if (!mayRead(collection, item, context)) return presentItem({ ...item, fields: {} }, visitor);
  const { schema, private: hidden } = collection;
  const fields = Object.entries(item.fields).filter(([name]) => schema.properties.has(name) && !hidden?.includes(name));
  return presentItem({ ...item, fields: Object.fromEntries(fields) }, visitor);
}

/** Returns whether the browser of a visitor who creates an item must be recognized later. */
export function needsVisitor(collection: Collection): boolean {
  const { read, update, unique, review, private: hidden = [] } = collection;
  const roles = [read, update, collection.delete, collection.count];
  return roles.includes('author') || unique === 'visitor' || review || hidden.length > 0;
}

/** @throws DataProblem */
export function demand(collection: Collection, operation: Operation, context: DataContext): void {
  if (mayDo(collection, operation, context)) return;
  const who = collection[operation] === 'author' ? 'the visitor who created the item' : 'the owner of the site';
  throw new DataProblem('forbidden', `Only ${who} may ${operation} in ${collection.name}`);
}

export function notFound(collection: Collection, id: string): DataProblem {
  return new DataProblem('not_found', `${collection.name} has no item ${id.slice(0, 64)}`);
}

/** @throws DataProblem not_found for an item that does not exist, and for one of which the caller may not know */
export async function itemFor(
  collection: Collection,
  id: string,
  operation: 'read' | 'update' | 'delete',
  context: DataContext,
): Promise<Item> {
  demand(collection, operation, context);
  const item = /^[\w-]{1,64}$/.test(id) ? await context.store.get(collection.name, id) : undefined;
  if (item === undefined || hasEnded(item, context)) throw notFound(collection, id);
  if (context.caller.owner) return item;
  const readable = mayRead(collection, item, context);
  if (operation === 'read') {
    if (!readable) throw notFound(collection, id);
    return item;
  }
  if (isAuthor(item, context) || (collection[operation] === 'visitor' && item.shown)) return item;
  if (!readable) throw notFound(collection, id);
  throw new DataProblem('forbidden', `Only the visitor who created the item may ${operation} it`);
}

export function hasEnded({ endsAt }: Item, { clock }: Pick<DataContext, 'clock'>): boolean {
  return endsAt !== undefined && endsAt <= clock();
}
