import { S3Error } from './errors.ts';
import type { ObjectHead } from './object-file.ts';

type Headers = Readonly<Record<string, string>>;

/** Evaluates the preconditions of a read (RFC 9110, 13). Returns true for 304. @throws S3Error PreconditionFailed */
export function isNotModified(headers: Headers, head: ObjectHead): boolean {
  const match = headers['if-match'];
  const unmodifiedSince = headers['if-unmodified-since'];
  if (match === undefined ? isAfter(head, unmodifiedSince) : !names(match, head)) {
    throw conditionError(match === undefined ? 'If-Unmodified-Since' : 'If-Match');
  }
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return names(noneMatch, head);
  return headers['if-modified-since'] !== undefined && !isAfter(head, headers['if-modified-since']);
}

/** Checks the preconditions of a write (S3 User Guide, "Conditional writes"). @throws S3Error */
export function checkWrite(headers: Headers, existing: ObjectHead | undefined): void {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && noneMatch !== '*') {
    throw new S3Error('NotImplemented', 'Only If-None-Match: * is supported', { Header: 'If-None-Match' });
  }
  if (noneMatch === '*' && existing) throw conditionError('If-None-Match');
  const match = headers['if-match'];
  if (match === undefined) return;
  if (!existing) throw new S3Error('NoSuchKey', 'The specified key does not exist.');
  if (!names(match, existing)) throw conditionError('If-Match');
}

/** Returns the inclusive range of a Range header, or undefined for the whole object. */
export function parseRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | undefined {
  // The whole object is sent for several ranges (S3) and for an invalid header (RFC 9110).
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

function conditionError(condition: string): S3Error {
  const message = 'At least one of the pre-conditions you specified did not hold';
  return new S3Error('PreconditionFailed', message, { Condition: condition });
}

function names(list: string, head: ObjectHead): boolean {
  const tags = list.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.some((tag) => tag === '*' || tag === head.etag || `"${tag}"` === head.etag);
}

/** Compares with a precision of seconds, like HTTP dates. */
function isAfter(head: ObjectHead, date: string | undefined): boolean {
  return date !== undefined && Math.floor(head.lastModified / 1000) * 1000 > Date.parse(date);
}
