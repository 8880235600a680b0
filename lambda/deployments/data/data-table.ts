import type { DataStore } from '../../sites/data/store.ts';
import type { SiteData } from '../../stored/data/site-data.ts';

/** The table of data, as deploys and deletions use it. */
export interface DeployedData {
  /** Stores the text of rules under their hash. */
  putRules(site: string, hash: string, text: string): Promise<void>;
  /** Notes that the data of a site has ended: the next sweep deletes it. */
  endSite(site: string, now: number): Promise<void>;
}

/** What a site has in all. */
export interface Totals {
  readonly items: number;
  readonly bytes: number;
  /** The collections that have items, declared or not. */
  readonly collections: readonly string[];
}

/** The table of data, as the API of owners uses it. */
export interface OwnedData extends DeployedData {
  /** Returns the text of rules. */
  rules(site: string, hash: string): Promise<string | undefined>;
  store(id: string, data: SiteData): DataStore & { totals(): Promise<Totals> };
}
