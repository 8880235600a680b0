import { unpackSite } from '../sites/archive.ts';
import type { Version } from '../stored/deployment.ts';
import { Site } from './site.ts';
import type { SiteStore } from './site-store.ts';

/** The total size of the sites that an instance keeps in memory; several sites of the maximum size fit. */
const HELD_BYTES = 64 * 1_048_576;

/** Loads each version of a site once per function instance, even for concurrent visits. */
export class SiteCache {
  readonly #store: Pick<SiteStore, 'archive'>;
  readonly #sites = new Map<string, { site: Promise<Site>; bytes: number }>();

  constructor(store: Pick<SiteStore, 'archive'>) {
    this.#store = store;
  }

  /** @param base the path of the site on its origin */
  load(id: string, { version, entry, bytes }: Version, base: string): Promise<Site> {
    const name = `${base}${id}/${version}`;
    const held = this.#sites.get(name);
    const site = held?.site ?? this.#read(id, version, entry, base);
    // Setting it again moves it to the end, so the first entry is the least recently used.
    this.#sites.delete(name);
    this.#sites.set(name, { site, bytes });
    if (!held) {
      site.catch(() => this.#sites.delete(name));
      this.#evict(name);
    }
    return site;
  }

  async #read(id: string, version: string, entry: string, base: string): Promise<Site> {
    return new Site(unpackSite(await this.#store.archive(id, version)), entry, base);
  }

  #evict(newest: string): void {
    let total = 0;
    for (const { bytes } of this.#sites.values()) total += bytes;
    for (const [name, { bytes }] of this.#sites) {
      if (total <= HELD_BYTES || name === newest) return;
      this.#sites.delete(name);
      total -= bytes;
    }
  }
}
