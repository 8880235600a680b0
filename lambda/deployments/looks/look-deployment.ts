import { unpackSite } from '../../sites/archive.ts';
import { liveVersion } from '../../stored/deployment.ts';
import { BROWSERS_BUSY, type Look, type Looker, type NoLook } from '../../stored/looks/looker.ts';
import type { PointerStore } from '../../stored/pointer-store.ts';
import type { ArchiveStore } from '../archive-store.ts';
import type { VersionLook } from './version-looks.ts';

/** The stores of a look, and the browser. */
export interface VersionLooker {
  readonly pointers: Pick<PointerStore, 'find'>;
  readonly archives: Pick<ArchiveStore, 'site' | 'putLook' | 'deleteLook'>;
  readonly looker: Looker;
}

/** The error after which the state machine retries a look. */
export class BrowsersBusy extends Error {
  override readonly name = 'BrowsersBusy';
}

/**
 * Looks at the live version of a deployment, and stores the result. A version that was replaced, deleted or taken down
 * since then is not looked at.
 * @throws BrowsersBusy while no browser is free, and the error of AWS if it cannot be reached
 */
export async function lookAtVersion(
  { id, version, tenant }: Omit<VersionLook, 'rolledBackAt'>,
  stage: VersionLooker,
): Promise<void> {
  const deployment = await stage.pointers.find(id);
  const live = deployment && liveVersion(deployment);
  if (live?.version !== version || deployment?.takenDown) return;
  const archive = await stage.archives.site(id, live);
  // A later deploy has deleted it since the pointer was read.
  if (!archive) return;
  const look = await stage.looker.look(tenant, { files: unpackSite(archive), entry: live.entry });
  if (look.state === 'failed' && look.reason === BROWSERS_BUSY) throw new BrowsersBusy(BROWSERS_BUSY);
  await storeLook({ id, version }, look, stage);
}

/**
 * Stores the look at a version. A deletion removes the version from the pointer before its objects: if the pointer still names it
 * after the write, a later deletion also deletes the look; otherwise it is deleted here.
 */
export async function storeLook(
  { id, version }: Pick<VersionLook, 'id' | 'version'>,
  look: Look | NoLook,
  { pointers, archives }: Pick<VersionLooker, 'pointers' | 'archives'>,
): Promise<void> {
  await archives.putLook(id, version, look);
  const deployment = await pointers.find(id);
  const exists =
    deployment?.deletedAt === undefined && deployment?.versions.some((one) => one.version === version);
  if (!exists) await archives.deleteLook(id, version);
}
