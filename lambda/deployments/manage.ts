import { ApiError } from '../contract/errors.ts';
import { quote } from '../contract/messages.ts';
import { type Deployment, liveVersion, type Version } from '../sites/deployment.ts';
import { newVersionName } from '../sites/deployment-id.ts';
import { type ChangePorts, clearEdge, conflict, takenDown, unmatched } from './change.ts';
import type { IfMatch } from './deployment-store.ts';
import { keptVersions } from './retention.ts';

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
  ports: ChangePorts,
): Promise<Deployment> {
  const { id } = deployment;
  const { deployments, clock } = ports;
  const refuse = (current = deployment): never => {
    requireRollback(current, version, ifMatch);
    throw conflict();
  };
  requireRollback(deployment, version, ifMatch);
  const name = newVersionName();
  const announced = await deployments.announce(id, name, { change: 'rollBack', version, ifMatch }, clock());
  if (!announced.done) return refuse(announced.current);
  await clearEdge(id, ports);
  const change = await deployments.rollBack(id, version, name, ifMatch);
  if (!change.done) return refuse(change.current);
  return { ...(change.before ?? deployment), live: version };
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
 * @throws ApiError precondition_failed
 */
export async function deleteDeployment(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: ChangePorts,
): Promise<void> {
  const { id, versions } = deployment.deletedAt ? deployment : await markDeleted(deployment, ifMatch, ports);
  const names = versions.map(({ version }) => version);
  if (names.length === 0) return;
  await ports.archives.delete(id, names);
  await ports.deployments.forget(id, names);
}

/** Marks a deployment as deleted. @returns the deployment with the versions to delete */
async function markDeleted(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: ChangePorts,
): Promise<Deployment> {
  const { id } = deployment;
  const { deployments, clock } = ports;
  const deletedAlready = (current: Deployment | undefined) => {
    if (current?.deletedAt === undefined) throw unmatched(current, ifMatch) ?? conflict();
    return current;
  };
  const name = newVersionName();
  const announced = await deployments.announce(id, name, { change: 'delete', ifMatch }, clock());
  if (!announced.done) return deletedAlready(announced.current);
  await clearEdge(id, ports);
  const change = await deployments.delete(id, name, ifMatch, clock());
  return change.done ? (change.before ?? deployment) : deletedAlready(change.current);
}

/**
 * Takes a deployment down, with the reason that visitors see; `null` undoes that.
 * @returns the deployment before the change, or undefined if there is none
 */
export async function decideTakeDown(
  id: string,
  decision: Deployment['takenDown'] | null,
  ports: Omit<ChangePorts, 'archives'>,
): Promise<Deployment | undefined> {
  const name = newVersionName();
  const announced = await ports.deployments.announce(id, name, { change: 'takeDown' }, ports.clock());
  if (!announced.done) return undefined;
  await clearEdge(id, ports);
  await ports.deployments.takeDown(id, decision, name);
  return announced.before;
}
