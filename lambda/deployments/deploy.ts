import type { DeployResponse } from '../contract/deploy.ts';
import { addToLog, emitMetrics, log } from '../platform/log.ts';
import { siteOf } from '../stored/data/site-data.ts';
import {
  abandonedAnnouncements,
  type Deployment,
  obsoleteVersions,
  projectDeploymentId,
  type Version,
} from '../stored/deployment.ts';
import { ANONYMOUS, holdsToken, type Sender } from '../stored/deployment-owner.ts';
import { isHeldPage } from '../stored/held.ts';
import type { DeployCondition } from '../stored/pointer-store.ts';
import type { IfMatch } from '../stored/pointer-update.ts';
import { sharedTenant } from '../stored/tenant-function.ts';
import type { ArchiveStore, StoredVersion } from './archive-store.ts';
import { storeData } from './data/declared.ts';
import { heldWarning, noteHeld } from './gate.ts';
import type { DeploymentNames } from './idempotency-store.ts';
import { startLook } from './looks/version-looks.ts';
import { type PreparedSite, prepare, withGate } from './prepare.ts';
import { deploymentUrl, sharedAccess, siteUrl } from './resource.ts';
import type { WantedSettings } from './settings.ts';
import type { DeployStage } from './stage.ts';
import type { Submission } from './submission.ts';
import { claimedError, conflictError, ifMatchError, missingTokenError, takenDownError } from './write-errors.ts';

/** The sender of a deploy and its precondition. */
export interface ConditionalSender extends Sender {
  readonly ifMatch: IfMatch;
  /** The tenant for `Builder.build`. */
  readonly tenant: string;
  /** From `anonymousDeployer`: undefined only with a credential. */
  readonly deployer: string | undefined;
  /** Counts the bytes that the deploy is going to store; undefined if they are counted already. */
  readonly countStored?: ((bytes: number) => Promise<void>) | undefined;
  /** Settings that change with the files. */
  readonly settings?: WantedSettings | undefined;
}

/** The result of a deploy: the body of its response and the values of its headers. */
export interface DeployResult {
  readonly response: DeployResponse;
  readonly version: string;
  readonly bytes: number;
  readonly warning?: string | undefined;
  /** When the deployment expires, in Unix milliseconds. */
  readonly endsAt?: number | undefined;
  /** The address that visitors see, unless it is under the base URL. */
  readonly site?: string | undefined;
  /** Whether only some may see its pages. */
  readonly isPrivate: boolean;
  /** Why nobody may see its pages until they are reviewed; undefined if they are not held. */
  readonly held?: string | undefined;
  /** Whether the deployment was new or had been deleted. */
  readonly created: boolean;
  /** Whether this deploy created the deployment; then its response contains the token. */
  readonly first: boolean;
}

/** The place of a deploy, or the id of the deployment with which it has to start again. */
type Tried = { readonly result: DeployResult } | { readonly retryWith: string };

/** One try of a deploy. */
interface Deploying {
  /** The id of the deployment. */
  readonly id: string;
  /** The name of the version. */
  readonly version: string;
  readonly condition: DeployCondition;
  /** Unix milliseconds. */
  readonly deployedAt: number;
  readonly sender: ConditionalSender;
}

/**
 * Deploys files in five steps: announces the deploy, prepares the files (a build, if they are source), writes an archive while the
 * gate reads the files, moves the pointer, and tidies up. Until the pointer moves, visitors see the previous version; if anything
 * fails before that, nothing has changed. The edge is not told, because it revalidates. A browser looks at the version afterwards.
 *
 * Files are resolved from the version that was live at the announcement. It has checked the token, `If-Match` and the
 * takedown, so that a deploy that is not allowed learns nothing about the files.
 * @param names of the version and, without a projectId, of the deployment. A retry with the same names does not deploy
 *   a second time.
 * @throws ApiError unauthorized, forbidden, precondition_failed, taken_down, unknown_files, payload_too_large,
 *   build_failed, unavailable if a build cannot end now, or a page cannot become private, rate_limited by `countStored`
 */
export async function deploy(
  submission: Submission,
  sender: ConditionalSender,
  names: DeploymentNames,
  stage: DeployStage,
): Promise<DeployResult> {
  const { projectId } = submission;
  let id = projectId === undefined ? names.id : projectDeploymentId(sender.owner, projectId, await stage.idSecret());
  for (;;) {
    const tried = await tryDeploy(id, submission, sender, names.version, stage);
    if ('result' in tried) return tried.result;
    id = tried.retryWith;
  }
}

