import type { AwsReply } from '../aws-http.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import { optional, readMaxKeys } from './list-objects.ts';
import type { ObjectHead } from './object-file.ts';
import type { ObjectStore } from './store.ts';
import { versionIdOf } from './version-folder.ts';
import { type Element, xmlDocument } from './xml.ts';

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
    ...page.map((head) => toElement(head, latest.has(head))),
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

function toElement(head: ObjectHead, isLatest: boolean): Element {
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
