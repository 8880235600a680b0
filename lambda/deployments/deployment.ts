import type { DeploymentResource, VersionResource } from '../contract/deploy.ts';
import { LIMITS } from '../contract/limits.ts';

/** One version of a site: what is known of its archive. */
export interface Version {
  /** Names the archive. */
  readonly version: string;
  readonly entry: string;
  readonly title: string | null;
  readonly fileCount: number;
  /** Sum of the files, in bytes. */
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly deployedAt: number;
}

/** What there is under an id. */
export interface Deployment {
  readonly id: string;
  /** `key:<id>` or `anonymous`. */
  readonly owner: string;
  /** Unix milliseconds of the first deploy. */
  readonly createdAt: number;
  /** The version that visitors see, unless the deployment is deleted or taken down. */
  readonly live: string;
  /** The newest first. */
  readonly versions: readonly Version[];
  /** Since when the edge may hold pages that are no longer right (Unix milliseconds); absent once it was told. */
  readonly staleSince?: number;
  readonly deletedAt?: number;
  readonly takenDown?: { readonly at: number; readonly reason?: string };
}

/** The version that is live; undefined when the deployment is deleted. */
export function liveVersion({ live, versions, deletedAt }: Deployment): Version | undefined {
  return deletedAt === undefined ? versions.find(({ version }) => version === live) : undefined;
}

/** Versions beyond those that stay. The live one always stays. */
export function obsoleteVersions({ live, versions }: Deployment): string[] {
  return versions
    .slice(LIMITS.versionsPerDeployment)
    .map(({ version }) => version)
    .filter((version) => version !== live);
}

export function deploymentUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/d/${id}`;
}

/** The deployment as the API shows it to its owner. */
export function deploymentResource(
  deployment: Deployment,
  live: Version,
  baseUrl: string,
): DeploymentResource {
  const { id, owner, createdAt, takenDown } = deployment;
  const versions = deployment.versions
    .filter(({ version }) => !obsoleteVersions(deployment).includes(version))
    .map((version): VersionResource => ({ ...version, live: version === live }));
  return {
    id,
    url: deploymentUrl(id, baseUrl),
    ...live,
    createdAt,
    owner: owner === 'anonymous' ? 'anonymous' : 'key',
    status: takenDown ? 'taken_down' : 'live',
    versions,
  };
}
