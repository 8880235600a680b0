import { buffer } from 'node:stream/consumers';
import type { AwsReply } from '../aws-http.ts';
import type { Written } from '../xml.ts';
import { checkWrite, isNotModified, parseRange, readUpload, type S3Call, S3Error, xmlDocument } from './call.ts';
import type { ObjectHead } from './object-file.ts';
import type { ObjectStore } from './store.ts';

const STORED_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

/** Parameters of a read that replace stored headers. */
export const RESPONSE_QUERY = [
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-content-type',
  'response-expires',
];

/** PutObject */
export async function putObject(call: S3Call, store: ObjectStore): Promise<AwsReply> {
  call.authorize('s3:PutObject', call.key);
  const tagging = call.headers['x-amz-tagging'];
  if (tagging !== undefined) call.authorize('s3:PutObjectTagging', call.key);
  const { md5, checksums } = readUpload(call.headers, call.body);
  const head: ObjectHead = {
    key: call.key,
    size: call.body.length,
    etag: `"${md5}"`,
    lastModified: Date.now(),
    headers: storedHeaders(call.headers),
    ...(tagging === undefined ? {} : { tagging }),
    checksums,
  };
  const stored = await store.put(call.bucket.name, head, call.body, (existing) => checkWrite(call.headers, existing));
  const reply = { etag: head.etag, ...versionHeaders(stored), ...checksumHeaders(head) };
  return { status: 200, headers: reply, body: '' };
}

/** GetObject */
export function getObject(call: S3Call, store: ObjectStore): AwsReply {
  const versionId = call.query.get('versionId');
  return read(call, store, (first, last) => store.data(call.bucket.name, call.key, first, last, versionId));
}

/** HeadObject: the reply of GetObject without the data. */
export function headObject(call: S3Call, store: ObjectStore): AwsReply {
  return read(call, store, () => '');
}

/**
 * DeleteObject: succeeds even if the object does not exist. In a bucket with versions, it adds a delete marker, or
 * permanently deletes the version that the request specifies.
 */
export function deleteObject(call: S3Call, store: ObjectStore): AwsReply {
  const deleted = deleteOne(call, store, call.key, call.query.get('versionId'));
  return { status: 204, headers: deleted ? versionHeaders(deleted) : {}, body: '' };
}

/** @returns the new delete marker, or the deleted version, if it existed */
export function deleteOne(
  call: S3Call,
  store: ObjectStore,
  key: string,
  versionId: string | undefined,
): ObjectHead | undefined {
  call.authorize(versionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion', key);
  if (versionId === undefined) return store.delete(call.bucket.name, key);
  return store.deleteVersion(call.bucket.name, key, versionId);
}

/** Returns the headers that identify a version or delete marker. */
function versionHeaders({ versionId, deleteMarker }: ObjectHead): Record<string, string> {
  return {
    ...(versionId === undefined ? {} : { 'x-amz-version-id': versionId }),
    ...(deleteMarker ? { 'x-amz-delete-marker': 'true' } : {}),
  };
}

function read(call: S3Call, store: ObjectStore, data: (first: number, last: number) => AwsReply['body']): AwsReply {
  const head = versionOf(call, store) ?? currentOf(call, store);
  const validators = { etag: head.etag, 'last-modified': new Date(head.lastModified).toUTCString() };
  if (isNotModified(call.headers, head)) return { status: 304, headers: validators, body: '' };

  const range = parseRange(call.headers.range, head.size);
  const { first, last } = range ?? { first: 0, last: head.size - 1 };
  const headers = {
    ...head.headers,
    ...overrides(call.query),
    ...validators,
    ...versionHeaders(head),
    'accept-ranges': 'bytes',
    'content-length': String(last - first + 1),
    ...(range ? { 'content-range': `bytes ${first}-${last}/${head.size}` } : {}),
    // The checksum covers the whole object.
    ...(range || call.headers['x-amz-checksum-mode'] !== 'ENABLED' ? {} : checksumHeaders(head)),
  };
  return { status: range ? 206 : 200, headers, body: last < first ? '' : data(first, last) };
}

/**
 * Returns the version that a read specifies, or undefined if it specifies none.
 * @throws S3Error if it does not exist
 */
function versionOf(call: S3Call, store: ObjectStore): ObjectHead | undefined {
  const versionId = call.query.get('versionId');
  if (versionId === undefined) return undefined;
  call.authorize('s3:GetObjectVersion', call.key);
  const head = store.head(call.bucket.name, call.key, versionId);
  if (!head)
    throw new S3Error('NoSuchVersion', 'The specified version does not exist.', {
      Key: call.key,
      VersionId: versionId,
    });
  if (!head.deleteMarker) return head;
  const message = 'The specified method is not allowed against this resource.';
  throw new S3Error('MethodNotAllowed', message, { ResourceType: 'DeleteMarker' }, versionHeaders(head));
}

function currentOf(call: S3Call, store: ObjectStore): ObjectHead {
  call.authorize('s3:GetObject', call.key);
  const head = store.newest(call.bucket.name, call.key);
  if (head && !head.deleteMarker) return head;
  // Without permission to list the bucket, a missing key is AccessDenied, which functions expect. It is not logged as a
  // denial.
  if (!call.allows('s3:ListBucket', undefined, { 's3:prefix': call.key }))
    throw new S3Error('AccessDenied', 'Access Denied');
  const marker = head ? versionHeaders(head) : {};
  throw new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: call.key }, marker);
}

