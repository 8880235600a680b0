import { Parser } from 'htmlparser2';
import type { AwsReply } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import { readUpload } from './body.ts';
import { type Element, type S3Call, S3Error, xmlDocument } from './call.ts';
import { type ObjectHead, versionIdOf } from './object-file.ts';
import { deleteOne } from './objects.ts';
import type { ObjectStore } from './store.ts';

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

/** ListObjectVersions: the versions of each key, newest first, with its delete markers. */
export function listVersions(call: S3Call, store: ObjectStore): AwsReply {
  const { query } = call;
  const prefix = query.get('prefix') ?? '';
  call.authorize('s3:ListBucketVersions', undefined, { 's3:prefix': prefix });
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const all = store.versions(call.bucket.name, prefix);
  const rest = all.slice(startOf(all, query.get('key-marker'), query.get('version-id-marker')));
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = last !== undefined && rest.length > page.length;
  const latest = new Set(all.filter((head, i) => all[i - 1]?.key !== head.key));
  const elements: Element[] = [
    ['Name', call.bucket.name],
    ['Prefix', prefix],
    ['KeyMarker', query.get('key-marker') ?? ''],
    ['VersionIdMarker', query.get('version-id-marker') ?? ''],
    ['MaxKeys', maxKeys],
    ['IsTruncated', String(isTruncated)],
    ...optional('NextKeyMarker', isTruncated ? last.key : undefined),
    ...optional('NextVersionIdMarker', isTruncated ? versionIdOf(last) : undefined),
    ...page.map((head) => toVersionElement(head, latest.has(head))),
  ];
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['ListVersionsResult', elements]) };
}

function startOf(all: readonly ObjectHead[], key: string | undefined, versionId: string | undefined): number {
  if (key === undefined) {
    if (versionId === undefined) return 0;
    throw new S3Error('InvalidArgument', 'A version-id marker cannot be specified without a key marker.');
  }
  const isAfter = (head: ObjectHead) => Buffer.compare(Buffer.from(head.key), Buffer.from(key)) > 0;
  const next = all.findIndex(isAfter);
  const afterKey = next < 0 ? all.length : next;
  if (versionId === undefined) return afterKey;
  const at = all.findIndex((head) => head.key === key && versionIdOf(head) === versionId);
  return at < 0 ? afterKey : at + 1;
}

function toVersionElement(head: ObjectHead, isLatest: boolean): Element {
  const common: Element[] = [
    ['Key', head.key],
    ['VersionId', versionIdOf(head)],
    ['IsLatest', String(isLatest)],
    // S3 lists seconds.
    ['LastModified', new Date(Math.floor(head.lastModified / 1000) * 1000).toISOString()],
  ];
  if (head.deleteMarker) return ['DeleteMarker', common];
  return ['Version', [...common, ['ETag', head.etag], ['Size', head.size], ['StorageClass', 'STANDARD']]];
}

const MAX_DELETED = 1000;
const MEMBERS = ['Delete/Object/Key', 'Delete/Object/VersionId'];

/** DeleteObjects: authorizes and deletes each key separately, and lists the results. */
export function deleteObjects(call: S3Call, store: ObjectStore): AwsReply {
  const { data } = readUpload(call.headers, call.body);
  const { objects, quiet } = readDelete(data.toString());
  const results = objects.map(({ key, versionId }): Element => {
    try {
      const deleted = deleteOne(call, store, key, versionId);
      const named: Element[] = [['Key', key], ...optional('VersionId', versionId)];
      return ['Deleted', [...named, ...markerOf(deleted)]];
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      const detail: Element[] = [
        ['Key', key],
        ['Code', 'AccessDenied'],
        ['Message', error.message],
      ];
      return ['Error', detail];
    }
  });
  const reported = results.filter(([name]) => name === 'Error' || !quiet);
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['DeleteResult', reported]) };
}

/** Returns the elements for a delete marker that was created or deleted. */
function markerOf(deleted: ObjectHead | undefined): Element[] {
  if (!deleted?.deleteMarker) return [];
  return [
    ['DeleteMarker', 'true'],
    ['DeleteMarkerVersionId', versionIdOf(deleted)],
  ];
}

interface DeletedObject {
  readonly key: string;
  readonly versionId: string | undefined;
}

function readDelete(text: string): { objects: DeletedObject[]; quiet: boolean } {
  const values: { path: string; text: string }[] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentagname: (name) => {
        open.push(name);
        values.push({ path: open.join('/'), text: '' });
      },
      ontext: (part) => {
        const value = values.at(-1);
        if (value) value.text += part;
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(text);

  const known = ['Delete', 'Delete/Object', ...MEMBERS, 'Delete/Quiet'];
  const unknown = values.find(({ path }) => !known.includes(path));
  if (unknown)
    throw new S3Error('NotImplemented', `The local cloud does not support ${unknown.path} of DeleteObjects`);
  const objects = readObjects(values);
  if (objects.length > 0 && objects.length <= MAX_DELETED) {
    return { objects, quiet: values.some((value) => value.path === 'Delete/Quiet' && value.text === 'true') };
  }
  throw new S3Error('MalformedXML', `A Delete must contain 1 to ${MAX_DELETED} keys`);
}

/** Returns the objects from the elements, which are in document order. */
function readObjects(values: readonly { readonly path: string; readonly text: string }[]): DeletedObject[] {
  const starts = values.flatMap(({ path }, i) => (path === 'Delete/Object' ? [i] : []));
  return starts.map((start, i) => {
    const members = values.slice(start, starts[i + 1]);
    const [key = '', versionId] = MEMBERS.map((name) => members.find(({ path }) => path === name)?.text);
    return { key, versionId };
  });
}
