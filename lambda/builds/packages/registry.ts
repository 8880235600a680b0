import pLimit from 'p-limit';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import { valueIn } from '../json.ts';
import { BuildError } from '../problems.ts';
import { type Manifest, readManifest, record, strongestIntegrity, texts } from './manifest.ts';

export interface RegistryOptions {
  /** Such as `https://registry.npmjs.org`. Archives and documents come from here, whatever a document says. */
  readonly url: string;
  /** For one attempt, until its last byte. */
  readonly timeoutMilliseconds?: number;
}

/** Counts bytes, and throws a BuildError if there are too many. */
type Spend = (bytes: number) => void;

const TIMEOUT = 6_000;
const ATTEMPTS = 2;
const RETRY_AFTER = 150;
const CONNECTIONS = 24;
const MAX_DOCUMENT = 32 * 1_048_576;
/** An instance caches documents for this long, and up to this size. */
const FRESH = 5 * 60_000;
const KEPT_BYTES = 24 * 1_048_576;
/** The size that a cached document counts at least, even if there is no such package. */
const MIN_DOCUMENT = 1_024;

/**
 * Document without `time` and readme (https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md).
 */
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

interface LoadedDocument {
  readonly packument: Packument | undefined;
  /** In bytes. */
  readonly size: number;
}

interface Document {
  readonly loading: Promise<LoadedDocument>;
  readonly until: number;
}

/** A client of one registry. It follows no redirect. */
export class Registry {
  readonly #url: string;
  readonly #timeout: number;
  readonly #documents = new RecentlyUsed<Document>(KEPT_BYTES);
  readonly #limit = pLimit(CONNECTIONS);

  constructor({ url, timeoutMilliseconds = TIMEOUT }: RegistryOptions) {
    this.#url = url.replace(/\/$/, '');
    this.#timeout = timeoutMilliseconds;
  }

  /**
   * Returns the document of a package; undefined if there is none.
   * @param name a valid name
   * @param oldEnough whether versions are older than this time must be known; undefined if ages do not matter
   * @throws BuildError `unavailable`
   */
  async packument(name: string, oldEnough: number | undefined): Promise<Packument | undefined> {
    const packument = await this.#document(name, ABBREVIATED);
    if (!packument || packument.created !== undefined || oldEnough === undefined) return packument;
    const modified = packument.published('modified');
    if (modified !== undefined && modified < oldEnough) return { ...packument, created: 0, published: () => 0 };
    return await this.#document(name, 'application/json');
  }

  /**
   * Returns the archive of a version as the registry sends it; undefined if there is none.
   * @param spend gets the bytes as they arrive
   * @throws BuildError `unavailable`
   */
  async archive(name: string, version: string, spend: Spend): Promise<Uint8Array | undefined> {
    const file = `${name.slice(name.indexOf('/') + 1)}-${version}.tgz`;
    return await this.#get(`${name}/-/${file}`, name, '*/*', spend);
  }

  async #document(name: string, accept: string): Promise<Packument | undefined> {
    const key = `${name} ${accept}`;
    const kept = this.#documents.get(key);
    if (kept && kept.until > Date.now()) return (await kept.loading).packument;
    const document = { loading: this.#load(name, accept), until: Date.now() + FRESH };
    this.#documents.set(key, document, MIN_DOCUMENT);
    try {
      const { packument, size } = await document.loading;
      this.#documents.set(key, document, size);
      return packument;
    } catch (error) {
      this.#documents.delete(key);
      throw error;
    }
  }

  async #load(name: string, accept: string): Promise<LoadedDocument> {
    const bytes = await this.#get(name.replace('/', '%2f'), name, accept, spendOn(name));
    return { packument: bytes && readPackument(name, bytes), size: MIN_DOCUMENT + (bytes?.length ?? 0) };
  }

  async #get(path: string, name: string, accept: string, spend: Spend): Promise<Uint8Array | undefined> {
    let reason = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
      const response = await this.#limit(() => this.#attempt(path, accept, spend));
      if (response instanceof Uint8Array || response === undefined) return response;
      reason = response.reason;
    }
    throw new BuildError(
      [{ message: `The registry of packages did not deliver "${name}" (${reason}). Try again later` }],
      'unavailable',
    );
  }

  /** Makes one request. A client error other than "too many requests" means that there is no such package. */
  async #attempt(path: string, accept: string, spend: Spend): Promise<Uint8Array | undefined | { reason: string }> {
    try {
      const response = await fetch(`${this.#url}/${path}`, {
        headers: { Accept: accept },
        redirect: 'error',
        signal: AbortSignal.timeout(this.#timeout),
      });
      if (response.ok) return await bodyOf(response, spend);
      await response.body?.cancel();
      const isTemporary = response.status >= 500 || response.status === 429 || response.status === 408;
      return isTemporary ? { reason: `status ${response.status}` } : undefined;
    } catch (error) {
      if (error instanceof BuildError) throw error;
      return { reason: (error as Error).name === 'TimeoutError' ? 'timeout' : 'no connection' };
    }
  }
}

async function bodyOf(response: Response, spend: Spend): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    spend(chunk.length);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Bounds the document of a package. */
function spendOn(name: string): Spend {
  let left = ATTEMPTS * MAX_DOCUMENT;
  return (bytes) => {
    left -= bytes;
    if (left < 0) throw new BuildError([{ message: `"${name}" has too many versions` }], 'payload_too_large');
  };
}

/** The document of a package in the registry. */
export interface Packument {
  readonly versions: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
  /** Returns what a version needs; undefined if it cannot be used. */
  manifest(version: string): Manifest | undefined;
  /**
   * When the name was first published, in milliseconds since 1970; 0 for long ago, undefined if the registry does not
   * say.
   */
  readonly created: number | undefined;
  /** When a version was published, as `created`. */
  published(version: string): number | undefined;
}

/** Reads a document, of untrusted shape. */
export function readPackument(name: string, bytes: Uint8Array): Packument | undefined {
  const value = valueIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  if (value === undefined) return undefined;
  const document = record(value);
  const versions = new Map(Object.entries(record(document.versions)));
  const time = texts(document.time);
  if (typeof document.modified === 'string' && !time.has('modified')) time.set('modified', document.modified);
  const published = (version: string) => {
    const milliseconds = Date.parse(time.get(version) ?? '');
    return Number.isNaN(milliseconds) ? undefined : milliseconds;
  };
  return {
    versions: [...versions.keys()],
    tags: texts(document['dist-tags']),
    created: published('created') ?? earliest([...versions.keys()].map(published)),
    published,
    manifest: (version) => {
      const dist = record(record(versions.get(version)).dist);
      const integrity = strongestIntegrity(dist.integrity) ?? sha1Integrity(dist.shasum);
      return readManifest(versions.get(version), name, version, integrity);
    },
  };
}

/** Some registries leave out when the name was published. */
function earliest(dates: readonly (number | undefined)[]): number | undefined {
  return dates.reduce(
    (one, other) => (other === undefined || (one !== undefined && one <= other) ? one : other),
    undefined,
  );
}

/** Returns the hash of versions that npm published before 2017: SHA-1 in hexadecimal. */
function sha1Integrity(shasum: unknown): string | undefined {
  if (typeof shasum !== 'string' || !/^[0-9a-f]{40}$/.test(shasum)) return undefined;
  return `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`;
}
