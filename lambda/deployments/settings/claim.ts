import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { isHeldPage } from '../../stored/held.ts';
import type { GatePort } from '../gate.ts';
import { requireLive } from '../manage.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import { noteHeld } from '../store/held-list.ts';
import { conflictError } from '../store/write-errors.ts';

interface ClaimPorts {
  readonly deployments: DeploymentStore;
  readonly clock: Clock;
  readonly gate?: GatePort | undefined;
}

/**
 * Moves an anonymous deployment to the owner of a key or token, and returns it. A claim that is repeated returns it, too.
 * @param owner the caller's id
 * @throws ApiError gone, forbidden if it belongs to another owner
 */
export async function claimDeployment(
  deployment: Deployment,
  owner: string,
  { deployments, clock, gate }: ClaimPorts,
): Promise<Deployment> {
  requireLive(deployment);
  if (deployment.owner === owner) return deployment;
  const written = await deployments.claim(deployment.id, owner, clock());
  const current = await deployments.find(deployment.id);
  if (!current) throw conflictError();
  if (!written.done) requireLive(current);
  if (current.owner !== owner)
    throw new ApiError('forbidden', 'The deployment was claimed with another credential');
  // Pages of keys may have more points.
  const [was, is] = [isHeldPage(deployment, gate?.bounds), isHeldPage(current, gate?.bounds)];
  if (was && !is) await noteHeld(deployment.id, { was, is }, deployments);
  return current;
}
