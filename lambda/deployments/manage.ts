import { ApiError } from '../contract/errors.ts';
import { type Deployment, liveVersion, type Version } from './deployment.ts';
import type { IfMatch } from './deployment-store.ts';
import { type PublishPorts, publish, refusal } from './publish.ts';

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
  ports: PublishPorts,
): Promise<Deployment> {
  requireLive(deployment);
  requireVersion(deployment, version);
  const change = await ports.deployments.rollBack(deployment.id, version, ifMatch, ports.clock());
  if (!change.done) {
    if (change.current) requireLive(change.current);
    if (change.current && !change.current.takenDown) requireVersion(change.current, version);
    throw refusal(change.current);
  }
  const now = { ...(change.before ?? deployment), live: version };
  await publish(now, ports);
  return now;
}

function requireVersion({ versions }: Deployment, version: string): void {
  if (versions.some((one) => one.version === version)) return;
  const there = versions.map((one) => one.version).join(', ');
  throw new ApiError('not_found', `The deployment has no such version; it has ${there}`);
}

/** Deletes every version. A deployment that was deleted before is left as it is. */
export async function deleteDeployment(
  deployment: Deployment,
  ifMatch: IfMatch,
  ports: PublishPorts,
): Promise<void> {
  if (deployment.deletedAt !== undefined) return;
  const now = ports.clock();
  const change = await ports.deployments.delete(deployment, ifMatch, now);
  if (!change.done) {
    // A deploy came in between: what it made is deleted as well, unless the caller said which version it means.
    if (change.current && ifMatch === undefined) return deleteDeployment(change.current, ifMatch, ports);
    throw refusal(change.current);
  }
  const obsolete = deployment.versions.map(({ version }) => version);
  await publish({ ...deployment, versions: [] }, ports);
  await ports.archives.sweep(deployment.id, { obsolete, kept: [] }, now);
}