/** Deploys to one deployment, unless it changes at the same time in a way that the deploy can follow. */
async function tryDeploy(
  id: string,
  submission: Submission,
  sender: ConditionalSender,
  version: string,
  stage: DeployStage,
): Promise<Tried> {
  const { tokens, clock } = stage;
  const { projectId } = submission;
  const { owner, ifMatch, token } = sender;
  const begun = clock();
  addToLog({ deployment: id, version });
  const condition = { owner, ifMatch, holdsToken: await holdsToken(id, token, tokens) };
  const deploying = { id, version, condition, deployedAt: clock(), sender };

  const { before, current } = await announce(deploying, projectId, stage);
  if (!before) {
    const claimed = current ? undefined : await claimedProject(projectId, owner, stage);
    // The precondition is about the claimed deployment.
    if (claimed !== undefined && claimed !== id) return { retryWith: claimed };
    const earlier = await earlierResult(current, deploying, stage);
    if (earlier) return { result: earlier };
    // The deployment was created or changed in the meantime: retry as an update.
    if (current) return { retryWith: id };
  }
  const site = await prepareAnnounced(submission, deploying, before, stage);
  const [gate] = await Promise.all([
    stage.gate?.assess(site.seen, site.about.entry),
    storeArchive(deploying, site, stage),
  ]);
  const prepared = await withGate(site, gate, before, stage);
  const moved = await movePointer(deploying, prepared, before, stage);
  if (!moved.done || !moved.deployment) {
    await dropUnusedData(id, prepared, moved.deployment, stage);
    const earlier = await earlierResult(moved.deployment, deploying, stage);
    if (earlier) return { result: earlier };
    if (projectId !== undefined && lostRace(before, moved.deployment)) return { retryWith: id };
    throw conflictError();
  }
  const after = await stage.copies.finishWithdrawal(moved.deployment);
  const first = before === undefined;
  const created = first || before.deletedAt !== undefined;
  const added = { version, ...prepared.about, deployedAt: deploying.deployedAt };
  const result = deployResult(after, added, { created, first }, sender, stage);
  noteDeployed(result, clock() - begun);
  await tidy(deploying, result, before, stage);
  return { result };
}

/**
 * Announces a deploy to the deployment of its project.
 * @returns the deployment before the deploy, or the current one if a condition failed. Without a projectId there is
 *   neither: the id is new
 */
async function announce(
  { id, version, condition, deployedAt }: Deploying,
  projectId: string | undefined,
  { pointers }: DeployStage,
): Promise<{ readonly before?: Deployment | undefined; readonly current?: Deployment | undefined }> {
  if (projectId === undefined) return {};
  const { done, deployment } = await pointers.announce(id, version, condition, deployedAt);
  return done ? { before: deployment } : { current: deployment };
}

/** Prepares the files. If that fails, removes the announcement. */
async function prepareAnnounced(
  submission: Submission,
  { id, version, condition, deployedAt, sender }: Deploying,
  before: Deployment | undefined,
  stage: DeployStage,
): Promise<PreparedSite> {
  try {
    return await prepare(submission, { ...sender, condition }, before, deployedAt, stage);
  } catch (error) {
    // An earlier try that announced it too may have left an archive: then the announcement stays, as after a crash.
    if (before && !before.announced.has(version)) await stage.pointers.retract(id, version);
    throw error;
  }
}

async function storeArchive(
  { id, version, deployedAt, sender }: Deploying,
  { archive, built, data }: PreparedSite,
  { archives, deployers, data: table, endData }: DeployStage,
): Promise<void> {
  await Promise.all([
    archives.put(id, version, archive, built),
    data && storeData(id, data, { table, endData }, deployedAt),
    // Before the page is public: no deploy is left unnoted.
    sender.deployer === undefined ? undefined : deployers.note(sender.deployer, id, deployedAt),
  ]);
}

/** Has the next sweep delete the rules that were stored for data which the pointer does not name. Errors are only logged. */
async function dropUnusedData(
  id: string,
  { data }: PreparedSite,
  current: Deployment | undefined,
  { endData, clock }: DeployStage,
): Promise<void> {
  const { was, is } = data?.change ?? {};
  if (!is || is.since === was?.since || is.since === current?.data?.since) return;
  await endData(siteOf(id, is), clock()).catch((error: unknown) =>
    log.error('unused rules not deleted', { deployment: id, error }),
  );
}

/** Makes the version live with one conditional write, which also forgets the versions and announcements to delete. */
function movePointer(
  { id, version, condition, deployedAt }: Deploying,
  { about, hashedNames, settings, data }: PreparedSite,
  before: Deployment | undefined,
  { pointers }: DeployStage,
) {
  const forget = {
    versions: before ? obsoleteVersions(before).map((one) => one.version) : [],
    announced: before ? abandonedAnnouncements(before, deployedAt) : [],
  };
  const added = { version, ...about, deployedAt };
  return pointers.deploy(id, condition, {
    version: added,
    before,
    forget,
    hashedNames,
    settings,
    data: data?.change,
  });
}

