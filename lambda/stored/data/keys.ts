/** The sort keys of a site's partition. Names of collections and ids have no `#`. */
export const STATE_KEY = 'state';
/** The item that marks a partition for deletion. */
export const END_KEY = 'end';

export const rulesKey = (hash: string): string => `rules#${hash}`;

/** Sorts the items of a collection by their ids. */
export const itemKey = (collection: string, id: string): string => `item#${collection}#${id}`;

/** The claim of a unique value. */
export const uniqueKey = (collection: string, hash: string): string => `unique#${collection}#${hash}`;

/** The claim of an `Idempotency-Key`. */
export const requestKey = (collection: string, name: string): string => `request#${collection}#${name}`;

/** The sort key of an item in the index by author. */
export const authorKey = (collection: string, author: string, id: string): string =>
  `${collection}#${author}#${id}`;

/** Returns the collection and the id of an item's key, or undefined for another key. */
export function parseItemKey(key: string): { readonly collection: string; readonly id: string } | undefined {
  const [kind, collection, id] = key.split('#');
  return kind === 'item' && collection && id ? { collection, id } : undefined;
}
