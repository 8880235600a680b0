import type { DeployResponse } from '../contract/deploy.ts';
import type { Clock } from '../platform/clock.ts';
import { addToLog, emitMetrics, log } from '../platform/log.ts';
import type { Builder } from '../stored/builds/builder.ts';
import type { Deployment, Version } from '../stored/deployment.ts';
import { projectDeploymentId } from '../stored/deployment-id.ts';
import { ANONYMOUS, type DeploymentSecrets, holdsToken, type Sender } from '../stored/deployment-owner.ts';
import { isHeldPage } from '../stored/held.ts';
import { type EdgeCopiesPorts, finishWithdrawal } from './copies/edge-copies.ts';
import { type GatePort, heldWarning } from './gate.ts';
import { type LookStarter, startLook } from './looks/look-starter.ts';
import { lookTenant } from './looks/version-look.ts';
import { deploymentUrl, type Origins, sharedAccess, siteUrl } from './resource.ts';
import { withSettings } from './settings/settings-update.ts';
import type { WantedSettings } from './settings/wanted-settings.ts';
import type { ArchiveStore, StoredVersion } from './store/archive-store.ts';
import type { DeployerStore } from './store/deployer-store.ts';
import type { DeployCondition, DeploymentStore } from './store/deployment-store.ts';
import { noteHeld } from './store/held-list.ts';
import type { DeploymentNames } from './store/idempotency-store.ts';
import type { IfMatch } from './store/pointer-update.ts';
import { abandonedAnnouncements, obsoleteVersions } from './store/retention.ts';
import {
  claimedError,
  conflictError,
  ifMatchError,
  missingTokenError,
  takenDownError,
} from './store/write-errors.ts';
import { prepare } from './submission/prepare.ts';
import type { Submission } from './submission/submission.ts';

/** What a deploy, a rollback or a deletion needs. */
export interface WritePorts {
  readonly archives: ArchiveStore;
  readonly deployments: DeploymentStore;
  readonly clock: Clock;
}

export interface DeployPorts extends WritePorts, Origins, DeploymentSecrets, EdgeCopiesPorts {
  readonly deployments: DeploymentStore;
  readonly builder: Builder;
  readonly looks: LookStarter;
  readonly deployers: Pick<DeployerStore, 'note'>;
  /** How long deployments without an owner stay, 0 for ever. */
  readonly anonymousDays: number;
  /** Undefined if the stage has no gate. */
  readonly gate?: GatePort | undefined;
}

/** A deploy without a projectId has a new id, so there is no deployment to announce it to. */
const NOTHING_THERE = { done: false, current: undefined } as const;

