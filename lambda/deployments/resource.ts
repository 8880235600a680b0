import type { DeploymentResource, VersionResource } from '../contract/deploy.ts';
import type { DeploymentList } from '../contract/responses/lists.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import { keptVersions } from './retention.ts';

/** Where the service and its deployments are. */
export interface Origins {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `https://*.<siteDomain>` when every deployment has an origin of its own. */
  readonly siteOrigin?: string | undefined;
}

export function deploymentUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/d/${id}`;
}

/** Returns the URL of a deployment on its own origin, or undefined if it has none. */
export function siteUrl(id: string, { siteOrigin }: Origins): string | undefined {
  return siteOrigin && `${siteOrigin.replace('*', id)}/`;
}

/** Returns a deployment as the API shows it to its owner. */
export function deploymentResource(
  deployment: Deployment,
  live: Version,
  origins: Origins,
): DeploymentResource {
  const { id, owner, createdAt, takenDown } = deployment;
  const versions = keptVersions(deployment).map(
    (version): VersionResource => ({ ...publicVersion(version), live: version === live }),
  );
  return {
    id,
    url: deploymentUrl(id, origins.baseUrl),
    siteUrl: siteUrl(id, origins) ?? null,
    ...publicVersion(live),
    createdAt,
    owner: ownerKind(owner),
    status: takenDown ? 'taken_down' : 'live',
    versions,
  };
}

function publicVersion({ rolledBackAt: _, ...version }: Version): Omit<Version, 'rolledBackAt'> {
  return version;
}

/** Returns a deployment as a list shows it, or undefined if it is deleted. */
export function deploymentSummary(
  deployment: Deployment,
  origins: Origins,
): DeploymentList['items'][number] | undefined {
  const live = liveVersion(deployment);
  if (!live) return undefined;
  const { versions: _, ...summary } = deploymentResource(deployment, live, origins);
  return summary;
}

function ownerKind(owner: string): DeploymentResource['owner'] {
  if (owner === 'anonymous') return 'anonymous';
  return owner.startsWith('token:') ? 'token' : 'key';
}
