import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** S3 reports a missing key as AccessDenied if the role may not list the bucket. */
const NAMES = new Set(['NoSuchKey', 'AccessDenied']);

/** Returns whether an S3 call failed because the object does not exist. */
export function isMissingObject(error: unknown): boolean {
  return error instanceof Error && NAMES.has(error.name);
}

/**
 * Reads a stream into one buffer: collecting chunks first would double the peak memory.
 * @param length the number of bytes
 */
export async function collect(stream: Readable, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for await (const chunk of stream) at += (chunk as Buffer).copy(bytes, at);
  if (at !== length) throw new Error(`The stream ended after ${at} of ${length} bytes`);
  return bytes;
}

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
