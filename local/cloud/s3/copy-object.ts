import { buffer } from 'node:stream/consumers';
import type { AwsReply } from '../aws-http.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import { versionHeaders } from './objects.ts';
import type { ObjectStore } from './store.ts';
import { xmlDocument } from './xml.ts';

/** Parses `x-amz-copy-source`: `<bucket>/<key>?versionId=<id>`, with an encoded key and an optional leading slash. */
function parseSource(header: string): {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | undefined;
} {
  const [path = '', query = ''] = header.split(/\?(?=versionId=[^?]*$)/);
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(path)) ?? [];
  if (bucket === undefined || key === undefined)
    throw new S3Error('InvalidArgument', `Invalid copy source ${header}`);
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
  const data =
    found.size === 0 ? Buffer.alloc(0) : await buffer(store.data(bucket, key, 0, found.size - 1, versionId));
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
