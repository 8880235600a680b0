import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { siteOf } from '../stored/data/site-data.ts';
import type { SiteDataTable } from '../stored/data/site-data-table.ts';
import type { Deployment } from '../stored/deployment.ts';
import type { PointerStore } from '../stored/pointer-store.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { CustomDomains } from './domains/custom-domains.ts';

/** The partitions of the index of ends: the first characters of ids. */
const SHARDS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** How many deployments are deleted at the same time. */
const CONCURRENT = 8;

/** The stores of expired items. */
interface SweptStage {
  readonly pointers: Pick<PointerStore, 'ended' | 'find' | 'forget'>;
  readonly archives: Pick<ArchiveStore, 'delete'>;
  /** Deletes the salts of past days, with which visitors are counted, and returns their number. */
  readonly deleteSalts: () => Promise<number>;
  readonly data: SweptData;
  readonly clock: Clock;
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: Pick<CustomDomains, 'removeAll'> | undefined;
}

/**
 * Deletes the files of deployments whose life has ended, which respond with 410 since then, the data of sites that has ended, and the
 * salts of past days. Failures are logged, and retried by the next sweep.
 */
export async function sweep(stage: SweptStage): Promise<void> {
  const salts = await stage.deleteSalts().catch((error: unknown) => {
    log.error('salts not deleted', { error });
    return 0;
  });
  let deleted = 0;
  let failed = 0;
  const end = async (id: string) => {
    try {
      const deployment = await stage.pointers.find(id);
      // The index lags: it can have been renewed or claimed.
      if (!deployment?.expired) return;
      await stage.customDomains?.removeAll(deployment);
      // Before the index forgets the deployment.
      if (deployment.data) await stage.data.endSite(siteOf(id, deployment.data), stage.clock());
      await deleteFiles(deployment, stage);
      deleted++;
    } catch (error) {
      failed++;
      log.error('expired deployment not deleted', { deployment: id, error });
    }
  };
  for (const shard of SHARDS) {
    const ended = await stage.pointers.ended(shard);
    for (let at = 0; at < ended.length; at += CONCURRENT) await Promise.all(ended.slice(at, at + CONCURRENT).map(end));
  }
  log.info('swept', { deleted, failed, salts });
  await sweepData(SHARDS, stage.data, stage.clock);
}

async function deleteFiles(
  { id, versions, endsAt = 0, withdrawal }: Deployment,
  { archives, pointers }: SweptStage,
): Promise<void> {
  await archives.delete(id, versions);
  // The edge keeps copies until the end of a life at most, unless it was shortened.
  const copiesUntil = Math.max(endsAt, withdrawal?.until ?? 0);
  const names = versions.map(({ version }) => version);
  await pointers.forget(id, names, copiesUntil);
}

/** The table of data, as the sweep uses it. */
export type SweptData = Pick<SiteDataTable, 'endSite' | 'ended' | 'deleteAll' | 'removeEnded'>;

/** The items of a site that one call deletes; the sweep then checks its time. */
const AT_ONCE = 2_500;

const ITEMS_AT_ONCE = 8;

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
    for (let at = 0; at < items.length; at += ITEMS_AT_ONCE)
      await Promise.all(
        items.slice(at, at + ITEMS_AT_ONCE).map((item) => attempt('items', () => data.removeEnded(item))),
      );
  }
  log.info('swept data', swept);
}

/** @returns false if something is left for the next sweep */
async function deleteSite(site: string, data: SweptData, isLate: () => boolean): Promise<boolean> {
  while (!isLate()) if (await data.deleteAll(site, AT_ONCE)) return true;
  return false;
}
