import { customAlphabet } from 'nanoid';

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
export const authorKey = (collection: string, author: string, id: string): string => `${collection}#${author}#${id}`;

/** Returns the collection and the id of an item's key, or undefined for another key. */
export function parseItemKey(key: string): { readonly collection: string; readonly id: string } | undefined {
  const [kind, collection, id] = key.split('#');
  return kind === 'item' && collection && id ? { collection, id } : undefined;
}

/** Without letters that differ in case only, and none of the characters that sort keys are made of. */
const random = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10);

/** Digits of the time in base 36, which suffice until the year 5188. */
const TIME_DIGITS = 9;

/** Returns the id of a new item, which sorts by its time. @param now in Unix milliseconds */
export function newItemId(now: number): string {
  return now.toString(36).padStart(TIME_DIGITS, '0') + random();
}
