import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { collect } from './collect.ts';
import { isMissingObject } from './missing-object.ts';

/**
 * Returns the bytes of an object in S3, or undefined if it does not exist.
 * @throws Error for an object of more than `atMost` bytes, before it is read
 */
export async function readObject(
  s3: S3Client,
  Bucket: string,
  Key: string,
  atMost = Number.POSITIVE_INFINITY,
): Promise<Buffer | undefined> {
  try {
    const { Body, ContentLength = 0 } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    if (ContentLength > atMost) {
      (Body as Readable).destroy();
      throw new Error(`${Key} has ${ContentLength} bytes: at most ${atMost} are allowed`);
    }
    return await collect(Body as Readable, ContentLength);
  } catch (error) {
    if (!isMissingObject(error)) throw error;
    return undefined;
  }
}
