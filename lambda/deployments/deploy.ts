import type { DeployResponse } from '../contract/deploy.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Builder } from '../stored/builder.ts';
import type { Deployment, Version } from '../stored/deployment.ts';
import { projectDeploymentId } from '../stored/deployment-id.ts';
import { type DeploymentSecrets, holdsToken, type Sender } from '../stored/deployment-owner.ts';
import type { ArchiveStore, StoredVersion } from './archive-store.ts';
import { buildSource } from './build-source.ts';
import type { Claim, DeploymentStore } from './deployment-store.ts';
import type { DeploymentNames } from './idempotency-store.ts';
import { type LookStarter, startLook } from './look-starter.ts';
import type { IfMatch } from './pointer-update.ts';
import { deploymentUrl, type Origins } from './resource.ts';
import { abandonedAnnouncements, obsoleteVersions } from './retention.ts';
import { type PackedSite, packFiles, type Submission } from './submission.ts';
import { lookTenant } from './version-look.ts';
import { conflictError, ifMatchError, missingTokenError, takenDownError } from './write-errors.ts';

/** What a deploy, a rollback or a deletion needs. */
export interface WritePorts {
  readonly archives: ArchiveStore;
  readonly deployments: DeploymentStore;
  readonly clock: Clock;
}

export interface DeployPorts extends WritePorts, Origins, DeploymentSecrets {
  readonly builder: Builder;
  readonly looks: LookStarter;
}

/** A deploy without a projectId has a new id, so there is no deployment to announce it to. */
const NOTHING_THERE = { done: false, current: undefined } as const;

/** The sender of a deploy and its precondition. */
export interface ConditionalSender extends Sender {
  readonly ifMatch: IfMatch;
  /** For whom source is built, as `Builder.build` has it. */
  readonly tenant: string;
}

/** The result of a deploy: the body of its response and the values of its headers. */
export interface DeployResult {
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
 * Deploys files: announces the deploy, builds them if they are source, writes an archive, and moves the pointer. Until the pointer moves, visitors see the
 * previous version; if anything fails before that, nothing has changed. The edge is not told, because it revalidates. A browser looks
 * at the version afterwards.
 *
 * Files are resolved from the version that was live at the announcement. It has checked the token, `If-Match` and the
 * takedown, so that a deploy that is not allowed learns nothing about the files.
 * @param names of the version and, without a projectId, of the deployment. A retry with the same names does not deploy
 *   a second time.
 * @throws ApiError unauthorized, forbidden, precondition_failed, taken_down, unknown_files, payload_too_large,
 *   build_failed, unavailable if a build cannot end now
 */
export async function deploy(
  site: Submission,
  sender: ConditionalSender,
  names: DeploymentNames,
  ports: DeployPorts,
): Promise<DeployResult> {
  const { archives, deployments, clock, idSecret, tokens, baseUrl } = ports;
  const { owner, ifMatch, token } = sender;
  const { projectId } = site;
  const id = projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await idSecret());
  const claim = { owner, ifMatch, holdsToken: await holdsToken(id, token, tokens) };
  const deployedAt = clock();

  const announced =
    projectId === undefined
      ? NOTHING_THERE
      : await deployments.announce(id, names.version, claim, deployedAt);
  const before = announced.done ? announced.before : undefined;
  if (!announced.done) {
    const instead = alreadyDone(announced.current, names.version, claim, baseUrl);
    if (instead) return withLook(instead, sender, ports);
    // The deployment was created or changed in the meantime: retry as an update.
    if (announced.current) return deploy(site, sender, names, ports);
  }
  const { archive, about, hashedNames, built } = await prepare(site, sender, before, ports).catch(
    async (error: unknown) => {
      // An earlier try that announced it too may have left an archive: then the announcement stays, as after a crash.
      if (before && !before.announced.has(names.version)) await deployments.retract(id, names.version);
      throw error;
    },
  );
  const version = { version: names.version, ...about, deployedAt };
  await archives.put(id, version.version, archive, built);
  const obsolete = before ? obsoleteVersions(before) : [];
  const announcements = before ? abandonedAnnouncements(before, deployedAt) : [];
  const forget = { versions: obsolete.map((one) => one.version), announced: announcements };
  const change = await deployments.deploy(id, claim, version, before, forget, hashedNames);
  if (change.done) {
    // A deploy that died may have built what it announced.
    const abandoned = announcements.map((name) => ({ version: name, built: 0 }));
    const first = before === undefined;
    const created = first || before.deletedAt !== undefined;
    const result = deployResult(id, before?.createdAt ?? deployedAt, version, { created, first }, baseUrl);
    await Promise.all([
      deleteUnnamedArchives(id, [...obsolete, ...abandoned], ports),
      withLook(result, sender, ports),
    ]);
    return result;
  }
  const instead = alreadyDone(change.current, names.version, claim, baseUrl);
  if (instead) return withLook(instead, sender, ports);
  // Lost the race to create the project, to delete it or to restore it: start again from there.
  const lost = before === undefined || before.deletedAt !== change.current?.deletedAt;
  if (lost && projectId !== undefined) return deploy(site, sender, names, ports);
  throw conflictError();
}

/**
 * Starts the look at a version that was deployed, and returns the result of the deploy. An earlier try of it may have died before
 * it started the look: if not, nothing is started.
 */
async function withLook(
  result: DeployResult,
  { tenant }: ConditionalSender,
  { looks }: DeployPorts,
): Promise<DeployResult> {
  const { version, response } = result;
  const { id, entry } = response;
  await startLook({ id, version, tenant: lookTenant(tenant, id) }, entry, looks);
  return result;
}

/** Returns the files as they are stored, after a build if they are source. */
async function prepare(
  site: Submission,
  { tenant }: ConditionalSender,
  before: Deployment | undefined,
  ports: DeployPorts,
): Promise<PackedSite> {
  const packed = await packFiles(site, before, ports.archives);
  return 'source' in packed ? buildSource(packed, before, tenant, ports) : packed;
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
): DeployResult | undefined {
  const version = current?.versions.find((one) => one.version === name);
  if (current && version) {
    const first = current.firstVersion === version.version;
    return deployResult(current.id, current.createdAt, version, { created: first, first }, baseUrl);
  }
  const refused =
    (current && (missingTokenError(current, holdsToken) ?? takenDownError(current))) ??
    ifMatchError(current, ifMatch);
  if (refused) throw refused;
  return undefined;
}

function deployResult(
  id: string,
  createdAt: number,
  { version, entry, title, fileCount, bytes, warning }: Version,
  what: Pick<DeployResult, 'created' | 'first'>,
  baseUrl: string,
): DeployResult {
  const response = { id, url: deploymentUrl(id, baseUrl), entry, fileCount, title, createdAt };
  return { response, version, bytes, warning, ...what };
}

/** Deletes archives that no pointer names any more. Errors are only logged: the change is committed. */
async function deleteUnnamedArchives(
  id: string,
  versions: readonly StoredVersion[],
  { archives }: WritePorts,
): Promise<void> {
  await archives
    .delete(id, versions)
    .catch((error: unknown) => log.error('archives not deleted', { deployment: id, versions, error }));
}
