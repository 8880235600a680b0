import { type Manifest, readManifest, record, strongestIntegrity, texts } from './manifest.ts';

/** What the registry knows about a package. */
export interface Packument {
  readonly versions: readonly string[];
  readonly tags: ReadonlyMap<string, string>;
  /** Returns what a version needs; undefined if it cannot be used. */
  manifest(version: string): Manifest | undefined;
  /** When the name was first published, in milliseconds since 1970; 0 for long ago, undefined if the registry does not say. */
  readonly created: number | undefined;
  /** When a version was published, as `created`. */
  published(version: string): number | undefined;
}

/** Reads a document, of untrusted shape. */
export function readPackument(name: string, bytes: Uint8Array): Packument | undefined {
  let document: Readonly<Record<string, unknown>>;
  try {
    document = record(JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')));
  } catch {
    return undefined;
  }
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

/** What npm published before 2017: SHA-1 in hexadecimal. */
function sha1Integrity(shasum: unknown): string | undefined {
  if (typeof shasum !== 'string' || !/^[0-9a-f]{40}$/.test(shasum)) return undefined;
  return `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`;
}
