import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { nanoid } from 'nanoid';
import { CLIENT } from '../../platform/aws.ts';
import { readObject } from '../../platform/read-object.ts';
import type { SiteFile } from '../../sites/accept-files.ts';
import { packSite, unpackSite } from '../../sites/archive.ts';
import { textOf } from '../../sites/text-of.ts';
import { type Look, packLook, readLook } from '../looks/looker.ts';
import type { StoredFile } from './stored-project.ts';

const lookKey = (id: string, attempt: number) => `generations/${id}/looks/${attempt}`;

/** Returns the store of a bucket, with its own S3 client. */
export function projectFilesIn(bucket: string): ProjectFileStore {
  return new ProjectFileStore(new S3Client(CLIENT), bucket);
}

/** The read side of the store. */
export type FileContents = Pick<ProjectFileStore, 'content' | 'contents' | 'base'>;

/** The part of the store that the API needs. */
export type ProjectFiles = FileContents &
  Pick<ProjectFileStore, 'putBase' | 'putImage' | 'changes' | 'putChanges' | 'look'>;

/**
 * The contents of projects in S3: one immutable object per file, and one archive for a project that is changed. The
 * bucket's lifecycle rule deletes them.
 */
export class ProjectFileStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** Stores a file and returns its key, which no other invocation can write. */
  async put(
    { id, invocationId }: { readonly id: string; readonly invocationId: string },
    index: number,
    content: string,
  ): Promise<string> {
    const Key = `generations/${id}/${invocationId}/${index}`;
    const ContentType = 'text/plain; charset=utf-8';
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body: content, ContentType }));
    return Key;
  }

  /** Stores the project that a generation changes, and returns its key. */
  async putBase(id: string, files: readonly SiteFile[]): Promise<string> {
    // A key of its own for each request: one with the same idempotency key may have another project.
    const Key = `generations/${id}/${nanoid()}.zip`;
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body: packSite(files) }));
    return Key;
  }

  /** Returns what `putChanges` stored, or undefined if it stored nothing. */
  async changes<Changes>(Key: string): Promise<Changes | undefined> {
    const bytes = await readObject(this.#s3, this.#bucket, Key);
    return bytes && (JSON.parse(bytes.toString()) as Changes);
  }

  /** Stores what a generation changed, as JSON. */
  async putChanges(Key: string, changes: object): Promise<void> {
    const Body = JSON.stringify(changes);
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body, ContentType: 'application/json' }));
  }

  /** Stores an image that the caller gave to a generation, and returns its key. */
  async putImage(id: string, content: Uint8Array): Promise<string> {
    const Key = `generations/${id}/${nanoid()}`;
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key, Body: content }));
    return Key;
  }

  /** Stores what a browser saw after an attempt. */
  async putLook(id: string, attempt: number, look: Look): Promise<void> {
    const Body = packLook(look);
    await this.#s3.send(new PutObjectCommand({ Bucket: this.#bucket, Key: lookKey(id, attempt), Body }));
  }

  /** Returns what a browser saw after an attempt; undefined if it did not look. */
  async look(id: string, attempt: number): Promise<Look | undefined> {
    const bytes = await readObject(this.#s3, this.#bucket, lookKey(id, attempt));
    const look = bytes && readLook(bytes);
    return look?.state === 'looked' ? look : undefined;
  }

  /** Returns the files of a base by path. */
  async base(key: string): Promise<Map<string, Uint8Array>> {
    return unpackSite(await this.#read(key));
  }

  /** Returns the text of a file; bytes if it is not text. */
  async content({ key }: Pick<StoredFile, 'key'>): Promise<string | Uint8Array> {
    const bytes = await this.#read(key);
    return textOf(bytes) ?? bytes;
  }

  /** Returns the files with their contents, in the same order. */
  contents<File extends StoredFile>(
    files: readonly File[],
  ): Promise<(File & { readonly content: string | Uint8Array })[]> {
    return Promise.all(files.map(async (file) => ({ ...file, content: await this.content(file) })));
  }

  async #read(key: string): Promise<Uint8Array> {
    const bytes = await readObject(this.#s3, this.#bucket, key);
    if (!bytes) throw new Error(`There is no object ${key}`);
    return bytes;
  }
}
