import { S3Error } from './errors.ts';
import type { ObjectHead } from './store.ts';

type Headers = Readonly<Record<string, string>>;

/** Preconditions of a read (RFC 9110, section 13): throws PreconditionFailed, or tells that a 304 is due. */
export function isNotModified(headers: Headers, head: ObjectHead): boolean {
  const match = headers['if-match'];
  const unmodifiedSince = headers['if-unmodified-since'];
  if (match === undefined ? isAfter(head, unmodifiedSince) : !names(match, head)) {
    throw failed(match === undefined ? 'If-Unmodified-Since' : 'If-Match');
  }
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return names(noneMatch, head);
  return headers['if-modified-since'] !== undefined && !isAfter(head, headers['if-modified-since']);
}

/** Preconditions of a write, as in "Conditional writes" of the S3 User Guide. */
export function checkWrite(headers: Headers, existing: ObjectHead | undefined): void {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'A write takes If-None-Match: * only', { Header: 'If-None-Match' });
  }
  if (noneMatch === '*' && existing) throw failed('If-None-Match');
  const match = headers['if-match'];
  if (match === undefined) return;
  if (!existing) throw new S3Error('NoSuchKey', 'The specified key does not exist.');
  if (!names(match, existing)) throw failed('If-Match');
}

/** The bytes that a Range header asks for, inclusive; undefined when the whole object is to be sent. */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  // S3 sends the whole object for several ranges, and RFC 9110 for a header that makes no sense.
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start < size && start <= end) return { start, end };
  throw new S3Error('InvalidRange', 'The requested range is not satisfiable', {
    RangeRequested: header ?? '',
    ActualObjectSize: String(size),
  });
}

function failed(condition: string): S3Error {
  const message = 'At least one of the pre-conditions you specified did not hold';
  return new S3Error('PreconditionFailed', message, { Condition: condition });
}

function names(list: string, head: ObjectHead): boolean {
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === head.etag || `"${tag}"` === head.etag);
}

/** HTTP dates have whole seconds. */
function isAfter(head: ObjectHead, date: string | undefined): boolean {
  return date !== undefined && Math.floor(head.lastModified / 1000) * 1000 > Date.parse(date);
}
