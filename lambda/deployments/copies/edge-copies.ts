import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { tenantsOf } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import type { SettingsChange } from '../settings/settings-update.ts';
import type { DeploymentStore } from '../store/deployment-store.ts';
import { copiesUntil as invalidatedBy, KEPT_AT_EDGE_MS } from './edge-cache.ts';
import type { InvalidationBudget } from './invalidation-budget.ts';

export interface EdgeCopiesPorts {
  readonly deployments: Pick<DeploymentStore, 'noteWithdrawal'>;
  /** How long the edge may serve a page without asking. */
  readonly edgeSeconds: number;
  readonly invalidations: Pick<InvalidationBudget, 'take'>;
  /** Starts to remove a deployment's copies from the edge, and does not wait until they are gone. */
  readonly withdraw: (id: string, at: number, tenants: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

/** Whether the edge may serve files of a deployment without asking. Of other files it has copies too, but asks before it serves them. */
const servesWithoutAsking = ({ hashedNames }: Deployment, edgeSeconds: number) =>
  hashedNames !== false || edgeSeconds > 0;

/**
 * Has the edge drop its copies of a deleted deployment if it may have any, unless the month's invalidations are used up.
 * @returns until when it may have copies, in Unix milliseconds
 */
export async function withdrawDeleted(
  deployment: Deployment & { readonly deletedAt: number },
  { edgeSeconds, invalidations, withdraw, clock }: EdgeCopiesPorts,
): Promise<number> {
  const { id, deletedAt, copiesUntil, expired, access, withdrawal } = deployment;
  if (copiesUntil !== undefined) return copiesUntil;
  // The edge keeps copies until the end of a life at most, and none of private pages.
  if (expired || access) return Math.max(deletedAt, withdrawal?.until ?? 0);
  if (!servesWithoutAsking(deployment, edgeSeconds)) return deletedAt;
  const tenants = tenantsOf(deployment);
  if (!(await invalidations.take(clock(), 1 + tenants.length))) return deletedAt + KEPT_AT_EDGE_MS;
  await withdraw(id, deletedAt, tenants);
  return invalidatedBy(deletedAt, edgeSeconds);
}

/**
 * Returns a change of settings with the withdrawal of the copies that it ends: all of a page that becomes private, which the edge
 * would show for a week while the site function fails, and those that outlast a shorter life. A deleted page that is deployed again
 * as a private one has copies as well; an expired one has none.
 * @throws ApiError unavailable if a page cannot become private, because the month's invalidations are used up
 */
export async function withWithdrawal(
  before: Deployment,
  change: SettingsChange,
  { edgeSeconds, invalidations, clock }: Pick<EdgeCopiesPorts, 'edgeSeconds' | 'invalidations' | 'clock'>,
): Promise<SettingsChange> {
  if (before.expired) return change;
  const isPrivate = Boolean(change.access);
  const staysPrivate = isPrivate && before.access !== undefined;
  const becomesPrivate = isPrivate && !staysPrivate;
  if (!becomesPrivate && !outlastsLife(before, change, edgeSeconds)) return { ...change, staysPrivate };
  const now = clock();
  const taken = await invalidations.take(now, 1 + tenantsOf(before).length);
  if (taken) return { ...change, staysPrivate, withdrawnAt: now };
  if (!becomesPrivate) return { ...change, staysPrivate };
  throw new ApiError(
    'unavailable',
    'The page stays public: its copies at the edge cannot be removed, because the removals of this month are used up. Deploy the files as a new private deployment, which has no copies. Nothing was changed',
  );
}

/** Reports whether the edge may serve copies without revalidation after the end that a change sets. */
function outlastsLife(before: Deployment, { life }: SettingsChange, edgeSeconds: number): boolean {
  if (!life || before.deletedAt !== undefined) return false;
  return (
    life.endsAt < (before.endsAt ?? Number.POSITIVE_INFINITY) && servesWithoutAsking(before, edgeSeconds)
  );
}

/**
 * Returns a change of a deployment with the withdrawal of the copies that the edge would serve without asking, now that the page is held.
 * Once the month's invalidations are used up, they stay until they end, within a day: they are from before, when the page was not held.
 */
export async function withHeldWithdrawal(
  before: Deployment,
  change: SettingsChange,
  { edgeSeconds, invalidations, clock }: Pick<EdgeCopiesPorts, 'edgeSeconds' | 'invalidations' | 'clock'>,
): Promise<SettingsChange> {
  if (change.withdrawnAt !== undefined || before.access || !servesWithoutAsking(before, edgeSeconds))
    return change;
  const now = clock();
  const taken = await invalidations.take(now, 1 + tenantsOf(before).length);
  return taken ? { ...change, withdrawnAt: now } : change;
}

/**
 * Starts the withdrawal that a change of settings has left to do, and returns the deployment with the time when it is done.
 * @throws ApiError deployment_backend_unreachable if it cannot be started: the next change of settings starts it
 */
export async function finishWithdrawal(deployment: Deployment, ports: EdgeCopiesPorts): Promise<Deployment> {
  const { id, withdrawal } = deployment;
  if (!withdrawal || withdrawal.until !== undefined) return deployment;
  const { at } = withdrawal;
  const until = invalidatedBy(at, ports.edgeSeconds);
  try {
    await ports.withdraw(id, at, tenantsOf(deployment));
    await ports.deployments.noteWithdrawal(id, at, until);
  } catch (cause) {
    const message =
      'The deployment has changed, but copies at the edge are left that are from before: send the request again';
    throw new ApiError('deployment_backend_unreachable', message, { cause, headers: { 'Retry-After': '2' } });
  }
  return { ...deployment, withdrawal: { at, until } };
}
