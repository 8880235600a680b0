import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { lookKey } from '../../lambda/sites/archive.ts';
import { type Look, packLook } from '../../lambda/stored/looks/looker.ts';
import { ProjectFileStore } from '../../lambda/stored/projects/project-file-store.ts';
import type { Account } from '../../local/cloud/account.ts';
import type { OperatorFile } from '../../local/cloud/cloud.ts';

/** Where a local service has its state. */
export interface Place {
  readonly stateDir: string;
}

/** Stores a picture of 390 px of a generation, as a look after an attempt does. */
export function storePicture(id: string, attempt: number, png: Uint8Array, place: Place): Promise<void> {
  return inBucket('generationfiles', place, async (s3, bucket = '') => {
    const look: Look = { state: 'looked', problems: [], screenshots: new Map([[390, png]]) };
    await new ProjectFileStore(s3, bucket).putLook(id, attempt, look);
  });
}

/** Stores a picture of 390 px of a version of a deployment, as a look after a deploy does. */
export function storePictureOfVersion(id: string, version: string, png: Uint8Array, place: Place): Promise<void> {
  return inBucket('archives', place, async (s3, Bucket) => {
    const look: Look = { state: 'looked', problems: [], screenshots: new Map([[390, png]]) };
    await s3.send(new PutObjectCommand({ Bucket, Key: lookKey(id, version), Body: packLook(look) }));
  });
}

/** Calls a function with a bucket of a local service, by a part of its name. */
export async function inBucket<T>(
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
