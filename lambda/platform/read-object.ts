import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { collect } from './collect.ts';
import { isMissingObject } from './missing-object.ts';

/** Returns the bytes of an object in S3, or undefined if it does not exist. */
export async function readObject(s3: S3Client, Bucket: string, Key: string): Promise<Buffer | undefined> {
  try {
    const { Body, ContentLength = 0 } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return await collect(Body as Readable, ContentLength);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return undefined;
  }
}
