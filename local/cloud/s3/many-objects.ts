import * as z from 'zod';
import type { AwsReply } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import { parseXml, toObject, type Written } from '../xml.ts';
import { readUpload, type S3Call, S3Error, xmlDocument } from './call.ts';
import { type ObjectHead, versionIdOf } from './object-file.ts';
import { deleteOne } from './objects.ts';
import type { ObjectStore } from './store.ts';

const MAX_KEYS = 1000;

/** ListObjectsV2 */
export function listObjects(call: S3Call, store: ObjectStore): AwsReply {
  const { query } = call;
  const prefix = query.get('prefix') ?? '';
  call.authorize('s3:ListBucket', undefined, { 's3:prefix': prefix });
  if (query.get('list-type') !== '2') {
    throw new S3Error('NotImplemented', 'The local cloud supports only list-type=2');
  }
  const maxKeys = readMaxKeys(query.get('max-keys'));
  const token = query.get('continuation-token');
  const after = token === undefined ? '' : readToken(token);
  const heads = store.list(call.bucket.name, prefix);
  const rest = heads.filter(({ key }) => isAfter(key, after));
  const page = rest.slice(0, maxKeys);
  const last = page.at(-1);
  const isTruncated = last !== undefined && rest.length > page.length;
  const elements: Written[] = [
    ['Name', call.bucket.name],
    ['Prefix', prefix],
    ['MaxKeys', maxKeys],
    ['KeyCount', page.length],
    ['IsTruncated', isTruncated],
    ['NextContinuationToken', isTruncated ? writeToken(last.key) : undefined],
    ...page.map(toElement),
  ];
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['ListBucketResult', elements]) };
}

function toElement(head: ObjectHead): Written {
  return [
    'Contents',
    [
      ['Key', head.key],
      ['LastModified', new Date(head.lastModified).toISOString()],
      ['ETag', head.etag],
      ['Size', head.size],
      ['StorageClass', 'STANDARD'],
    ],
  ];
}

/** Compares keys in UTF-8 order. */
function isAfter(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0;
}

/** Returns the maximum number of entries per page. @throws S3Error for anything but a number */
function readMaxKeys(text: string | undefined): number {
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
  const elements: Written[] = [
    ['Name', call.bucket.name],
    ['Prefix', prefix],
    ['KeyMarker', query.get('key-marker') ?? ''],
    ['VersionIdMarker', query.get('version-id-marker') ?? ''],
    ['MaxKeys', maxKeys],
    ['IsTruncated', isTruncated],
    ['NextKeyMarker', isTruncated ? last.key : undefined],
    ['NextVersionIdMarker', isTruncated ? versionIdOf(last) : undefined],
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
  const next = all.findIndex((head) => isAfter(head.key, key));
  const afterKey = next < 0 ? all.length : next;
  if (versionId === undefined) return afterKey;
  const at = all.findIndex((head) => head.key === key && versionIdOf(head) === versionId);
  return at < 0 ? afterKey : at + 1;
}

function toVersionElement(head: ObjectHead, isLatest: boolean): Written {
  const common: Written[] = [
    ['Key', head.key],
    ['VersionId', versionIdOf(head)],
    ['IsLatest', isLatest],
    // S3 lists seconds.
    ['LastModified', new Date(Math.floor(head.lastModified / 1000) * 1000).toISOString()],
  ];
  if (head.deleteMarker) return ['DeleteMarker', common];
  return ['Version', [...common, ['ETag', head.etag], ['Size', head.size], ['StorageClass', 'STANDARD']]];
}

const MAX_DELETED = 1000;

const DeletedObject = z.strictObject({ Key: z.string(), VersionId: z.string().optional() });

/** DeleteObjects: authorizes and deletes each key separately, and lists the results. */
export function deleteObjects(call: S3Call, store: ObjectStore): AwsReply {
  readUpload(call.headers, call.body);
  const { objects, quiet } = readDelete(call.body.toString());
  const results = objects.map(({ Key: key, VersionId: versionId }): Written => {
    try {
      const deleted = deleteOne(call, store, key, versionId);
      return ['Deleted', [['Key', key], ['VersionId', versionId], ...markerOf(deleted)]];
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      const detail: Written[] = [
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
function markerOf(deleted: ObjectHead | undefined): Written[] {
  if (!deleted?.deleteMarker) return [];
  return [
    ['DeleteMarker', 'true'],
    ['DeleteMarkerVersionId', versionIdOf(deleted)],
  ];
}

function readDelete(text: string): { objects: z.output<typeof DeletedObject>[]; quiet: boolean } {
  const [, content] = parseXml(text);
  const elements = typeof content === 'string' ? [] : content;
  const unknown = elements.find(([name]) => name !== 'Object' && name !== 'Quiet');
  if (unknown) throw new S3Error('NotImplemented', `The local cloud does not support ${unknown[0]} of DeleteObjects`);
  const objects = elements.flatMap(([name, value]) =>
    name === 'Object' ? [DeletedObject.parse(toObject(value, []))] : [],
  );
  if (objects.length > 0 && objects.length <= MAX_DELETED)
    return { objects, quiet: elements.some(([name, value]) => name === 'Quiet' && value === 'true') };
  throw new S3Error('MalformedXML', `A Delete must contain 1 to ${MAX_DELETED} keys`);
}
