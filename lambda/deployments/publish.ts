import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { ArchiveStore } from './archives.ts';
import { type Deployment, obsoleteVersions } from './deployment.ts';
import type { DeploymentStore } from './deployment-store.ts';

export interface PublishPorts {
  readonly archives: ArchiveStore;
  readonly deployments: DeploymentStore;
  /** Drops everything that the edge holds of a deployment. */
  readonly dropFromEdge: (id: string) => Promise<void>;
  readonly clock: Clock;
}

/**
 * What follows once the pointer of a deployment has moved: the edge drops what it holds, and versions beyond those
 * that stay are deleted. If this is cut short, the site function drops from the edge what is stale, and the next
 * deploy deletes.
 * @throws ApiError deployment_backend_unreachable when the edge could not be told
 */
export async function publish(deployment: Deployment, ports: PublishPorts): Promise<void> {
  try {
    await ports.dropFromEdge(deployment.id);
  } catch (cause) {
    const message =
      'The change is stored, but the CDN could not be told to drop what it holds: it may take some minutes to be seen, or send the request again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
  // Housekeeping: nobody is told that a deploy failed which has taken place.
  await tidy(deployment, ports).catch((error: unknown) =>
    log.error('not tidied', { deployment: deployment.id, error }),
  );
}

async function tidy(deployment: Deployment, { archives, deployments, clock }: PublishPorts): Promise<void> {
  const { done } = await deployments.settle(deployment);
  const obsolete = obsoleteVersions(deployment);
  // Moved on by somebody else, who sees to it.
  if (!done || obsolete.length === 0) return;
  const kept = deployment.versions.map(({ version }) => version).filter((one) => !obsolete.includes(one));
  await archives.sweep(deployment.id, { obsolete, kept }, clock());
}

/** Why a deployment is left as it is. */
export function refusal(current: Deployment | undefined): ApiError {
  if (current?.takenDown) {
    const reason = current.takenDown.reason ? `: ${current.takenDown.reason}` : '';
    return new ApiError('taken_down', `The operator took this deployment down${reason}`);
  }
  const now =
    current && current.deletedAt === undefined ? `the live version is "${current.live}"` : 'there is none';
  return new ApiError('precondition_failed', `If-Match names another version; ${now}. Nothing was changed`);
}
