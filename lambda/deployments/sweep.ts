import { log } from '../platform/log.ts';
import type { Deployment } from '../stored/deployment.ts';
import { type DomainPorts, removeDomains } from './domains/manage-domains.ts';
import type { ArchiveStore } from './store/archive-store.ts';
import type { DeploymentStore } from './store/deployment-store.ts';

/** The first characters of ids, which the index has items by. */
const SHARDS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** How many deployments are deleted at the same time. */
const CONCURRENT = 8;

export interface SweepPorts {
  readonly deployments: Pick<DeploymentStore, 'ended' | 'find' | 'forget'>;
  readonly archives: Pick<ArchiveStore, 'delete'>;
  /** Deletes the salts of past days, with which visitors are counted, and returns their number. */
  readonly deleteSalts: () => Promise<number>;
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: Pick<DomainPorts, 'domains' | 'start'> | undefined;
}

/**
 * Deletes the files of deployments whose life has ended; their pages have been a 410 since then. What fails is logged, and done by
 * the next sweep. So are salts of past days.
 */
export async function sweep(ports: SweepPorts): Promise<void> {
  const salts = await ports.deleteSalts().catch((error: unknown) => {
    log.error('salts not deleted', { error });
    return 0;
  });
  let deleted = 0;
  let failed = 0;
  const end = async (id: string) => {
    try {
      const deployment = await ports.deployments.find(id);
      // The index lags: it can have been renewed or claimed.
      if (!deployment?.expired) return;
      if (ports.customDomains) await removeDomains(deployment, ports.customDomains);
      await deleteFiles(deployment, ports);
      deleted++;
    } catch (error) {
      failed++;
      log.error('expired deployment not deleted', { deployment: id, error });
    }
  };
  for (const shard of SHARDS) {
    const ended = await ports.deployments.ended(shard);
    for (let at = 0; at < ended.length; at += CONCURRENT)
      await Promise.all(ended.slice(at, at + CONCURRENT).map(end));
  }
  log.info('swept', { deleted, failed, salts });
}

async function deleteFiles(
  { id, versions, endsAt = 0, withdrawal }: Deployment,
  { archives, deployments }: SweepPorts,
): Promise<void> {
  await archives.delete(id, versions);
  // The edge keeps copies until the end of a life at most, unless it was shortened.
  const copiesUntil = Math.max(endsAt, withdrawal?.until ?? 0);
  const names = versions.map(({ version }) => version);
  await deployments.forget(id, names, copiesUntil);
}
