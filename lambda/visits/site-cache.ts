import { isMissingObject } from '../platform/read-object.ts';
import { unpackSite } from '../sites/archive.ts';
import { Site } from '../sites/serving/site.ts';
import type { Version } from '../stored/deployment.ts';
import type { SiteStore } from './site-store.ts';

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
    return new Site(unpackSite(await this.#store.archive(id, version)), version.entry, base);
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

/** Values up to a total size, of which the most recently used ones are kept; the newest one is, whatever its size. */
export class RecentlyUsed<Value> {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    // Setting it again moves it to the end, so the first entry is the least recently used.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry.value;
  }

  set(name: string, value: Value, size: number): void {
    this.delete(name);
    this.#entries.set(name, { value, size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit || oldest === name) return;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#total -= this.#entries.get(name)?.size ?? 0;
    this.#entries.delete(name);
  }
}
