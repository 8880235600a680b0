type ItemSize = (item: object, ...options: unknown[]) => number;

/**
 * Makes dynalite count texts and names as DynamoDB does: in bytes of UTF-8, not in UTF-16 code units. Its size of an item is
 * otherwise right, and decides about the limit of 400 KB.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function countInUtf8(dynalite: { itemSize: ItemSize }): void {
  const { itemSize } = dynalite;
  dynalite.itemSize = (item, ...options) => itemSize(inBytes(item) as object, ...options);
}

/** Returns a value with one character for each byte of its texts. */
function inBytes(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(inBytes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [inBytes(name), inBytes(member)]);
  return Object.fromEntries(entries);
}
