/** How many entries are loaded at once. */
export const PAGE = 50;

/**
 * Returns the entries to show: the newest page, which tells what was deleted of its time, and older ones that were loaded
 * before.
 */
export function withNewest(newest, shown) {
  const oldest = newest.length < PAGE ? '' : newest.at(-1).createdAt;
  return withOlder(newest, shown.filter(({ createdAt }) => createdAt < oldest));
}

/** Returns the entries with a page of older ones. */
export function withOlder(shown, older) {
  const known = new Set(shown.map(({ id }) => id));
  return [...shown, ...older.filter(({ id }) => !known.has(id))];
}
