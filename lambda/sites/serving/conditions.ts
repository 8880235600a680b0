/** The headers of a conditional or range request. */
export interface Conditions {
  readonly ifNoneMatch?: string | undefined;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** Returns whether `If-None-Match` lists the entity tag or is `*`; the comparison is weak (RFC 9110, 13.1.2). */
export function isNotModified({ ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/**
 * Returns the requested byte range, both ends included (RFC 9110, 14), or undefined for the whole body: without a
 * range, with a malformed one or several, and if `If-Range` names another representation.
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
