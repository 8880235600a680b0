import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CLIENT } from '../platform/aws.ts';
import type { StoredFile } from './job.ts';
import type { WrittenFile } from './output-parser.ts';

/** The contents in this bucket, with a client of their own. */
export function projectFilesIn(bucket: string): ProjectFiles {
  return new ProjectFiles(new S3Client(CLIENT), bucket);
}

/** Reads the contents of stored files. */
export type FileContents = Pick<ProjectFiles, 'content' | 'contents'>;

/** The contents of projects in S3, one immutable object per file; the bucket deletes them when the jobs are gone. */
export class ProjectFiles {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** Stores a file under a key that no other run can write, and gives the key. */
  async put(id: string, run: string, index: number, content: string): Promise<string> {
    const Key = `generations/${id}/${run}/${index}`;
    const ContentType = 'text/plain; charset=utf-8';
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body: content, ContentType }));
    return Key;
  }

  async content({ key }: Pick<StoredFile, 'key'>): Promise<string> {
    const { Body } = await this.#s3.send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }));
    return (await Body?.transformToString('utf-8')) ?? '';
  }

  /** Files with their contents, in the same order. */
  contents<File extends StoredFile>(files: readonly File[]): Promise<(File & WrittenFile)[]> {
    return Promise.all(files.map(async (file) => ({ ...file, content: await this.content(file) })));
  }
}
