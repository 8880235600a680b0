import { unpackSite } from '../../sites/archive.ts';
import { liveVersion } from '../../stored/deployment.ts';
import { BROWSERS_BUSY, type Look, type Looker, type NoLook } from '../../stored/looks/looker.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import type { VersionLook } from './version-look.ts';

export interface LookDeploymentPorts {
  readonly deployments: Pick<DeploymentStore, 'find'>;
  readonly archives: Pick<ArchiveStore, 'site' | 'putLook' | 'deleteLook'>;
  readonly looker: Looker;
}

/** The error that the state machine repeats a look after. */
export class BrowsersBusy extends Error {
  override readonly name = 'BrowsersBusy';
}

/**
 * Looks at the live version of a deployment, and stores what the browser saw. A version that was replaced, deleted or taken down
 * since then is not looked at.
 * @throws BrowsersBusy while no browser is free, and the error of AWS if it cannot be reached
 */
export async function lookAtVersion(
  { id, version, tenant }: Omit<VersionLook, 'rolledBackAt'>,
  ports: LookDeploymentPorts,
): Promise<void> {
  const deployment = await ports.deployments.find(id);
  const live = deployment && liveVersion(deployment);
  if (live?.version !== version || deployment?.takenDown) return;
  const archive = await ports.archives.site(id, live);
  // A later deploy has deleted it since the pointer was read.
  if (!archive) return;
  const look = await ports.looker.look(tenant, { files: unpackSite(archive), entry: live.entry });
  if (look.state === 'failed' && look.reason === BROWSERS_BUSY) throw new BrowsersBusy(BROWSERS_BUSY);
  await storeLook({ id, version }, look, ports);
}

/**
 * Stores what a browser saw of a version. Whoever deletes a version removes it from the pointer before its objects: if the pointer
 * still names it after the write, a deletion that follows also deletes the look, and otherwise it is deleted here.
 */
export async function storeLook(
  { id, version }: Pick<VersionLook, 'id' | 'version'>,
  look: Look | NoLook,
  { deployments, archives }: Pick<LookDeploymentPorts, 'deployments' | 'archives'>,
): Promise<void> {
  await archives.putLook(id, version, look);
  const deployment = await deployments.find(id);
  const exists =
    deployment?.deletedAt === undefined && deployment?.versions.some((one) => one.version === version);
  if (!exists) await archives.deleteLook(id, version);
}
