import { unauthorized } from '../access/credential-errors.ts';
import { ApiError } from '../contract/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import type { Deployment } from '../sites/deployment.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { DeploymentStore, IfMatch } from './deployment-store.ts';
import { TOKEN_HEADER } from './owner.ts';

export interface ChangePorts {
  readonly archives: ArchiveStore;
  readonly deployments: DeploymentStore;
  /** Drops everything that the edge holds of a deployment. */
  readonly dropFromEdge: (id: string) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Makes the edge hold nothing of a deployment until an announced change takes place: the site function lets nothing
 * be kept while one is announced. So whenever the change dies, visitors see one version, whole; and once it has taken
 * place, there is nothing left to be dropped.
 * @throws ApiError deployment_backend_unreachable when the edge could not be told; nothing was changed then
 */
export async function clearEdge(
  id: string,
  { dropFromEdge }: Pick<ChangePorts, 'dropFromEdge'>,
): Promise<void> {
  try {
    await dropFromEdge(id);
  } catch (cause) {
    const message =
      'The CDN could not be told of the change; nothing was changed. Try again in a few seconds';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
}

/** Deletes archives that nothing names any more. Nobody is told that a change failed which has taken place. */
export async function tidy(
  id: string,
  versions: readonly string[],
  { archives }: ChangePorts,
): Promise<void> {
  await archives
    .delete(id, versions)
    .catch((error: unknown) => log.error('not tidied', { deployment: id, versions, error }));
}

/** Why a deploy needs the deployment's token; undefined when it has it, or no deploy has sent it yet. */
export function tokenMissing({ tokenRequired }: Deployment, holdsToken: boolean): ApiError | undefined {
  if (!tokenRequired || holdsToken) return undefined;
  return unauthorized(
    `This projectId requires its ${TOKEN_HEADER}, because a deploy has sent it before; nothing was changed`,
  );
}

/** Why nothing may be deployed; undefined when the operator did not take the deployment down. */
export function takenDown({ takenDown: decision }: Deployment): ApiError | undefined {
  if (!decision) return undefined;
  const reason = decision.reason ? `: ${decision.reason}` : '';
  return new ApiError('taken_down', `The operator took this deployment down${reason}`);
}

/** Why `If-Match` does not hold; undefined when it does, or there is none. */
export function unmatched(current: Deployment | undefined, ifMatch: IfMatch): ApiError | undefined {
  if (ifMatch === undefined) return undefined;
  const live = current && current.deletedAt === undefined ? current.live : undefined;
  if (live !== undefined && (ifMatch === '*' || ifMatch.includes(live))) return undefined;
  const now = live === undefined ? 'there is none' : `the live version is "${live}"`;
  return new ApiError('precondition_failed', `If-Match names another version; ${now}. Nothing was changed`);
}

/** A change came in between. The request holds for what is there now, or is refused for a reason the next time. */
export function overtaken(): ApiError {
  return new ApiError('conflict', 'The deployment changed meanwhile: send the request again');
}
