/** The headers of a request that make its answer depend on what is there. */
export interface Conditions {
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** RFC 9110, 13.1.2: a list of entity tags or `*`, compared weakly. */
export function isNotModified({ ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * The part that is asked for, both ends included (RFC 9110, 14). Undefined for the whole: without a range, for one
 * that is malformed or is several, and when `If-Range` names another representation.
 */
export function byteRange(
  { range, ifRange }: Conditions,
  etag: string,
  length: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (ifRange !== undefined && ifRange.trim() !== etag) return undefined;
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  return first <= last ? { first, last } : 'unsatisfiable';
}
