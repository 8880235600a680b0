import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Bucket, VersionRule } from '../account.ts';
import {
  NULL_VERSION,
  newVersionId,
  type ObjectHead,
  objectFile,
  readObjectData,
  readObjectHead,
  VersionFolder,
  versionIdOf,
} from './object-file.ts';

type Check = (existing: ObjectHead | undefined) => void;

/**
 * Objects on disk. Each is one file, `<root>/<bucket>/<SHA-256 of its key>`, because keys can be longer than file names
 * and differ only in case. A rename makes head and data visible atomically. Noncurrent versions are in
 * `<root>/.versions/`.
 */
export class ObjectStore {
  readonly #root: string;
  readonly #incoming: string;
  readonly #versioned: ReadonlySet<string>;

  /** Creates missing buckets, and deletes unfinished uploads of a killed process and expired versions. */
  constructor(root: string, buckets: readonly Bucket[]) {
    this.#root = root;
    this.#incoming = join(root, '.incoming');
    this.#versioned = new Set(buckets.flatMap(({ name, versions }) => (versions ? [name] : [])));
    rmSync(this.#incoming, { recursive: true, force: true });
    for (const folder of ['.incoming', ...buckets.map(({ name }) => name)])
      mkdirSync(join(root, folder), { recursive: true });
    for (const { name, versions = [] } of buckets) expireVersions(this, name, versions, Date.now());
  }

  /** Returns the current version or the specified one, which may be a delete marker; undefined if it does not exist. */
  head(bucket: string, key: string, versionId?: string): ObjectHead | undefined {
    const path = this.#file(bucket, key, versionId);
    return path === undefined ? undefined : readObjectHead(path);
  }

  /** Returns bytes `start` to `end` (inclusive) of an object whose head was read in the same turn. */
  data(bucket: string, key: string, start: number, end: number, versionId?: string): Readable {
    const path = this.#file(bucket, key, versionId);
    if (path === undefined) throw new Error(`There is no version ${versionId} of ${key}`);
    return readObjectData(path, start, end);
  }

  /**
   * Writes an object to disk and renames it into place. `check` gets the object that will be replaced and
   * can throw; check and rename are atomic.
   * @returns the head, with the id of the version if the bucket has versions
   */
  async put(bucket: string, head: ObjectHead, data: Buffer, check: Check): Promise<ObjectHead> {
    const versioned = this.#versioned.has(bucket);
    const stored = versioned ? { ...head, versionId: newVersionId() } : head;
    await this.#write(bucket, stored, data, (existing) => {
      check(existing);
      if (versioned && existing) this.#versions(bucket, head.key).keep(this.#path(bucket, head.key), existing);
    });
    return stored;
  }

  /** Replaces the current version without adding one, for changes of tags. */
  rewrite(bucket: string, head: ObjectHead, data: Buffer, check: Check): Promise<void> {
    return this.#write(bucket, head, data, check);
  }

  /** Deletes an object; in a bucket with versions, by adding a delete marker, which it returns. */
  delete(bucket: string, key: string): ObjectHead | undefined {
    const path = this.#path(bucket, key);
    if (!this.#versioned.has(bucket)) {
      rmSync(path, { force: true });
      return undefined;
    }
    const versions = this.#versions(bucket, key);
    const current = readObjectHead(path);
    if (current) versions.keep(path, current);
    rmSync(path, { force: true });
    return versions.mark(key);
  }

  /**
   * Permanently deletes a version. If it was current, the previous one becomes current.
   * @returns its head, if it existed
   */
  deleteVersion(bucket: string, key: string, versionId: string): ObjectHead | undefined {
    const path = this.#path(bucket, key);
    const versions = this.#versions(bucket, key);
    const current = readObjectHead(path);
    const head = this.head(bucket, key, versionId);
    versions.remove(versionId);
    if (current && versionIdOf(current) === versionId) rmSync(path, { force: true });
    if (!readObjectHead(path)) versions.promote(path);
    return head;
  }

  /** Returns the objects of a bucket whose keys start with `prefix`, in the UTF-8 order of the keys. */
  list(bucket: string, prefix: string): ObjectHead[] {
    const folder = join(this.#root, bucket);
    return readdirSync(folder)
      .flatMap((name) => readObjectHead(join(folder, name)) ?? [])
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /** Returns all versions and delete markers, in the UTF-8 order of the keys, the newest of each key first. */
  versions(bucket: string, prefix: string): ObjectHead[] {
    const current = new Map(this.list(bucket, '').map((head) => [head.key, head]));
    const folder = join(this.#root, '.versions', bucket);
    mkdirSync(folder, { recursive: true });
    const others = readdirSync(folder)
      .flatMap((name) => new VersionFolder(join(folder, name)).list())
      .filter((head) => versionIdOf(head) !== versionIdOf(current.get(head.key) ?? { ...head, versionId: '' }));
    // The sort is stable: the current version of a key comes before the others, which are sorted already.
    return [...current.values(), ...others]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  }

  /** Returns the newest version of a key, which may be a delete marker. */
  newest(bucket: string, key: string): ObjectHead | undefined {
    return this.head(bucket, key) ?? this.#versions(bucket, key).list()[0];
  }

  async #write(bucket: string, head: ObjectHead, data: Buffer, check: Check): Promise<void> {
    const temporary = join(this.#incoming, randomUUID());
    try {
      await writeFile(temporary, objectFile(head, data));
      check(this.head(bucket, head.key));
      renameSync(temporary, this.#path(bucket, head.key));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Returns the file of the current or the specified version; undefined for an impossible id. */
  #file(bucket: string, key: string, versionId: string | undefined): string | undefined {
    const path = this.#path(bucket, key);
    if (versionId === undefined) return path;
    if (!/^\w+$/.test(versionId)) return undefined;
    const current = readObjectHead(path);
    if (current && versionIdOf(current) === versionId) return path;
    return this.#versioned.has(bucket) || versionId === NULL_VERSION
      ? this.#versions(bucket, key).path(versionId)
      : undefined;
  }

  #versions(bucket: string, key: string): VersionFolder {
    return new VersionFolder(join(this.#root, '.versions', bucket, hashOf(key)));
  }

  #path(bucket: string, key: string): string {
    return join(this.#root, bucket, hashOf(key));
  }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

const DAY_MS = 86_400_000;

interface Versions {
  versions(bucket: string, prefix: string): ObjectHead[];
  deleteVersion(bucket: string, key: string, versionId: string): unknown;
}

/**
 * Deletes versions that have been noncurrent for the time of a rule, and delete markers that hide no version. S3 does
 * so once a day; the local cloud does so when the backend starts, so that deleted objects do not fill the disk of a
 * laptop.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/intro-lifecycle-rules.html
 */
export function expireVersions(store: Versions, bucket: string, rules: readonly VersionRule[], now: number): void {
  for (const { prefix, days } of rules) {
    const versions = store.versions(bucket, prefix);
    versions.forEach((head, i) => {
      const newer = versions[i - 1];
      // A version becomes noncurrent when the next one is created.
      if (newer?.key === head.key && newer.lastModified <= now - days * DAY_MS)
        store.deleteVersion(bucket, head.key, versionIdOf(head));
    });
    for (const alone of markersAlone(store.versions(bucket, prefix)))
      store.deleteVersion(bucket, alone.key, versionIdOf(alone));
  }
}

function markersAlone(versions: readonly ObjectHead[]): ObjectHead[] {
  const byKey = Object.groupBy(versions, ({ key }) => key);
  return Object.values(byKey).flatMap((ofKey = []) => {
    const [only, second] = ofKey;
    return only?.deleteMarker && second === undefined ? [only] : [];
  });
}
