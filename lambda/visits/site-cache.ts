import { unpackSite } from '../sites/archive.ts';
import type { Version } from '../sites/deployment.ts';
import { Site } from './site.ts';
import type { SiteStore } from './site-store.ts';

/** Sites that an instance holds, by bytes; a full-sized site several times over. */
const HELD_BYTES = 64 * 1_048_576;

/** Loads each version of a site once per function instance, also when many visitors ask for it at once. */
export class SiteCache {
  readonly #store: Pick<SiteStore, 'archive'>;
  readonly #sites = new Map<string, { site: Promise<Site>; bytes: number }>();

  constructor(store: Pick<SiteStore, 'archive'>) {
    this.#store = store;
  }

  /** @param base where the site lives on its origin */
  load(id: string, { version, entry, bytes }: Version, base: string): Promise<Site> {
    const name = `${base}${id}/${version}`;
    const held = this.#sites.get(name);
    const site = held?.site ?? this.#read(id, version, entry, base);
    // Set again, a name moves to the end: the first one is the one that was asked for the longest ago.
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
