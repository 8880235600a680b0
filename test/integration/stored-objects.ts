import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { Look } from '../../lambda/stored/looker.ts';
import { ProjectFileStore } from '../../lambda/stored/project-file-store.ts';
import type { Account } from '../../local/cloud/account.ts';
import type { OperatorFile } from '../../local/cloud/cloud.ts';
import { cloud } from './cloud.ts';

interface Place {
  readonly stateDir: string;
}

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
    const { Contents = [] } = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix: `generations/${id}/` }),
    );
    const keys = Contents.flatMap(({ Key }) => (Key?.endsWith(suffix) ? [Key] : []));
    for (const Key of keys) await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    return keys.length;
  });
}

/** Stores a picture of 390 px of a generation, as a look after an attempt does. */
export function storePicture(id: string, attempt: number, png: Uint8Array, place: Place): Promise<void> {
  return inBucket('generationfiles', place, async (s3, bucket = '') => {
    const look: Look = { state: 'looked', problems: [], screenshots: new Map([[390, png]]) };
    await new ProjectFileStore(s3, bucket).putLook(id, attempt, look);
  });
}

async function inBucket<T>(
  name: string,
  { stateDir }: Place,
  perform: (s3: S3Client, bucket: string | undefined) => Promise<T>,
): Promise<T> {
  const read = (file: string) => JSON.parse(readFileSync(join(stateDir, file), 'utf8'));
  const { endpoint, region, ...credentials } = read('operator.json') as OperatorFile;
  const { buckets } = read('account.json') as Account;
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  try {
    return await perform(s3, buckets.find((bucket) => bucket.name.includes(name))?.name);
  } finally {
    s3.destroy();
  }
}
