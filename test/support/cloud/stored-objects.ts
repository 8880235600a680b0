import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { inBucket, type Place } from '../buckets.ts';
import { cloud } from './cloud.ts';

/** Returns the object keys under a prefix in the bucket of deployments. */
export function storedObjects(prefix: string, place: Place = cloud()): Promise<string[]> {
  return inBucket('archives', place, async (s3, Bucket) => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
    return Contents.map(({ Key = '' }) => Key);
  });
}

/** Returns the keys of the results of builds. */
export function storedBuilds(place: Place): Promise<string[]> {
  return inBucket('buildsobjects', place, async (s3, Bucket) => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'out/' }));
    return Contents.map(({ Key = '' }) => Key);
  });
}

/** Deletes the objects of a generation whose keys end in a suffix, and returns how many there were. */
export function deleteGenerated(id: string, suffix: string, place: Place): Promise<number> {
  return inBucket('generationfiles', place, async (s3, Bucket) => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `generations/${id}/` }));
    const keys = Contents.flatMap(({ Key }) => (Key?.endsWith(suffix) ? [Key] : []));
    for (const Key of keys) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    return keys.length;
  });
}
