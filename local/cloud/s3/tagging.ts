import { buffer } from 'node:stream/consumers';
import type { AwsReply } from '../aws-http.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import type { ObjectHead } from './object-file.ts';
import type { ObjectStore } from './store.ts';
import { type Element, xmlDocument } from './xml.ts';

/** GetObjectTagging */
export function getObjectTagging(call: S3Call, store: ObjectStore): AwsReply {
  call.authorize('s3:GetObjectTagging', call.key);
  const tags = [...new URLSearchParams(existing(call, store).tagging)].map(([key, value]): Element => {
    const tag: Element[] = [
      ['Key', key],
      ['Value', value],
    ];
    return ['Tag', tag];
  });
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['Tagging', [['TagSet', tags]]]) };
}

/** DeleteObjectTagging: removes all tags of an object. */
export async function deleteObjectTagging(call: S3Call, store: ObjectStore): Promise<AwsReply> {
  call.authorize('s3:DeleteObjectTagging', call.key);
  const { tagging: _, ...head } = existing(call, store);
  const data =
    head.size === 0
      ? Buffer.alloc(0)
      : await buffer(store.data(call.bucket.name, call.key, 0, head.size - 1));
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
