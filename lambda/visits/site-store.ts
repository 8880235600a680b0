import { addAbortSignal, type Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { isMissingObject } from '../platform/read-object.ts';
import { RecentlyUsed } from '../platform/recently-used.ts';
import { archiveKey, builtKey, lookKey, unpackSite } from '../sites/archive.ts';
import type { Site } from '../sites/serving/site.ts';
import { splitHeader } from '../sites/source/build.ts';
import { type Deployment, readDeployment, type Version } from '../stored/deployment.ts';
import { type Look, readLook } from '../stored/looks/looker.ts';

/** Ten times what 10 MB take in a function of 512 MB. */
const BODY_MS = 2_000;

/** The clients, table and bucket of deployments and their archives. */
interface SiteStoreOptions {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly clock: Clock;
}

/** Reads pointers and archives for visits. */
export class SiteStore {
  readonly #options: SiteStoreOptions;

  constructor(options: SiteStoreOptions) {
    this.#options = options;
  }

  find(id: string): Promise<Deployment | undefined> {
    const { db, table, clock } = this.#options;
    return readDeployment(db, table, id, clock());
  }

  /**
   * Reads the whole archive of what visitors see: the files of a version, or what was built of them.
   * @throws AbortError if its body takes too long: the client's timeouts end with the headers
   */
  async archive(id: string, { version, built }: Pick<Version, 'version' | 'built'>): Promise<Uint8Array> {
    const bytes = await this.#read(built === undefined ? archiveKey(id, version) : builtKey(id, version));
    return built === undefined ? bytes : splitHeader(bytes).rest;
  }

  /** Reads what a browser saw of a version, with its pictures; undefined if it did not look. */
  async look(id: string, version: string): Promise<Look | undefined> {
    try {
      const look = readLook(await this.#read(lookKey(id, version)));
      return look.state === 'looked' ? look : undefined;
    } catch (error) {
      if (!isMissingObject(error)) throw error;
      return undefined;
    }
  }

  /**
   * Opens the archive with the files of a version as a stream.
   * @throws an error that `isMissingObject` recognizes for a version that was deleted
   */
  openArchive(id: string, version: string) {
    return this.#open(archiveKey(id, version));
  }

  async #read(key: string): Promise<Uint8Array> {
    const body = await this.#open(key);
    addAbortSignal(AbortSignal.timeout(BODY_MS), body as Readable);
    return body.transformToByteArray();
  }

  async #open(Key: string) {
    const { s3, bucket } = this.#options;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    if (!Body) throw new Error(`${Key} has no body`);
    return Body;
  }
}

/** The total size of the sites that an instance keeps in memory; several sites of the maximum size fit. */
const HELD_BYTES = 64 * 1_048_576;

/** The total length of the hashed names that an instance remembers. A version counts as 100 more. */
const REMEMBERED_CHARACTERS = 4_000_000;

/** Loads each version of a site once per function instance, even for concurrent visits. */
export class SiteCache {
  readonly #store: Pick<SiteStore, 'archive'>;
  readonly #sites = new RecentlyUsed<Promise<Site>>(HELD_BYTES);
  /** The names of the versions that `loadWith` has read. */
  readonly #hashedNames = new RecentlyUsed<ReadonlySet<string>>(REMEMBERED_CHARACTERS);

  constructor(store: Pick<SiteStore, 'archive'>) {
    this.#store = store;
  }

  /** @param base the path of the site on its origin */
  load(id: string, version: Version, base: string): Promise<Site> {
    const name = `${base}${id}/${version.version}`;
    const held = this.#sites.get(name);
    if (held) return held;
    const site = this.#read(id, version, base);
    this.#sites.set(name, site, heldBytes(version));
    site.catch(() => this.#sites.delete(name));
    return site;
  }

  /**
   * Returns a replaced version if it has a file with a hashed name. A version that lacks it is not kept in memory, where it
   * would evict live ones, but its hashed names are: whatever is asked for, an instance reads it for this once.
   * @param path of a file whose name may be hashed
   */
  async loadWith(path: string, id: string, version: Version, base: string): Promise<Site | undefined> {
    const name = `${id}/${version.version}`;
    const known = this.#hashedNames.get(name);
    if (known) return known.has(path) ? this.load(id, version, base) : undefined;
    const site = await (this.#sites.get(base + name) ?? this.#read(id, version, base)).catch(unlessMissing);
    const hashed = site?.hashedNames() ?? [];
    const characters = hashed.reduce((total, { length }) => total + length, 100);
    this.#hashedNames.set(name, new Set(hashed), characters);
    if (!site?.has(path)) return undefined;
    this.#sites.set(base + name, Promise.resolve(site), heldBytes(version));
    return site;
  }

  async #read(id: string, version: Version, base: string): Promise<Site> {
    // Loaded while S3 answers: what reads and rewrites pages is a fifth of the function's code.
    const [{ Site }, archive] = await Promise.all([
      import('../sites/serving/site.ts'),
      this.#store.archive(id, version),
    ]);
    return new Site(unpackSite(archive), version.entry, base);
  }
}

/** Returns the bytes of the site that visitors see of a version. */
function heldBytes({ bytes, built }: Version): number {
  return built ?? bytes;
}

/** The archive of a version that a concurrent deploy has deleted. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissingObject(error)) throw error;
}
