import { ApiError } from '../contract/errors.ts';
import { type ChangePorts, clearEdge, overtaken, takenDown, unmatched } from './change.ts';
import { type Deployment, keptVersions, liveVersion, type Version } from './deployment.ts';
import { newVersionName } from './deployment-id.ts';
import type { IfMatch } from './deployment-store.ts';

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
  { id }: Deployment,
  version: string,
  ifMatch: IfMatch,
  ports: ChangePorts,
): Promise<Deployment> {
  const { name, before } = await announce(id, ports);
  requireRollback(before, version, ifMatch);
  await clearEdge(id, ports);
  const change = await ports.deployments.rollBack(id, version, name, ifMatch);
  if (change.done) return { ...(change.before ?? before), live: version };
  requireRollback(change.current ?? before, version, ifMatch);
  throw overtaken();
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
  { id, deletedAt, versions }: Deployment,
  ifMatch: IfMatch,
  ports: ChangePorts,
): Promise<void> {
  let left = versions;
  if (deletedAt === undefined) {
    const { name, before } = await announce(id, ports);
    const refused = unmatched(before, ifMatch);
    if (refused) throw refused;
    await clearEdge(id, ports);
    const change = await ports.deployments.delete(id, name, ifMatch, ports.clock());
    if (!change.done && change.current?.deletedAt === undefined)
      throw unmatched(change.current, ifMatch) ?? overtaken();
    left = (change.done ? change.before : change.current)?.versions ?? [];
  }
  const names = left.map(({ version }) => version);
  if (names.length === 0) return;
  await ports.archives.delete(id, names);
  await ports.deployments.forget(id, names);
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
  const before = await ports.deployments.announce(id, name, ports.clock());
  if (!before) return undefined;
  await clearEdge(id, ports);
  await ports.deployments.takeDown(id, decision, name);
  return before;
}

async function announce(
  id: string,
  { deployments, clock }: Pick<ChangePorts, 'deployments' | 'clock'>,
): Promise<{ name: string; before: Deployment }> {
  const name = newVersionName();
  const before = await deployments.announce(id, name, clock());
  if (!before) throw new ApiError('not_found', 'There is no such deployment');
  return { name, before };
}
