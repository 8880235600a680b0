/** A single range of bytes, inclusive; `unsatisfiable` if it contains none of the representation. */
export type ByteRange = { readonly first: number; readonly last: number } | 'unsatisfiable';

/**
 * Parses a `Range` field (RFC 9110, 14.1.2). Returns undefined unless it is one valid range of bytes, since servers may
 * ignore others.
 * @param size size of the representation in bytes
 */
export function parseByteRange(field: string, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes\s*=\s*(\d*)-(\d*)$/i.exec(field.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}
