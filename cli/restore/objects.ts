import { CopyObjectCommand, ListObjectVersionsCommand, type ObjectVersion, type S3Client } from '@aws-sdk/client-s3';
import { assetKey } from '../../lambda/contract/assets.ts';
import { archiveKey, builtKey, lookKey } from '../../lambda/sites/archive.ts';
import { VERSION_PREFIX } from '../../lambda/stored/deployment.ts';
import type { Output } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';
import { allItems, type Item, type RestoredName, restoredIn } from './items.ts';
import { each, Progress } from './progress.ts';

/** A bucket, with a client for its region. */
interface Bucket {
  readonly s3: S3Client;
  readonly name: string;
}

/** An object that an item references. Optional ones, such as a picture, may be missing. */
interface NamedObject {
  readonly key: string;
  readonly required: boolean;
}

/**
 * Recovers objects that items reference. Objects are immutable and have unique keys, so the item refers to any version
 * that exists, even if the object was deleted since.
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

/** The objects that an item references: their prefix and their keys. */
export interface Names {
  readonly prefix: string;
  readonly objects: readonly NamedObject[];
}

const NONE: Names = { prefix: '', objects: [] };

/** Returns the objects of a deployment's versions; none for a deleted deployment or for other items of the table. */
export function objectsOfDeployment(item: Item): Names {
  const id = item.id?.S;
  if (id === undefined || !item.live || item.deletedAt) return NONE;
  const objects = Object.entries(item).flatMap(([name, value]) => {
    if (!name.startsWith(VERSION_PREFIX)) return [];
    const version = name.slice(VERSION_PREFIX.length);
    return [
      { key: archiveKey(id, version), required: true },
      { key: lookKey(id, version), required: false },
      ...(value.M?.built ? [{ key: builtKey(id, version), required: true }] : []),
    ];
  });
  return { prefix: `sites/${id}/`, objects };
}

/** Returns the object of an asset, which may not exist before its upload. */
export function objectOfAsset(item: Item): Names {
  const id = item.asset_id?.S;
  if (id === undefined) return NONE;
  const key = assetKey(id);
  return { prefix: key, objects: [{ key, required: item.state?.S === 'uploaded' }] };
}

const CHECKED: readonly {
  readonly table: RestoredName;
  readonly bucket: RestoredName;
  readonly names: (item: Item) => Names;
}[] = [
  { table: 'assets', bucket: 'asset-files', names: objectOfAsset },
  { table: 'deployments', bucket: 'archives', names: objectsOfDeployment },
];

/**
 * Checks that the objects of all deployments and assets of a stack exist.
 * @param repairs recovers deleted objects whose versions still exist, from the buckets of `sources` or else their own
 * @returns the keys of the missing objects
 */
export async function checkObjects(
  stage: Stage,
  { repairs, sources = {} }: { readonly repairs: boolean; readonly sources?: Partial<Record<RestoredName, string>> },
  stderr: Output,
): Promise<string[]> {
  const own = restoredIn(await stage.resources(stage.stackName));
  const missing: string[] = [];
  for (const { table, bucket, names } of CHECKED) {
    const [tableName, to] = [own[table], own[bucket]];
    if (tableName === undefined || to === undefined) continue;
    const from = { s3: stage.s3, name: sources[bucket] ?? to };
    const objects = new ObjectRestore(from, { s3: stage.s3, name: to }, repairs);
    const progress = new Progress(`${table} checked`, stderr);
    await each(allItems(stage.db, tableName), async (item) => {
      const named = names(item);
      if (named.objects.length === 0) return;
      const found = await objects.bringBack(named.prefix, named.objects);
      missing.push(...found.missing);
      progress.count(found.missing.length > 0 ? 'incomplete' : 'complete');
      if (found.copied > 0) progress.count('objects recovered', found.copied);
    });
    stderr.write(`${progress.text}\n`);
  }
  return missing.toSorted();
}
