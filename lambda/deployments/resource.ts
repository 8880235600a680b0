import type { BuildReport } from '../contract/builds.ts';
import type { DeploymentResource, VersionResource } from '../contract/deploy.ts';
import type { SharedAccess } from '../contract/responses/deploy.ts';
import type { DeploymentList } from '../contract/responses/lists.ts';
import type { LookResource } from '../contract/responses/looks.ts';
import { domainSite } from '../stored/custom-domain.ts';
import { type Deployment, keptVersions, liveVersion, type Version } from '../stored/deployment.ts';
import { type GateBounds, reviewState } from '../stored/held.ts';
import { ACCESS_PARAMETERS, signAccess } from '../stored/page-access.ts';
import type { ArchiveStore } from './archive-store.ts';
import { domainResource } from './domains/dns.ts';

/** Where the service and its deployments are. */
export interface Origins {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `https://*.<siteDomain>` when every deployment has an origin of its own. */
  readonly siteOrigin?: string | undefined;
  /** The name that custom domains point to, if the stage has them. */
  readonly domainTarget?: string | undefined;
}

/** The inputs that decide how a deployment is shown. */
interface Showing extends Origins {
  /** Undefined if the stage has no gate. */
  readonly gate?: { readonly bounds: GateBounds } | undefined;
}

export function deploymentUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/d/${id}`;
}

/** Returns the URL of a deployment on its own origin, or undefined if it has none. */
export function ownSite(id: string, { siteOrigin }: Origins): string | undefined {
  return siteOrigin && `${siteOrigin.replace('*', id)}/`;
}

/** Returns the address that visitors of a deployment see, or undefined if it is under the base URL. */
export function siteUrl(deployment: Deployment, origins: Origins): string | undefined {
  return domainSite(deployment, origins.baseUrl) ?? ownSite(deployment.id, origins);
}

/** Returns who may see a deployment, with the link to private pages, and until when the edge may have copies that were public. */
export function sharedAccess(deployment: Deployment, origins: Origins): SharedAccess {
  const { id, access, withdrawal } = deployment;
  const copies = withdrawal?.until === undefined ? {} : { copiesUntil: withdrawal.until };
  if (!access) return { access: 'public', ...copies };
  const { type, key, until } = access;
  if (until === undefined) return { access: type, ...copies };
  const url = `${ownSite(id, origins)}?${ACCESS_PARAMETERS.link}=${signAccess(key, 'link', until)}`;
  return { access: type, link: { url, expiresAt: until * 1_000 }, ...copies };
}

/** Reports of builds by version. */
type Builds = ReadonlyMap<string, BuildReport>;

/** The stored details of a deployment's versions besides their files, by version. */
interface VersionDetails {
  readonly builds: Builds;
  /** Has all kept versions. */
  readonly looks: ReadonlyMap<string, LookResource>;
}

/** Returns a deployment as the API shows it to its owner. */
export function deploymentResource(
  deployment: Deployment,
  live: Version,
  shown: Showing,
  { builds, looks }: VersionDetails,
): DeploymentResource {
  const lookAt = ({ version }: Version) => looks.get(version) ?? { state: 'looking' };
  const versions = keptVersions(deployment).map((version): VersionResource => {
    const build = builds.get(version.version);
    const fields = { ...publicVersion(version), live: version === live, look: lookAt(version) };
    return build ? { ...fields, build } : fields;
  });
  const { review, ...summary } = summaryOf(deployment, live, shown);
  const reasons = live.gate?.reasons ?? [];
  const reviewed = review ? { review: { ...review, reasons } } : {};
  const { baseUrl, domainTarget = '' } = shown;
  const domains = (deployment.domains ?? []).map((one) => domainResource(one, domainTarget, baseUrl));
  const { dataWebhook } = deployment;
  const notified = dataWebhook === undefined ? {} : { dataWebhook };
  return { ...summary, ...reviewed, ...notified, look: lookAt(live), domains, versions };
}

function summaryOf(deployment: Deployment, live: Version, shown: Showing): DeploymentList['items'][number] {
  const { id, owner, createdAt, endsAt, claimedAt, takenDown } = deployment;
  const state = reviewState(deployment, live, shown.gate?.bounds);
  return {
    id,
    url: deploymentUrl(id, shown.baseUrl),
    siteUrl: siteUrl(deployment, shown) ?? null,
    ...publicVersion(live),
    createdAt,
    ...(endsAt === undefined ? {} : { expiresAt: endsAt }),
    ...(claimedAt === undefined ? {} : { claimedAt }),
    ...sharedAccess(deployment, shown),
    owner: ownerKind(owner),
    status: takenDown ? 'taken_down' : 'live',
    ...(state && live.gate ? { review: { state, points: live.gate.points } } : {}),
  };
}

/** Returns the reports of a deployment's versions that were built, by version. Their variables are not for the response. */
export async function buildsOf(deployment: Deployment, archives: Pick<ArchiveStore, 'report'>): Promise<Builds> {
  const built = keptVersions(deployment).filter((version) => version.built !== undefined);
  const reports = await Promise.all(
    built.map(async ({ version }) => [version, await archives.report(deployment.id, version)] as const),
  );
  const builds = new Map<string, BuildReport>();
  for (const [version, report] of reports) {
    if (!report) continue;
    const { env: _, ...build } = report;
    builds.set(version, build);
  }
  return builds;
}

function publicVersion({
  rolledBackAt: _,
  built: __,
  gate: ___,
  declaration: ____,
  ...version
}: Version): Omit<Version, 'rolledBackAt' | 'built' | 'gate' | 'declaration'> {
  return version;
}

/** Returns a deployment as a list shows it, or undefined if it is deleted. */
export function deploymentSummary(deployment: Deployment, shown: Showing): DeploymentList['items'][number] | undefined {
  const live = liveVersion(deployment);
  return live && summaryOf(deployment, live, shown);
}

function ownerKind(owner: string): DeploymentResource['owner'] {
  if (owner === 'anonymous') return 'anonymous';
  return owner.startsWith('token:') ? 'token' : 'key';
}
