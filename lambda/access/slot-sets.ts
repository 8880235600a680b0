/**
 * Slots of what runs at the same time, as sets in an item of DynamoDB by attribute. A slot is a name that ends with `@` and the Unix
 * milliseconds when it was taken: one that nobody frees, because a function died, expires.
 */
export type SlotSets = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the parts of an update that adds a slot to each set, unless one of them is full. The SDK repeats a write whose response was
 * lost: a slot that was taken is not refused.
 * @param bounds the most slots of each set
 */
export function takenIn(name: string, bounds: ReadonlyMap<string, number>) {
  const sets = [...bounds];
  // DynamoDB refuses redundant parentheses.
  const hasRoom = (i: number) =>
    `(contains(#set${i}, :name) OR attribute_not_exists(#set${i}) OR size(#set${i}) < :bound${i})`;
  return {
    UpdateExpression: `ADD ${sets.map((_, i) => `#set${i} :slot`).join(', ')}`,
    ConditionExpression: sets.map((_, i) => hasRoom(i)).join(' AND '),
    ExpressionAttributeNames: namesOf(sets),
    ExpressionAttributeValues: {
      ':name': name,
      ':slot': new Set([name]),
      ...Object.fromEntries(sets.map(([, bound], i) => [`:bound${i}`, bound])),
    },
  };
}

/** Returns the parts of an update that removes slots. */
export function removedFrom(slots: SlotSets) {
  const sets = [...slots];
  return {
    UpdateExpression: `DELETE ${sets.map((_, i) => `#set${i} :slots${i}`).join(', ')}`,
    ExpressionAttributeNames: namesOf(sets),
    ExpressionAttributeValues: Object.fromEntries(sets.map(([, names], i) => [`:slots${i}`, names])),
  };
}

const namesOf = (sets: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(sets.map(([set], i) => [`#set${i}`, set]));

/** Returns the slots of an item that were taken before a time, in Unix milliseconds. Its other attributes are ignored. */
export function expiredSlots(item: object, before: number): SlotSets {
  const isExpired = (name: string) => Number(name.slice(name.lastIndexOf('@') + 1)) < before;
  const expired = new Map<string, ReadonlySet<string>>();
  for (const [set, names] of Object.entries(item)) {
    const old = names instanceof Set ? Array.from(names as Set<string>).filter(isExpired) : [];
    if (old.length > 0) expired.set(set, new Set(old));
  }
  return expired;
}
