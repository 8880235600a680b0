import { createHash } from 'node:crypto';
import type { DeployRequest, DeployResponse } from '../contract/deploy.ts';
import { packSite } from './archive.ts';
import { type Deployment, deploymentUrl, type Version } from './deployment.ts';
import { projectDeploymentId } from './deployment-id.ts';
import type { IfMatch } from './deployment-store.ts';
import { entryOf, siteTitle } from './entry.ts';
import { acceptFiles, sizeOf } from './files.ts';
import type { Names } from './once.ts';
import { type PublishPorts, publish, refusal } from './publish.ts';

export interface DeployPorts extends PublishPorts {
  /** Turns projectIds into deployment ids, and ids into tokens. */
  readonly secret: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

/** A request whose files are right, packed. */
export interface Package {
  readonly archive: Uint8Array;
  readonly about: Pick<Version, 'entry' | 'title' | 'fileCount' | 'bytes'>;
  readonly projectId: string | undefined;
}

/** The answer of a deploy, and what its headers say. */
export interface Deployed {
  readonly response: DeployResponse;
  readonly version: string;
  readonly created: boolean;
}

/**
 * Checks the files of a request and packs them.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size; each names the file
 */
export function packRequest({ files, projectId }: DeployRequest): Package {
  const site = acceptFiles(files);
  const entry = entryOf(site.map(({ path }) => path));
  const bytes = site.reduce((sum, file) => sum + sizeOf(file), 0);
  const about = { entry, title: siteTitle(site, entry), fileCount: site.length, bytes };
  return { archive: packSite(site), about, projectId };
}

/** Tells whether two requests deploy the same to the same. */
export function fingerprint({ archive, projectId }: Package): string {
  return createHash('sha256')
    .update(JSON.stringify(projectId ?? null))
    .update(archive)
    .digest('base64url');
}

/**
 * Deploys a package: writes the archive of the version, moves the pointer, drops what the edge holds. Until the
 * pointer has moved visitors see the version before, and when anything fails before that, nothing has changed.
 * @param owner whose project a `projectId` names
 * @param names of the version and, without a projectId, of the deployment. The same names again deploy nothing new:
 *   an attempt that got lost can be repeated.
 * @throws ApiError precondition_failed, taken_down
 */
export async function deploy(
  { archive, about, projectId }: Package,
  { owner, ifMatch }: { readonly owner: string; readonly ifMatch: IfMatch },
  names: Names,
  ports: DeployPorts,
): Promise<Deployed> {
  const { archives, deployments, clock, secret, baseUrl } = ports;
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, secret);
  const version: Version = { version: names.version, ...about, deployedAt: clock() };

  await archives.put(id, version.version, archive);
  const change = await deployments.deploy(id, owner, version, ifMatch);
  if (change.done) {
    const { before } = change;
    if (before) await publish(after(before, version), ports);
    const createdAt = before?.createdAt ?? version.deployedAt;
    return answer({ id, createdAt }, version, !before || before.deletedAt !== undefined, baseUrl);
  }
  const earlier = change.current?.versions.find((one) => one.version === names.version);
  if (change.current && earlier)
    return answer(change.current, earlier, earlier.deployedAt === change.current.createdAt, baseUrl);
  // What is left behind, the next sweep finds.
  await archives.sweep(id, { obsolete: [names.version], kept: [] }, 0).catch(() => undefined);
  throw refusal(change.current);
}

function answer(
  { id, createdAt }: Pick<Deployment, 'id' | 'createdAt'>,
  { version, entry, title, fileCount }: Version,
  created: boolean,
  baseUrl: string,
): Deployed {
  const response = { id, url: deploymentUrl(id, baseUrl), entry, fileCount, title, createdAt };
  return { response, version, created };
}

function after(before: Deployment, added: Version): Deployment {
  return { ...before, live: added.version, versions: [added, ...before.versions] };
}
