import {
  CopyObjectCommand,
  ListObjectVersionsCommand,
  type ObjectVersion,
  type S3Client,
} from '@aws-sdk/client-s3';

/** A bucket, with a client for its region. */
export interface Bucket {
  readonly s3: S3Client;
  readonly name: string;
}

/** An object that an item references. Optional ones, such as a picture, may be missing. */
export interface NamedObject {
  readonly key: string;
  readonly required: boolean;
}

/**
 * Recovers objects that items reference. Objects are immutable and have unique keys, so the item refers to any version that exists,
 * even if the object was deleted since.
 */
export class ObjectRestore {
  readonly #from: Bucket;
  readonly #to: Bucket;
  readonly #copies: boolean;

  /** @param copies if false, missing objects are only reported */
  constructor(from: Bucket, to: Bucket, copies = true) {
    this.#from = from;
    this.#to = to;
    this.#copies = copies;
  }

  /**
   * Copies the objects that the stack does not have.
   * @param prefix of all of their keys
   * @returns how many were copied, and the keys of required objects that do not exist
   */
  async bringBack(
    prefix: string,
    objects: readonly NamedObject[],
  ): Promise<{ readonly copied: number; readonly missing: string[] }> {
    if (objects.length === 0) return { copied: 0, missing: [] };
    const there = await this.#versions(this.#to, prefix);
    const isCurrent = ({ key }: NamedObject) => there.some(({ Key, IsLatest }) => Key === key && IsLatest);
    const wanted = objects.filter((object) => !isCurrent(object));
    const isOwn = this.#from.name === this.#to.name;
    const stored = isOwn || wanted.length === 0 ? there : await this.#versions(this.#from, prefix);
    const found = wanted.flatMap(({ key }) => stored.find(({ Key }) => Key === key) ?? []);
    if (this.#copies) await Promise.all(found.map((version) => this.#copy(version)));
    const lost = this.#copies ? wanted.filter(({ key }) => !found.some(({ Key }) => Key === key)) : wanted;
    return {
      copied: this.#copies ? found.length : 0,
      missing: lost.filter(({ required }) => required).map(({ key }) => key),
    };
  }

  /** S3 copies the content with its type and tags. */
  async #copy({ Key = '', VersionId }: ObjectVersion): Promise<void> {
    const version = VersionId === undefined ? '' : `?versionId=${encodeURIComponent(VersionId)}`;
    const CopySource = `${this.#from.name}/${Key.split('/').map(encodeURIComponent).join('/')}${version}`;
    await this.#to.s3.send(new CopyObjectCommand({ Bucket: this.#to.name, Key, CopySource }));
  }

  /** Returns the versions below a prefix, or none if the bucket does not exist. */
  async #versions(bucket: Bucket, prefix: string): Promise<ObjectVersion[]> {
    try {
      return await versionsIn(bucket, prefix);
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchBucket') return [];
      throw error;
    }
  }
}

/** Returns the versions below a prefix, the newest of each object first, without delete markers. */
async function versionsIn({ s3, name }: Bucket, Prefix: string): Promise<ObjectVersion[]> {
  const versions: ObjectVersion[] = [];
  let KeyMarker: string | undefined;
  let VersionIdMarker: string | undefined;
  do {
    const list = { Bucket: name, Prefix, KeyMarker, VersionIdMarker };
    const { Versions = [], ...next } = await s3.send(new ListObjectVersionsCommand(list));
    versions.push(...Versions);
    ({ NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = next);
  } while (KeyMarker !== undefined);
  return versions;
}
