import { ApiError } from '../contract/errors.ts';
import { type Deployment, liveVersion, type Version } from '../sites/deployment.ts';
import { newVersionName } from '../sites/deployment-id.ts';
import { type ChangePorts, clearEdge, overtaken, takenDown, unmatched } from './change.ts';
import type { IfMatch } from './deployment-store.ts';
import { keptVersions } from './retention.ts';

/** The live version. @throws ApiError gone when the deployment is deleted */
export function requireLive(deployment: Deployment): Version {
  const live = liveVersion(deployment);
  if (!live) throw new ApiError('gone', 'The deployment was deleted');
  return live;
}

/**
 * Makes another version the live one, and gives the deployment as it is then.
 * @throws ApiError not_found for a version that is not there, gone, taken_down, precondition_failed
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
    throw overtaken();
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
  const there = keptVersions(deployment).map((one) => one.version);
  if (!there.includes(version))
    throw new ApiError('not_found', `The deployment has no such version; it has ${there.join(', ')}`);
}

/**
 * Deletes every version. Of a deployment that is deleted, it deletes what an attempt before has left.
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

/** The deployment with the versions that it had. */
async function markDeleted(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: ChangePorts,
): Promise<Deployment> {
  const { id } = deployment;
  const { deployments, clock } = ports;
  const deletedAlready = (current: Deployment | undefined) => {
    if (current?.deletedAt === undefined) throw unmatched(current, ifMatch) ?? overtaken();
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
 * An operator's decision about a deployment, with what visitors are told of the reason; `null` lifts it.
 * @returns the deployment before, undefined when there is none
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
