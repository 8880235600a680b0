import { createHash } from 'node:crypto';
import type { DeployRequest, DeployResponse } from '../contract/deploy.ts';
import { packSite } from '../sites/archive.ts';
import { buildWarning } from '../sites/build-warning.ts';
import type { Deployment, Version } from '../sites/deployment.ts';
import { projectDeploymentId } from '../sites/deployment-id.ts';
import { entryOf, siteTitle } from '../sites/entry.ts';
import { type ChangePorts, conflict, takenDown, tidy, tokenMissing, unmatched } from './change.ts';
import type { Claim, IfMatch } from './deployment-store.ts';
import { acceptFiles, totalSize } from './files.ts';
import type { Names } from './idempotency-store.ts';
import { holdsToken, type Sender } from './owner.ts';
import { deploymentUrl, type Origins } from './resource.ts';
import { abandoned, obsoleteVersions } from './retention.ts';

export interface DeployPorts extends ChangePorts, Origins {
  /** The key for deriving deployment ids from projectIds, and tokens from ids. */
  readonly secret: string;
}

/** The checked files of a deploy request as an archive. */
export interface Package {
  readonly archive: Uint8Array;
  readonly about: Omit<Version, 'version' | 'deployedAt'>;
  readonly projectId: string | undefined;
}

/** A deploy without a projectId has a new id, so there is no deployment to announce it to. */
const NOTHING_THERE = { done: false, current: undefined } as const;

/** The sender of a deploy and its precondition. */
export interface Origin extends Sender {
  readonly ifMatch: IfMatch;
}

/** The result of a deploy: the body of its response and the values of its headers. */
export interface Deployed {
  readonly response: DeployResponse;
  readonly version: string;
  readonly bytes: number;
  readonly warning?: string | undefined;
  /** Whether the deployment was new or had been deleted. */
  readonly created: boolean;
  /** Whether this deploy created the deployment; then its response contains the token. */
  readonly first: boolean;
}

/**
 * Checks the files of a request and packs them.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size; each names the file
 */
export function packRequest({ files, projectId }: DeployRequest): Package {
  const site = acceptFiles(files);
  const entry = entryOf(site.map(({ path }) => path));
  const warning = buildWarning(site, entry);
  const about = {
    entry,
    title: siteTitle(site, entry),
    fileCount: site.length,
    bytes: totalSize(site),
    ...(warning === undefined ? {} : { warning }),
  };
  return { archive: packSite(site), about, projectId };
}

/** Returns a digest that is equal for requests that deploy the same files to the same project. */
export function fingerprint({ archive, projectId }: Package): string {
  return createHash('sha256')
    .update(JSON.stringify(projectId ?? null))
    .update(archive)
    .digest('base64url');
}

/**
 * Deploys a package: announces it, writes its archive, and moves the pointer. Until the pointer moves, visitors see the
 * previous version; if anything fails before that, nothing has changed. The edge is not told, because it revalidates.
 * @param names of the version and, without a projectId, of the deployment. A retry with the same names does not deploy
 *   a second time.
 * @throws ApiError unauthorized, forbidden, precondition_failed, taken_down
 */
export async function deploy(
  site: Package,
  origin: Origin,
  names: Names,
  ports: DeployPorts,
): Promise<Deployed> {
  const { archives, deployments, clock, secret, baseUrl } = ports;
  const { owner, ifMatch, token } = origin;
  const { projectId } = site;
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, secret);
  const claim = { owner, ifMatch, holdsToken: holdsToken(id, token, secret) };
  const version: Version = { version: names.version, ...site.about, deployedAt: clock() };

  const announced =
    projectId === undefined
      ? NOTHING_THERE
      : await deployments.announce(id, names.version, claim, version.deployedAt);
  const before = announced.done ? announced.before : undefined;
  if (!announced.done) {
    const instead = alreadyDone(announced.current, names.version, claim, baseUrl);
    if (instead) return instead;
    // The deployment was created or changed in the meantime: retry as an update.
    if (announced.current) return deploy(site, origin, names, ports);
  }
  await archives.put(id, version.version, site.archive);
  const forget = {
    versions: before ? obsoleteVersions(before) : [],
    announced: before ? abandoned(before, version.deployedAt) : [],
  };
  const change = await deployments.deploy(id, claim, version, before, forget);
  if (change.done) {
    await tidy(id, [...forget.versions, ...forget.announced], ports);
    const first = before === undefined;
    const created = first || before.deletedAt !== undefined;
    return deployed(id, before?.createdAt ?? version.deployedAt, version, { created, first }, baseUrl);
  }
  const instead = alreadyDone(change.current, names.version, claim, baseUrl);
  if (instead) return instead;
  // Lost the race to create the project, to delete it or to restore it: start again from there.
  const lost = before === undefined || before.deletedAt !== change.current?.deletedAt;
  if (lost && projectId !== undefined) return deploy(site, origin, names, ports);
  throw conflict();
}

/**
 * Resolves a failed condition: returns the result of an earlier deploy with the same names, or undefined to retry.
 * @throws ApiError unauthorized, taken_down, precondition_failed if the deploy is not allowed
 */
function alreadyDone(
  current: Deployment | undefined,
  name: string,
  { ifMatch, holdsToken }: Claim,
  baseUrl: string,
): Deployed | undefined {
  const version = current?.versions.find((one) => one.version === name);
  if (current && version) {
    const first = current.firstVersion === version.version;
    return deployed(current.id, current.createdAt, version, { created: first, first }, baseUrl);
  }
  const refused =
    (current && (tokenMissing(current, holdsToken) ?? takenDown(current))) ?? unmatched(current, ifMatch);
  if (refused) throw refused;
  return undefined;
}

function deployed(
  id: string,
  createdAt: number,
  { version, entry, title, fileCount, bytes, warning }: Version,
  what: Pick<Deployed, 'created' | 'first'>,
  baseUrl: string,
): Deployed {
  const response = { id, url: deploymentUrl(id, baseUrl), entry, fileCount, title, createdAt };
  return { response, version, bytes, warning, ...what };
}
