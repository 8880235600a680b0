import type { Collection, Declaration, Operation } from './declaration.ts';
import { DataProblem } from './response.ts';
import type { DataStore, Item } from './store.ts';

/** Who sends a request. */
export interface DataCaller {
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
   * Makes the caller a visitor who is recognized, and returns the author hash; called only where a rule needs one. Absent where the
   * site has no origin of its own.
   */
  readonly newVisitor?: (() => string) | undefined;
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

export function isAuthor({ author }: Item, { caller }: DataContext): boolean {
  return author !== undefined && author === caller.visitor;
}

/** Returns whether a caller may read an item: until it is approved, only its author and the owner may. */
export function mayRead(collection: Collection, item: Item, context: DataContext): boolean {
  if (context.caller.owner) return true;
  if (collection.read === 'owner') return false;
  return isAuthor(item, context) || (collection.read === 'visitor' && item.shown);
}

/** Returns whether the browser of a visitor who creates an item must be recognized later. */
export function needsVisitor(collection: Collection): boolean {
  const { create, read, update, unique, review } = collection;
  const roles = [create, read, update, collection.delete, collection.count];
  return roles.includes('author') || unique === 'visitor' || review;
}

/** @throws DataProblem */
export function demand(collection: Collection, operation: Operation, context: DataContext): void {
  if (mayDo(collection, operation, context)) return;
  const who =
    collection[operation] === 'author' ? 'the visitor who created the item' : 'the owner of the site';
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