/** Reports if another request created, deleted or restored the project since the announcement, or changed its life or its data. */
function lostRace(before: Deployment | undefined, current: Deployment | undefined): boolean {
  return (
    before === undefined ||
    before.deletedAt !== current?.deletedAt ||
    before.lifeSeconds !== current?.lifeSeconds ||
    before.data?.rules !== current?.data?.rules
  );
}

/**
 * Deletes the archives that no pointer names any more, starts the look at the new version, and updates the operator's list
 * of held pages. None of it fails the deploy.
 */
async function tidy(
  { id, deployedAt, sender }: Deploying,
  result: DeployResult,
  before: Deployment | undefined,
  stage: DeployStage,
): Promise<void> {
  // A deploy that died may have built what it announced.
  const abandoned = before
    ? abandonedAnnouncements(before, deployedAt).map((name) => ({ version: name, built: 0 }))
    : [];
  const obsolete = before ? obsoleteVersions(before) : [];
  await Promise.all([
    deleteArchives(id, [...obsolete, ...abandoned], stage.archives),
    startLookAt(result, sender, stage),
    noteIfHeld(result, isHeldPage(before, stage.gate?.bounds), stage),
  ]);
}

/** Errors are only logged: the change is committed. */
async function deleteArchives(
  id: string,
  versions: readonly StoredVersion[],
  archives: Pick<ArchiveStore, 'delete'>,
): Promise<void> {
  await archives
    .delete(id, versions)
    .catch((error: unknown) => log.error('archives not deleted', { deployment: id, versions, error }));
}

function startLookAt(
  { version, response: { id, entry } }: DeployResult,
  { tenant }: ConditionalSender,
  { looks }: DeployStage,
): Promise<void> {
  // Executions are kept for months: their input must not have an address.
  return startLook({ id, version, tenant: sharedTenant(tenant) }, entry, looks);
}

function noteIfHeld({ response, held }: DeployResult, was: boolean, { held: list, clock }: DeployStage): Promise<void> {
  return noteHeld(response.id, { was, is: held !== undefined }, list, clock);
}

/**
 * Resolves a failed condition: returns the result of an earlier deploy with the same names, or undefined to retry. The
 * earlier deploy may have died before it started its look: one that was started is not started again.
 * @throws ApiError unauthorized, forbidden, taken_down, precondition_failed if the deploy is not allowed
 */
async function earlierResult(
  current: Deployment | undefined,
  { version: name, condition: { owner, ifMatch, holdsToken }, sender }: Deploying,
  stage: DeployStage,
): Promise<DeployResult | undefined> {
  const version = current?.versions.find((one) => one.version === name);
  if (current && version) {
    const first = current.firstVersion === version.version;
    const after = await stage.copies.finishWithdrawal(current);
    const result = deployResult(after, version, { created: first, first }, sender, stage);
    await Promise.all([startLookAt(result, sender, stage), noteIfHeld(result, false, stage)]);
    return result;
  }
  const refused =
    (current && (claimedError(current, owner) ?? missingTokenError(current, holdsToken) ?? takenDownError(current))) ??
    ifMatchError(current, ifMatch);
  if (refused) throw refused;
  return undefined;
}

/** Returns the id of a project's deployment that was anonymous until its owner claimed it, or undefined. */
async function claimedProject(
  projectId: string | undefined,
  owner: string,
  { idSecret, pointers }: DeployStage,
): Promise<string | undefined> {
  if (projectId === undefined || owner === ANONYMOUS) return undefined;
  const id = projectDeploymentId(ANONYMOUS, projectId, await idSecret());
  const deployment = await pointers.find(id);
  return deployment?.owner === owner ? id : undefined;
}

function deployResult(
  deployment: Deployment,
  added: Version,
  what: Pick<DeployResult, 'created' | 'first'>,
  { settings }: ConditionalSender,
  stage: DeployStage,
): DeployResult {
  const { id, createdAt, endsAt } = deployment;
  const { version, entry, title, fileCount, bytes } = added;
  const shared = settings?.access === undefined ? {} : sharedAccess(deployment, stage);
  const url = deploymentUrl(id, stage.baseUrl);
  const held = heldWarning(deployment, added, stage.gate);
  const warning = held === undefined ? added.warning : [held, added.warning].filter(Boolean).join(' | ');
  const response = { id, url, entry, fileCount, title, createdAt, ...shared };
  const site = siteUrl(deployment, stage);
  const isPrivate = deployment.access !== undefined;
  return { response, version, bytes, warning, held, endsAt, site, isPrivate, ...what };
}

/** @param ms the duration of the deploy */
function noteDeployed({ response, bytes, held }: DeployResult, ms: number): void {
  log.info('deployed', { files: response.fileCount, bytes, held, ms });
  emitMetrics('Milliseconds', { DeployMs: ms });
}
