import { createHash } from 'node:crypto';
import type { DeployRequest, DeployResponse } from '../contract/deploy.ts';
import { packSite } from '../sites/archive.ts';
import type { Deployment, Version } from '../sites/deployment.ts';
import { projectDeploymentId } from '../sites/deployment-id.ts';
import { entryOf, siteTitle } from '../sites/entry.ts';
import {
  type ChangePorts,
  clearEdge,
  overtaken,
  takenDown,
  tidy,
  tokenMissing,
  unmatched,
} from './change.ts';
import type { Claim, IfMatch } from './deployment-store.ts';
import { acceptFiles, totalSize } from './files.ts';
import type { Names } from './idempotency-store.ts';
import { holdsToken, type Sender } from './owner.ts';
import { deploymentUrl } from './resource.ts';
import { abandoned, obsoleteVersions } from './retention.ts';

export interface DeployPorts extends ChangePorts {
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

/** Under an id that was drawn for the deploy. */
const NOTHING_THERE = { done: false, current: undefined } as const;

/** Whose deploy it is, and on which condition. */
export interface Origin extends Sender {
  readonly ifMatch: IfMatch;
}

/** The answer of a deploy, and what its headers say. */
export interface Deployed {
  readonly response: DeployResponse;
  readonly version: string;
  readonly bytes: number;
  /** Whether there was no such deployment, or only a deleted one. */
  readonly created: boolean;
  /** Whether this deploy made the deployment. Then its answer tells the token. */
  readonly first: boolean;
}

/**
 * Checks the files of a request and packs them.
 * @throws ApiError invalid_request for a path or an encoding, payload_too_large for a size; each names the file
 */
export function packRequest({ files, projectId }: DeployRequest): Package {
  const site = acceptFiles(files);
  const entry = entryOf(site.map(({ path }) => path));
  const about = {
    entry,
    title: siteTitle(site, entry),
    fileCount: site.length,
    bytes: totalSize(site),
  };
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
 * Deploys a package: announces it, writes the archive of the version while the edge forgets, moves the pointer. Until
 * the pointer has moved visitors see the version before, and when anything fails before that, nothing has changed.
 * @param names of the version and, without a projectId, of the deployment. The same names again deploy nothing new:
 *   an attempt that got lost can be repeated.
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

  const intent = { change: 'deploy', version: names.version, ...claim } as const;
  const announced =
    projectId === undefined
      ? NOTHING_THERE
      : await deployments.announce(id, names.version, intent, version.deployedAt);
  const before = announced.done ? announced.before : undefined;
  if (!announced.done) {
    const instead = alreadyDone(announced.current, names.version, claim, baseUrl);
    if (instead) return instead;
    // It was made or changed a moment ago, and has something to announce to now.
    if (announced.current) return deploy(site, origin, names, ports);
  }
  await Promise.all([
    archives.put(id, version.version, site.archive),
    before ? clearEdge(id, ports) : undefined,
  ]);
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
  // Of two first deploys of a project, this one was the second: it is none, and has something to announce to.
  if (before === undefined && projectId !== undefined) return deploy(site, origin, names, ports);
  throw overtaken();
}

/**
 * Why a deploy finds no place: an attempt of the same names has done it already, which is its answer; undefined when
 * there is no reason but that something changed meanwhile.
 * @throws ApiError when it may not be done: unauthorized, taken_down, precondition_failed
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
  { version, entry, title, fileCount, bytes }: Version,
  what: Pick<Deployed, 'created' | 'first'>,
  baseUrl: string,
): Deployed {
  const response = { id, url: deploymentUrl(id, baseUrl), entry, fileCount, title, createdAt };
  return { response, version, bytes, ...what };
}
