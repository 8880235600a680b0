/** The bytes of a single range, first and last included; `unsatisfiable` when there are none such. */
export type ByteRange = { readonly first: number; readonly last: number } | 'unsatisfiable';

/**
 * Reads a `Range` field (RFC 9110, 14.1.2). Undefined for anything but one valid range of bytes, which a server may
 * ignore and answer in full.
 * @param size of the representation, in bytes
 */
export function parseByteRange(field: string, size: number): ByteRange | undefined {
  const [, from = '', to = ''] = /^bytes\s*=\s*(\d*)-(\d*)$/i.exec(field.trim()) ?? [];
  if (from === '' && to === '') return undefined;
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}
