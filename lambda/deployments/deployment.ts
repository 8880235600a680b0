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
  /** `key:<owner>`, `token:<subject>` or `anonymous`. */
  readonly owner: string;
  /** Unix milliseconds of the first deploy. */
  readonly createdAt: number;
  /** The version that visitors see, unless the deployment is deleted or taken down. */
  readonly live: string;
  /** The newest first. */
  readonly versions: readonly Version[];
  /** Changes that were announced and have not taken place, by name, with their time in Unix milliseconds. */
  readonly announced: ReadonlyMap<string, number>;
  readonly deletedAt?: number;
  readonly takenDown?: { readonly at: number; readonly reason?: string };
  /** The version that made the deployment; absent for deployments that are older than this attribute. */
  readonly firstVersion?: string;
  /** A deploy has sent the deployment's token: from then on every deploy needs it. */
  readonly tokenRequired?: true;
}

/** Twice as long as a function that changes a deployment may run: what was announced before is not going to happen. */
const ANNOUNCED_MS = 60_000;

/** Whether what is live may change at any moment. */
export function isChanging({ announced }: Deployment, now: number): boolean {
  return [...announced.values()].some((at) => at > now - ANNOUNCED_MS);
}

/** How many one write forgets: an expression of DynamoDB's has at most 4 KB. */
const FORGOTTEN_AT_ONCE = 100;

/** Changes that were announced and never took place, some of them; one that was a deploy may have left its archive. */
export function abandoned({ announced }: Deployment, now: number): string[] {
  const past = [...announced].flatMap(([name, at]) => (at > now - ANNOUNCED_MS ? [] : [name]));
  return past.slice(0, FORGOTTEN_AT_ONCE);
}

/** The version that is live; undefined when the deployment is deleted. */
export function liveVersion({ live, versions, deletedAt }: Deployment): Version | undefined {
  return deletedAt === undefined ? versions.find(({ version }) => version === live) : undefined;
}

/** Versions that count: of deploys at once, a few more may be there until the next one. The live one always counts. */
export function keptVersions({ versions, live }: Deployment): readonly Version[] {
  return versions.filter(({ version }, i) => i < LIMITS.versionsPerDeployment || version === live);
}

/** Versions that make room for a new one. Those of a deployment that was deleted all do. */
export function obsoleteVersions({ versions, deletedAt }: Deployment): string[] {
  const kept = deletedAt === undefined ? LIMITS.versionsPerDeployment - 1 : 0;
  return versions.slice(kept).map(({ version }) => version);
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
