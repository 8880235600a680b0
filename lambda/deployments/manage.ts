import { ApiError } from '../contract/errors.ts';
import { quote } from '../contract/messages.ts';
import { type Deployment, liveVersion, type Version } from '../stored/deployment.ts';
import { type ChangePorts, conflict, takenDown, unmatched } from './change.ts';
import type { DeploymentStore } from './deployment-store.ts';
import type { IfMatch } from './pointer-update.ts';
import { keptVersions } from './retention.ts';

export interface ManagePorts extends ChangePorts {
  /** Starts to remove a deleted deployment's copies from the edge, and does not wait until they are gone. */
  readonly withdraw: (id: string, deletedAt: number) => Promise<void>;
}

/** Returns the live version. @throws ApiError gone if the deployment is deleted */
export function requireLive(deployment: Deployment): Version {
  const live = liveVersion(deployment);
  if (!live) throw new ApiError('gone', 'The deployment was deleted');
  return live;
}

/**
 * Makes another version live and returns the changed deployment.
 * @throws ApiError not_found for an unknown version, gone, taken_down, precondition_failed
 */
export async function rollBack(
  deployment: Deployment,
  version: string,
  ifMatch: IfMatch,
  { deployments }: Pick<ChangePorts, 'deployments'>,
): Promise<Deployment> {
  requireRollback(deployment, version, ifMatch);
  if (deployment.live === version) return deployment;
  const change = await deployments.rollBack(deployment.id, version, ifMatch);
  if (change.done) return { ...(change.before ?? deployment), live: version };
  const { current = deployment } = change;
  requireRollback(current, version, ifMatch);
  if (current.live === version) return current;
  throw conflict();
}

function requireRollback(deployment: Deployment, version: string, ifMatch: IfMatch): void {
  requireLive(deployment);
  const refused = takenDown(deployment) ?? unmatched(deployment, ifMatch);
  if (refused) throw refused;
  const kept = keptVersions(deployment).map((one) => one.version);
  if (!kept.includes(version))
    throw new ApiError('not_found', `There is no version ${quote(version)}, only ${kept.join(', ')}`);
}

/**
 * Deletes a deployment with its versions. If it is deleted already, deletes what an earlier request left behind.
 * @returns when it was deleted, in Unix milliseconds
 * @throws ApiError precondition_failed, or deployment_backend_unreachable if something is left behind
 */
export async function deleteDeployment(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: ManagePorts,
): Promise<number> {
  const { id, versions, deletedAt } = deployment.deletedAt
    ? { ...deployment, deletedAt: deployment.deletedAt }
    : await markDeleted(deployment, ifMatch, ports);
  const names = versions.map(({ version }) => version);
  try {
    await Promise.all([
      ports.withdraw(id, deletedAt),
      names.length > 0 && ports.archives.delete(id, names).then(() => ports.deployments.forget(id, names)),
    ]);
  } catch (cause) {
    const message =
      'The page returns 410, but files of the deployment or copies of them are left: send the DELETE again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
  return deletedAt;
}

/** Marks a deployment as deleted. @returns the deployment with the versions to delete */
async function markDeleted(
  deployment: Deployment,
  ifMatch: IfMatch,
  { deployments, clock }: ManagePorts,
): Promise<Deployment & { readonly deletedAt: number }> {
  const deletedAt = clock();
  const change = await deployments.delete(deployment.id, ifMatch, deletedAt);
  if (change.done) return { ...(change.before ?? deployment), deletedAt };
  const { current } = change;
  if (current?.deletedAt === undefined) throw unmatched(current, ifMatch) ?? conflict();
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
