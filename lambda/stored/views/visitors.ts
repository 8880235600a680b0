/**
 * Visitors are counted by a sample of their hashes, so that an item has room for any number of them. At level 0 every hash is
 * kept. When there are more than `CAPACITY`, the level rises, and with each level half of the hashes are kept: those that begin
 * with as many zero bits. Each hash of the sample then stands for 2^level visitors.
 *
 * Exact up to `CAPACITY` visitors, except for equal hashes. Beyond, the sample has between half of `CAPACITY` and all of it, and the
 * standard error is that of its size: 3.1 to 4.4 %.
 */
export const CAPACITY = 1_024;

export const HASH_BITS = 48;
const HASH_BYTES = HASH_BITS / 8;

/** Returns the part of a digest that identifies a visitor, as a number of 48 bits. */
export function visitorHash(digest: Uint8Array): number {
  return Buffer.from(digest.buffer, digest.byteOffset, HASH_BYTES).readUIntBE(0, HASH_BYTES);
}

export function hashBytes(hash: number): Uint8Array {
  const bytes = Buffer.alloc(HASH_BYTES);
  bytes.writeUIntBE(hash, 0, HASH_BYTES);
  return bytes;
}

/** Returns whether a hash is in the sample of a level. */
export function isKept(hash: number, level: number): boolean {
  return hash < 2 ** (HASH_BITS - level);
}

/** Returns the lowest level, not below `level`, whose sample of the hashes fits. */
export function fittingLevel(hashes: Iterable<number>, level: number): number {
  const kept = [...hashes].filter((hash) => isKept(hash, level));
  return kept.length <= CAPACITY ? level : fittingLevel(kept, level + 1);
}

/** Returns the number of visitors that a sample stands for. */
export function estimatedVisitors(hashes: Iterable<number>, level: number): number {
  return [...hashes].filter((hash) => isKept(hash, level)).length * 2 ** level;
}
