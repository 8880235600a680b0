import { nanoid } from 'nanoid';
import type { DeployRequest, DeployResponse } from '../contract/deploy.ts';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { packSite } from './archive.ts';
import type { ArchiveStore } from './archives.ts';
import { projectDeploymentId, randomDeploymentId } from './deployment-id.ts';
import { entryOf, siteTitle } from './entry.ts';
import { acceptFiles } from './files.ts';
import type { PointerStore } from './pointers.ts';

export interface DeployPorts {
  readonly archives: ArchiveStore;
  readonly pointers: PointerStore;
  /** Drops everything that the CDN holds of a site. */
  readonly invalidate: (id: string) => Promise<void>;
  readonly clock: Clock;
  readonly projectIdSecret: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Deploys files: checks them, writes the archive of the version, moves the pointer. Until the pointer has moved
 * visitors see the version before, and when anything fails before that, nothing has changed.
 * @param owner whose project a `projectId` names
 * @returns the contract's answer, and whether the id is new
 */
export async function deploy(
  { files, projectId }: DeployRequest,
  owner: string,
  ports: DeployPorts,
): Promise<{ response: DeployResponse; created: boolean }> {
  const site = acceptFiles(files);
  const entry = entryOf(site.map(({ path }) => path));
  const title = siteTitle(site, entry);
  const id =
    projectId === undefined
      ? randomDeploymentId()
      : projectDeploymentId(owner, projectId, ports.projectIdSecret);
  const now = ports.clock();
  const version = `${now.toString(36)}-${nanoid(10)}`;
  const bytes = site.reduce((sum, file) => sum + file.bytes.length, 0);

  await ports.archives.put(id, version, packSite(site));
  const fileCount = site.length;
  const live = { id, version, entry, title, fileCount, bytes, owner, createdAt: now, deployedAt: now };
  const before = await ports.pointers.move(live);
  if (before) await dropCached(id, ports);

  const createdAt = before?.createdAt ?? now;
  const url = `${ports.baseUrl}/d/${id}`;
  return { response: { id, url, entry, fileCount, title, createdAt }, created: !before };
}

/** The new version is live by now; what failed is only that visitors see it at once. */
async function dropCached(id: string, ports: DeployPorts): Promise<void> {
  try {
    await ports.invalidate(id);
  } catch (cause) {
    const message =
      'The new version is stored, but the CDN could not be told to drop the old one: deploy it again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
}
