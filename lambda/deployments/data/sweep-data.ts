import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';

/** An item whose time has come. */
export interface EndedItem {
  readonly site: string;
  readonly collection: string;
  readonly id: string;
}

/** The table of data, as the sweep uses it. */
export interface SweptData {
  /** Notes that the data of a site has ended. */
  endSite(site: string, now: number): Promise<void>;
  /** Returns sites and items of one shard that have ended: those that a query finds. */
  ended(shard: string): Promise<{ readonly sites: readonly string[]; readonly items: readonly EndedItem[] }>;
  /** Deletes items of a site, whatever they are. @returns whether none is left */
  deleteAll(site: string, most: number): Promise<boolean>;
  /** Deletes an item as a visitor does, so that the counts stay exact. */
  removeEnded(item: EndedItem): Promise<unknown>;
}

/** Of one site at a time, so that a large one does not delay the others. */
const AT_ONCE = 2_500;

const CONCURRENT = 8;

/** For how long a sweep deletes data; the next one continues. */
const PATIENCE_MS = 300_000;

/**
 * Deletes the data of sites that have ended, and items whose time has come. Failures are logged, and retried by the next sweep.
 * @param shards the partitions of the index of ends
 */
export async function sweepData(shards: string, data: SweptData, clock: Clock): Promise<void> {
  const begun = clock();
  const swept = { sites: 0, items: 0, failed: 0 };
  const isLate = () => clock() - begun > PATIENCE_MS;
  const attempt = async (kind: 'sites' | 'items', work: () => Promise<unknown>) => {
    try {
      if (!isLate() && (await work()) !== false) swept[kind]++;
    } catch (error) {
      swept.failed++;
      log.error('data not deleted', { kind, error });
    }
  };
  for (const shard of shards) {
    if (isLate()) break;
    const { sites, items } = await data.ended(shard);
    for (const site of sites) await attempt('sites', () => deleteSite(site, data, isLate));
    for (let at = 0; at < items.length; at += CONCURRENT)
      await Promise.all(
        items.slice(at, at + CONCURRENT).map((item) => attempt('items', () => data.removeEnded(item))),
      );
  }
  log.info('swept data', swept);
}

/** @returns false if something is left for the next sweep */
async function deleteSite(site: string, data: SweptData, isLate: () => boolean): Promise<boolean> {
  while (!isLate()) if (await data.deleteAll(site, AT_ONCE)) return true;
  return false;
}
