import type { DeploymentResource, VersionResource } from '../contract/deploy.ts';
import type { Deployment, Version } from '../sites/deployment.ts';
import { keptVersions } from './retention.ts';

export function deploymentUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/d/${id}`;
}

/** Returns a deployment as the API shows it to its owner. */
export function deploymentResource(
  deployment: Deployment,
  live: Version,
  baseUrl: string,
): DeploymentResource {
  const { id, owner, createdAt, takenDown } = deployment;
  const versions = keptVersions(deployment).map(
    (version): VersionResource => ({ ...version, live: version === live }),
  );
  return {
    id,
    url: deploymentUrl(id, baseUrl),
    ...live,
    createdAt,
    owner: ownerKind(owner),
    status: takenDown ? 'taken_down' : 'live',
    versions,
  };
}

function ownerKind(owner: string): DeploymentResource['owner'] {
  if (owner === 'anonymous') return 'anonymous';
  return owner.startsWith('token:') ? 'token' : 'key';
}
