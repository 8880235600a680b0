import type { AwsReply } from '../aws-http.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import type { ObjectHead } from './object-file.ts';
import type { ObjectStore } from './store.ts';
import { type Element, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;

/** An entry of a listing: an object, or all keys with a common prefix up to a delimiter. */
interface Entry {
  /** The key or the common prefix; the next page starts after it. */
  readonly name: string;
  /** Undefined for a common prefix. */
  readonly head: ObjectHead | undefined;
}

/** ListObjectsV2 */
export function listObjects(call: S3Call, store: ObjectStore): AwsReply {
  const { query } = call;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  call.authorize('s3:ListBucket', undefined, { 's3:prefix': prefix, 's3:delimiter': delimiter });
  if (query.get('list-type') !== '2') {
    throw new S3Error('NotImplemented', 'The local cloud supports only list-type=2');
  }
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const token = query.get('continuation-token');
  const after = token === undefined ? (query.get('start-after') ?? '') : readToken(token);

  const entries = toEntries(store.list(call.bucket.name, prefix), prefix, delimiter);
  const rest = entries.filter(({ name }) => Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0);
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = last !== undefined && rest.length > page.length;
  const elements: Element[] = [
    ['Name', call.bucket.name],
    ['Prefix', prefix],
    ...optional('Delimiter', query.get('delimiter')),
    ['MaxKeys', maxKeys],
    ['KeyCount', page.length],
    ['IsTruncated', String(isTruncated)],
    ...optional('ContinuationToken', token),
    ...optional('StartAfter', query.get('start-after')),
    ...optional('NextContinuationToken', isTruncated ? writeToken(last.name) : undefined),
    ...page.map(toElement),
  ];
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['ListBucketResult', elements]) };
}

function toEntries(heads: readonly ObjectHead[], prefix: string, delimiter: string): Entry[] {
  const entries = new Map<string, Entry>();
  for (const head of heads) {
    const end = delimiter === '' ? -1 : head.key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? head.key : head.key.slice(0, end + delimiter.length);
    entries.set(name, { name, head: end < 0 ? head : undefined });
  }
  return [...entries.values()];
}

function toElement({ name, head }: Entry): Element {
  if (!head) return ['CommonPrefixes', [['Prefix', name]]];
  const lastModified = new Date(head.lastModified).toISOString();
  return [
    'Contents',
    [
      ['Key', name],
      ['LastModified', lastModified],
      ['ETag', head.etag],
      ['Size', head.size],
      ['StorageClass', 'STANDARD'],
    ],
  ];
}

/** Returns an element, or none if the value is undefined. */
export function optional(name: string, value: string | undefined): Element[] {
  return value === undefined ? [] : [[name, value]];
}

/** Returns the maximum number of entries per page. @throws S3Error for anything but a number */
export function readMaxKeys(text: string | undefined): number {
  const value = Number(text ?? MAX_KEYS);
  if (Number.isInteger(value) && value >= 0) return Math.min(value, MAX_KEYS);
  throw new S3Error('InvalidArgument', 'max-keys must be a whole number', { ArgumentName: 'max-keys' });
}

function writeToken(name: string): string {
  return Buffer.from(name).toString('base64url');
}

function readToken(token: string): string {
  const name = Buffer.from(token, 'base64url').toString();
  if (writeToken(name) === token) return name;
  throw new S3Error('InvalidArgument', 'The continuation token provided is incorrect', {
    ArgumentName: 'continuation-token',
  });
}