/** The sender of a deploy and its precondition. */
export interface ConditionalSender extends Sender {
  readonly ifMatch: IfMatch;
  /** For whom source is built, as `Builder.build` has it. */
  readonly tenant: string;
  /** What stands for the address of a sender without a credential, from `deployerOf`. */
  readonly deployer?: string | undefined;
  /** What it changes besides the files. */
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

/**
 * Deploys files: announces the deploy, builds them if they are source, writes an archive, and moves the pointer. Until the pointer moves, visitors see the
 * previous version; if anything fails before that, nothing has changed. The edge is not told, because it revalidates. A browser looks
 * at the version afterwards.
 *
 * Files are resolved from the version that was live at the announcement. It has checked the token, `If-Match` and the
 * takedown, so that a deploy that is not allowed learns nothing about the files.
 * @param names of the version and, without a projectId, of the deployment. A retry with the same names does not deploy
 *   a second time.
 * @param claimed the deployment of the project, if its owner claimed it: its id does not derive from the owner
 * @throws ApiError unauthorized, forbidden, precondition_failed, taken_down, unknown_files, payload_too_large,
 *   build_failed, unavailable if a build cannot end now, or a page cannot become private
 */
export async function deploy(
  site: Submission,
  sender: ConditionalSender,
  names: DeploymentNames,
  ports: DeployPorts,
  claimed?: string,
): Promise<DeployResult> {
  const { archives, deployments, clock, tokens } = ports;
  const { owner, ifMatch, token } = sender;
  const { projectId } = site;
  const begun = clock();
  const id = claimed ?? (await deploymentId(projectId, owner, names, ports));
  addToLog({ deployment: id, version: names.version });
  const condition = { owner, ifMatch, holdsToken: await holdsToken(id, token, tokens) };
  const deployedAt = clock();

  const announced =
    projectId === undefined
      ? NOTHING_THERE
      : await deployments.announce(id, names.version, condition, deployedAt);
  const before = announced.done ? announced.before : undefined;
  if (!announced.done) {
    const moved = announced.current ? undefined : await claimedProject(projectId, owner, ports);
    // It is the one that the precondition is about.
    if (moved !== undefined && moved !== claimed) return deploy(site, sender, names, ports, moved);
    const instead = await alreadyDone(announced.current, names.version, condition, sender, ports);
    if (instead) return followed(instead, sender, ports);
    // The deployment was created or changed in the meantime: retry as an update.
    if (announced.current) return deploy(site, sender, names, ports, claimed);
  }
  const { archive, about, hashedNames, built, settings } = await prepare(
    site,
    { ...sender, condition },
    before,
    deployedAt,
    ports,
  ).catch(async (error: unknown) => {
    // An earlier try that announced it too may have left an archive: then the announcement stays, as after a crash.
    if (before && !before.announced.has(names.version)) await deployments.retract(id, names.version);
    throw error;
  });
  const version = { version: names.version, ...about, deployedAt };
  await Promise.all([
    archives.put(id, version.version, archive, built),
    // Before the page is public: no deploy is left unnoted.
    sender.deployer === undefined ? undefined : ports.deployers.note(sender.deployer, id, deployedAt),
  ]);
  const obsolete = before ? obsoleteVersions(before) : [];
  const announcements = before ? abandonedAnnouncements(before, deployedAt) : [];
  const forget = { versions: obsolete.map((one) => one.version), announced: announcements };
  const change = await deployments.deploy(id, condition, version, before, forget, hashedNames, settings);
  if (change.done) {
    // A deploy that died may have built what it announced.
    const abandoned = announcements.map((name) => ({ version: name, built: 0 }));
    const first = before === undefined;
    const created = first || before.deletedAt !== undefined;
    const known = change.before ?? newDeployment(id, owner, deployedAt);
    const after = await finishWithdrawal(withSettings(known, settings), ports);
    const result = deployResult(after, version, { created, first }, sender, ports);
    noteDeployed(result, clock() - begun);
    await Promise.all([
      deleteUnnamedArchives(id, [...obsolete, ...abandoned], ports),
      followed(result, sender, ports, isHeldPage(before, ports.gate?.bounds)),
    ]);
    return result;
  }
  const instead = await alreadyDone(change.current, names.version, condition, sender, ports);
  if (instead) return followed(instead, sender, ports);
  // Lost the race to create the project, to delete it, to restore it or to change its life: start again from there.
  const lost =
    before === undefined ||
    before.deletedAt !== change.current?.deletedAt ||
    before.lifeSeconds !== change.current?.lifeSeconds;
  if (lost && projectId !== undefined) return deploy(site, sender, names, ports, claimed);
  throw conflictError();
}

/** @param ms the duration of the deploy */
function noteDeployed({ response, bytes, held }: DeployResult, ms: number): void {
  log.info('deployed', { files: response.fileCount, bytes, held, ms });
  emitMetrics('Milliseconds', { DeployMs: ms });
}

async function deploymentId(
  projectId: string | undefined,
  owner: string,
  names: DeploymentNames,
  { idSecret }: DeployPorts,
): Promise<string> {
  return projectId === undefined ? names.id : projectDeploymentId(owner, projectId, await idSecret());
}

/** Returns the id of a project's deployment that was anonymous until its owner claimed it, or undefined. */
async function claimedProject(
  projectId: string | undefined,
  owner: string,
  { idSecret, deployments }: DeployPorts,
): Promise<string | undefined> {
  if (projectId === undefined || owner === ANONYMOUS) return undefined;
  const id = projectDeploymentId(ANONYMOUS, projectId, await idSecret());
  const deployment = await deployments.find(id);
  return deployment?.owner === owner ? id : undefined;
}

const newDeployment = (id: string, owner: string, createdAt: number): Deployment => ({
  id,
  owner,
  createdAt,
  live: '',
  versions: [],
  announced: new Map(),
});

/**
 * Starts the look at a version that was deployed, notes in the operator's list whether the page is held, and returns the result of the deploy. An
 * earlier try of it may have died before it started the look: if not, nothing is started.
 */
async function followed(
  result: DeployResult,
  { tenant }: ConditionalSender,
  { looks, deployments }: DeployPorts,
  wasHeld = false,
): Promise<DeployResult> {
  const { version, response, held } = result;
  const { id, entry } = response;
  await Promise.all([
    startLook({ id, version, tenant: lookTenant(tenant, id) }, entry, looks),
    noteHeld(id, { was: wasHeld, is: held !== undefined }, deployments),
  ]);
  return result;
}

/**
 * Resolves a failed condition: returns the result of an earlier deploy with the same names, or undefined to retry.
 * @throws ApiError unauthorized, forbidden, taken_down, precondition_failed if the deploy is not allowed
 */
async function alreadyDone(
  current: Deployment | undefined,
  name: string,
  { owner, ifMatch, holdsToken }: DeployCondition,
  sender: ConditionalSender,
  ports: DeployPorts,
): Promise<DeployResult | undefined> {
  const version = current?.versions.find((one) => one.version === name);
  if (current && version) {
    const first = current.firstVersion === version.version;
    const after = await finishWithdrawal(current, ports);
    return deployResult(after, version, { created: first, first }, sender, ports);
  }
  const refused =
    (current &&
      (claimedError(current, owner) ?? missingTokenError(current, holdsToken) ?? takenDownError(current))) ??
    ifMatchError(current, ifMatch);
  if (refused) throw refused;
  return undefined;
}

function deployResult(
  deployment: Deployment,
  added: Version,
  what: Pick<DeployResult, 'created' | 'first'>,
  { settings }: ConditionalSender,
  ports: DeployPorts,
): DeployResult {
  const { id, createdAt, endsAt } = deployment;
  const { version, entry, title, fileCount, bytes } = added;
  const shared = settings?.access === undefined ? {} : sharedAccess(deployment, ports);
  const url = deploymentUrl(id, ports.baseUrl);
  const held = heldWarning(deployment, added, ports.gate);
  const warning = held === undefined ? added.warning : [held, added.warning].filter(Boolean).join(' | ');
  const response = { id, url, entry, fileCount, title, createdAt, ...shared };
  const site = siteUrl(deployment, ports);
  const isPrivate = deployment.access !== undefined;
  return { response, version, bytes, warning, held, endsAt, site, isPrivate, ...what };
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