function overrides(query: S3Call['query']): Record<string, string> {
  const given = RESPONSE_QUERY.flatMap((name) => {
    const value = query.get(name);
    return value === undefined ? [] : [[name.slice('response-'.length), value] as const];
  });
  return Object.fromEntries(given);
}

function storedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const stored: Record<string, string> = { 'content-type': 'binary/octet-stream' };
  for (const [name, value] of Object.entries(headers)) {
    if (STORED_HEADERS.includes(name) || name.startsWith('x-amz-meta-')) stored[name] = value;
  }
  return stored;
}

function checksumHeaders({ checksums }: ObjectHead): Record<string, string> {
  return Object.keys(checksums).length === 0 ? {} : { ...checksums, 'x-amz-checksum-type': 'FULL_OBJECT' };
}

/** Parses `x-amz-copy-source`: `<bucket>/<key>?versionId=<id>`, with an encoded key and an optional leading slash. */
function parseSource(header: string): {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | undefined;
} {
  const [path = '', query = ''] = header.split(/\?(?=versionId=[^?]*$)/);
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(path)) ?? [];
  if (bucket === undefined || key === undefined) throw new S3Error('InvalidArgument', `Invalid copy source ${header}`);
  return { bucket, key, versionId: query === '' ? undefined : query.slice('versionId='.length) };
}

/**
 * CopyObject: copies an object of the account, or one version of it, with its metadata, checksums and tags.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
 */
export async function copyObject(call: S3Call, store: ObjectStore): Promise<AwsReply> {
  const source = parseSource(call.headers['x-amz-copy-source'] ?? '');
  const { bucket, key, versionId } = source;
  const of = call.inBucket(bucket);
  of.authorize(versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion', key);
  call.authorize('s3:PutObject', call.key);
  const found = store.head(bucket, key, versionId);
  if (!found || found.deleteMarker)
    throw new S3Error(versionId === undefined ? 'NoSuchKey' : 'NoSuchVersion', 'The source does not exist.', {
      Key: key,
    });
  if (found.tagging !== undefined) {
    of.authorize(versionId === undefined ? 's3:GetObjectTagging' : 's3:GetObjectVersionTagging', key);
    call.authorize('s3:PutObjectTagging', call.key);
  }
  const isSame = bucket === call.bucket.name && key === call.key && versionId === undefined;
  if (isSame)
    throw new S3Error(
      'InvalidRequest',
      'This copy request is illegal because it is trying to copy an object to itself without changing it.',
    );
  const data = found.size === 0 ? Buffer.alloc(0) : await buffer(store.data(bucket, key, 0, found.size - 1, versionId));
  const { versionId: copied, ...head } = { ...found, key: call.key, lastModified: Date.now() };
  const stored = await store.put(call.bucket.name, head, data, () => {});
  const headers = {
    'content-type': 'application/xml',
    ...versionHeaders(stored),
    ...(copied === undefined ? {} : { 'x-amz-copy-source-version-id': copied }),
  };
  const lastModified = new Date(stored.lastModified).toISOString();
  const body = xmlDocument([
    'CopyObjectResult',
    [
      ['LastModified', lastModified],
      ['ETag', stored.etag],
    ],
  ]);
  return { status: 200, headers, body };
}

/** GetObjectTagging */
export function getObjectTagging(call: S3Call, store: ObjectStore): AwsReply {
  call.authorize('s3:GetObjectTagging', call.key);
  const tags = [...new URLSearchParams(existing(call, store).tagging)].map(
    ([key, value]): Written => [
      'Tag',
      [
        ['Key', key],
        ['Value', value],
      ],
    ],
  );
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['Tagging', [['TagSet', tags]]]) };
}

/** DeleteObjectTagging: removes all tags of an object. */
export async function deleteObjectTagging(call: S3Call, store: ObjectStore): Promise<AwsReply> {
  call.authorize('s3:DeleteObjectTagging', call.key);
  const { tagging: _, ...head } = existing(call, store);
  const data =
    head.size === 0 ? Buffer.alloc(0) : await buffer(store.data(call.bucket.name, call.key, 0, head.size - 1));
  await store.rewrite(call.bucket.name, head, data, (now) => {
    if (now?.etag !== head.etag) throw missing(call.key);
  });
  return { status: 204, headers: {}, body: '' };
}

function existing({ bucket, key }: S3Call, store: ObjectStore): ObjectHead {
  const head = store.head(bucket.name, key);
  if (!head) throw missing(key);
  return head;
}

function missing(key: string): S3Error {
  return new S3Error('NoSuchKey', 'The specified key does not exist.', { Key: key });
}
