import { ApiError } from '../contract/errors.ts';
import { quote } from '../contract/messages.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import { isHeld } from '../stored/held.ts';
import {
  type EdgeCopiesPorts,
  finishWithdrawal,
  withdrawDeleted,
  withHeldWithdrawal,
} from './copies/edge-copies.ts';
import type { WritePorts } from './deploy.ts';
import { type DomainPorts, removeDomains } from './domains/manage-domains.ts';
import type { GatePort } from './gate.ts';
import { withSettings } from './settings/settings-update.ts';
import type { DeploymentStore } from './store/deployment-store.ts';
import { noteHeld } from './store/held-list.ts';
import type { IfMatch } from './store/pointer-update.ts';
import { keptVersions } from './store/retention.ts';
import { conflictError, ifMatchError, takenDownError } from './store/write-errors.ts';

export interface ManagePorts extends WritePorts, EdgeCopiesPorts {
  readonly deployments: DeploymentStore;
  /** Undefined if the stage has no custom domains. */
  readonly customDomains?: DomainPorts | undefined;
}

export interface RollbackPorts extends EdgeCopiesPorts {
  readonly deployments: DeploymentStore;
  readonly gate?: GatePort | undefined;
}

/** Returns the live version. @throws ApiError gone if the deployment is deleted */
export function requireLive(deployment: Deployment): Version {
  const live = liveVersion(deployment);
  if (!live)
    throw new ApiError('gone', `The deployment ${deployment.expired ? 'has expired' : 'was deleted'}`);
  return live;
}

/**
 * Makes another version live and returns the changed deployment.
 * @throws ApiError not_found for an unknown version, gone, taken_down, precondition_failed, deployment_backend_unreachable
 */
export async function rollBack(
  deployment: Deployment,
  version: string,
  ifMatch: IfMatch,
  ports: RollbackPorts,
): Promise<Deployment> {
  const { deployments, clock } = ports;
  requireRollback(deployment, version, ifMatch);
  if (deployment.live === version) return deployment;
  const rolledBackAt = clock();
  const was = isHeldVersion(deployment, deployment.live, ports);
  const is = isHeldVersion(deployment, version, ports);
  const settings = is && !was ? await withHeldWithdrawal(deployment, {}, ports) : {};
  const change = await deployments.rollBack(deployment.id, version, ifMatch, rolledBackAt, settings);
  if (change.done) {
    await noteHeld(deployment.id, { was, is }, deployments);
    const after = rolledBack(change.before ?? deployment, version, rolledBackAt);
    return finishWithdrawal(withSettings(after, settings), ports);
  }
  const { current = deployment } = change;
  requireRollback(current, version, ifMatch);
  if (current.live === version) return current;
  throw conflictError();
}

const isHeldVersion = (deployment: Deployment, name: string, { gate }: RollbackPorts): boolean =>
  deployment.versions.some((one) => one.version === name && isHeld(deployment, one, gate?.bounds));

function rolledBack(before: Deployment, live: string, rolledBackAt: number): Deployment {
  const versions = before.versions.map((one) => (one.version === live ? { ...one, rolledBackAt } : one));
  return { ...before, live, versions };
}

function requireRollback(deployment: Deployment, version: string, ifMatch: IfMatch): void {
  requireLive(deployment);
  const refused = takenDownError(deployment) ?? ifMatchError(deployment, ifMatch);
  if (refused) throw refused;
  const kept = keptVersions(deployment).map((one) => one.version);
  if (!kept.includes(version))
    throw new ApiError('not_found', `There is no version ${quote(version)}, only ${kept.join(', ')}`);
}

/** When a deployment was deleted, and until when the edge may have copies of its files; in Unix milliseconds. */
export interface Deletion {
  readonly deletedAt: number;
  readonly copiesUntil: number;
}

/**
 * Deletes a deployment with its versions. If it is deleted already, deletes what an earlier request left behind.
 * @throws ApiError precondition_failed, or deployment_backend_unreachable if something is left behind
 */
export async function deleteDeployment(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: ManagePorts,
): Promise<Deletion> {
  const deleted = deployment.deletedAt
    ? { ...deployment, deletedAt: deployment.deletedAt }
    : await markDeleted(deployment, ifMatch, ports);
  const { id, versions, deletedAt } = deleted;
  const names = versions.map(({ version }) => version);
  try {
    const [copiesUntil] = await Promise.all([
      withdrawDeleted(deleted, ports),
      ports.archives.delete(id, versions),
      ports.customDomains && removeDomains(deleted, ports.customDomains),
    ]);
    if (names.length > 0 || deleted.copiesUntil === undefined)
      await ports.deployments.forget(id, names, copiesUntil);
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
  { deployments, clock }: ManagePorts,
): Promise<DeletedDeployment> {
  const deletedAt = clock();
  const change = await deployments.delete(deployment.id, ifMatch, deletedAt);
  if (change.done) return { ...(change.before ?? deployment), deletedAt };
  const { current } = change;
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
  deployments: DeploymentStore,
): Promise<Deployment | undefined> {
  const change = await deployments.takeDown(id, decision);
  return change.done ? change.before : undefined;
}
