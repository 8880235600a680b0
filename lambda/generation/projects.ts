import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { GeneratedFile } from '../contract/generate.ts';

/** Finished projects in S3, one JSON object per job; the bucket deletes them when the jobs are gone. */
export class ProjectStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** `run` is part of the key: a run that was given up on can not overwrite its successor's files. */
  async put(id: string, run: string, files: readonly GeneratedFile[]): Promise<void> {
    await this.#s3.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key(id, run),
        Body: JSON.stringify(files),
        ContentType: 'application/json',
      }),
    );
  }

  async get(id: string, run: string): Promise<GeneratedFile[]> {
    const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key(id, run) }));
    return JSON.parse((await Body?.transformToString()) ?? '[]') as GeneratedFile[];
  }
}

function key(id: string, run: string): string {
  return `generations/${id}/${run}.json`;
}
