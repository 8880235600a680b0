import { ApiError } from '../contract/errors.ts';
import { quote } from '../contract/messages.ts';
import { siteOf } from '../stored/data/site-data.ts';
import { type Deployment, keptVersions, liveVersion, type Version } from '../stored/deployment.ts';
import { isHeld } from '../stored/held.ts';
import type { PointerStore } from '../stored/pointer-store.ts';
import type { IfMatch } from '../stored/pointer-update.ts';
import { NO_DATA } from './data/declared.ts';
import type { CustomDomains } from './domains/custom-domains.ts';
import { noteHeld } from './gate.ts';
import type { DeployStage } from './stage.ts';
import { conflictError, ifMatchError, takenDownError } from './write-errors.ts';

/** Returns the live version. @throws ApiError gone if the deployment is deleted */
export function requireLive(deployment: Deployment): Version {
  const live = liveVersion(deployment);
  if (!live) throw new ApiError('gone', `The deployment ${deployment.expired ? 'has expired' : 'was deleted'}`);
  return live;
}

type RollbackStage = Pick<DeployStage, 'pointers' | 'copies' | 'gate' | 'held' | 'clock'>;

/**
 * Makes another version live and returns the changed deployment.
 * @throws ApiError not_found for an unknown version, gone, taken_down, precondition_failed, deployment_backend_unreachable
 */
export async function rollBack(
  deployment: Deployment,
  version: string,
  ifMatch: IfMatch,
  { pointers, copies, gate, held, clock }: RollbackStage,
): Promise<Deployment> {
  requireRollback(deployment, version, ifMatch);
  if (deployment.live === version) return deployment;
  const rolledBackAt = clock();
  const was = isHeldVersion(deployment, deployment.live, gate);
  const is = isHeldVersion(deployment, version, gate);
  const settings = is && !was ? await copies.planHeldWithdrawal(deployment, {}) : {};
  const change = await pointers.rollBack(deployment.id, version, ifMatch, rolledBackAt, settings);
  const { done, deployment: current = deployment } = change;
  if (done) {
    await noteHeld(deployment.id, { was, is }, held, clock);
    return copies.finishWithdrawal(current);
  }
  requireRollback(current, version, ifMatch);
  if (current.live === version) return current;
  throw conflictError();
}

/** Returns a warning if the live version was deployed with other rules for the data than those in force, which a rollback keeps. */
export function dataWarning(deployment: Deployment): string | undefined {
  const { data } = deployment;
  if (!data) return undefined;
  const declared = liveVersion(deployment)?.declaration ?? NO_DATA.hash;
  if (declared === data.rules) return undefined;
  return 'This version was deployed with another _data.json: the rules in force stay. To change what visitors may do, deploy its files again';
}

const isHeldVersion = (deployment: Deployment, name: string, gate: DeployStage['gate']): boolean =>
  deployment.versions.some((one) => one.version === name && isHeld(deployment, one, gate?.bounds));

function requireRollback(deployment: Deployment, version: string, ifMatch: IfMatch): void {
  requireLive(deployment);
  const refused = takenDownError(deployment) ?? ifMatchError(deployment, ifMatch);
  if (refused) throw refused;
  const kept = keptVersions(deployment).map((one) => one.version);
  if (!kept.includes(version))
    throw new ApiError('not_found', `There is no version ${quote(version)}, only ${kept.join(', ')}`);
}

/** When a deployment was deleted, and until when the edge may have copies of its files; in Unix milliseconds. */
interface Deletion {
  readonly deletedAt: number;
  readonly copiesUntil: number;
}

/** The stores of a deletion. */
interface DeletionStage extends Pick<DeployStage, 'pointers' | 'archives' | 'copies' | 'clock' | 'endData'> {
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: Pick<CustomDomains, 'removeAll'> | undefined;
}

/**
 * Deletes a deployment with its versions. If it is deleted already, deletes what an earlier request left behind.
 * @throws ApiError precondition_failed, or deployment_backend_unreachable if something is left behind
 */
export async function deleteDeployment(
  deployment: Deployment,
  ifMatch: IfMatch,
  stage: DeletionStage,
  deployer: string | undefined,
): Promise<Deletion> {
  const deleted = deployment.deletedAt
    ? { ...deployment, deletedAt: deployment.deletedAt }
    : await markDeleted(deployment, ifMatch, stage);
  const { id, versions, deletedAt } = deleted;
  const names = versions.map(({ version }) => version);
  try {
    const [copiesUntil] = await Promise.all([
      stage.copies.withdrawDeleted(deleted, deployer),
      stage.archives.delete(id, versions),
      stage.customDomains?.removeAll(deleted),
      deleted.data && stage.endData(siteOf(id, deleted.data), deletedAt),
    ]);
    if (names.length > 0 || deleted.copiesUntil === undefined) await stage.pointers.forget(id, names, copiesUntil);
    return { deletedAt, copiesUntil };
  } catch (cause) {
    const message =
      'The page returns 410, but files of the deployment or copies of them are left: send the DELETE again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
}

type DeletedDeployment = Deployment & { readonly deletedAt: number };

/** Marks a deployment as deleted. @returns the deployment with the versions to delete */
async function markDeleted(
  deployment: Deployment,
  ifMatch: IfMatch,
  { pointers, clock }: DeletionStage,
): Promise<DeletedDeployment> {
  const deletedAt = clock();
  const { done, deployment: current } = await pointers.delete(deployment.id, ifMatch, deletedAt);
  if (done && current) return { ...current, deletedAt };
  if (current?.deletedAt === undefined) throw ifMatchError(current, ifMatch) ?? conflictError();
  return { ...current, deletedAt: current.deletedAt };
}

/**
 * Takes a deployment down, with the reason that visitors see; `null` undoes that. Copies at the edge remain.
 * @returns the deployment before the change, or undefined if there is none
 */
export async function decideTakeDown(
  id: string,
  decision: Deployment['takenDown'] | null,
  pointers: PointerStore,
): Promise<Deployment | undefined> {
  const change = await pointers.takeDown(id, decision);
  return change.done ? change.deployment : undefined;
}

/** One page of a caller whose pages are taken down together. */
export interface CallerPage {
  readonly id: string;
  /** The owner that it must still have: an anonymous page can have been claimed since. */
  readonly owner: string;
  /** The mark that the takedown leaves on the page, by which it is undone. */
  readonly mark: string;
}

/** The outcome for a page: `alone` if it was taken down on its own. */
export type CallerTakedownOutcome = 'done' | 'alone' | 'claimed' | 'not taken down' | 'unknown';

/** Takes a page down with the rest of its caller. */
export async function takeDownPage(
  { id, owner, mark }: CallerPage,
  decision: Deployment['takenDown'],
  pointers: PointerStore,
): Promise<CallerTakedownOutcome> {
  const change = await pointers.takeDownWith(id, mark, owner, decision);
  if (change.done) return 'done';
  if (!change.deployment) return 'unknown';
  return change.deployment.owner === owner ? 'alone' : 'claimed';
}

/** Brings a page back that was taken down with the rest of its caller, even if it was claimed since. */
export async function bringBackPage({ id, mark }: CallerPage, pointers: PointerStore): Promise<CallerTakedownOutcome> {
  const change = await pointers.bringBackWith(id, mark);
  if (change.done) return 'done';
  if (!change.deployment) return 'unknown';
  return change.deployment.takenDown ? 'alone' : 'not taken down';
}
