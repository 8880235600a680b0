import {
  type CloudFrontClient,
  CreateInvalidationCommand,
  CreateInvalidationForDistributionTenantCommand,
  type InvalidationBatch,
  waitUntilInvalidationCompleted,
  waitUntilInvalidationForDistributionTenantCompleted,
} from '@aws-sdk/client-cloudfront';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { Table, unlessConditionFails } from '../../platform/dynamodb.ts';
import { ItemUpdate } from '../../platform/item-update.ts';
import { emitMetrics } from '../../platform/log.ts';
import { cacheTag } from '../../sites/edge.ts';
import { tenantsOf } from '../../stored/custom-domain.ts';
import type { Deployment } from '../../stored/deployment.ts';
import { ANONYMOUS } from '../../stored/deployment-owner.ts';
import type { PointerStore } from '../../stored/pointer-store.ts';
import type { SettingsChange } from '../../stored/pointer-update.ts';

export interface EdgeCopiesOptions {
  readonly pointers: Pick<PointerStore, 'noteWithdrawal'>;
  /** How long the edge may serve a page without revalidation. */
  readonly edgeSeconds: number;
  readonly invalidations: Pick<InvalidationBudget, 'take'>;
  /** Starts to remove a deployment's copies from the edge, and does not wait until they are gone. */
  readonly withdraw: (id: string, at: number, tenants: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

/** The copies of deployments that the edge may serve: decides which must be removed, and has them removed. */
export class EdgeCopies {
  readonly #options: EdgeCopiesOptions;

  constructor(options: EdgeCopiesOptions) {
    this.#options = options;
  }

  /**
   * Removes the copies of a deleted deployment if there may be any, unless the month's invalidations are used up.
   * @param deployer the address that asks for the change of a page without an owner, as `anonymousDeployer` returns it
   * @returns until when copies may exist, in Unix milliseconds
   */
  async withdrawDeleted(
    deployment: Deployment & { readonly deletedAt: number },
    deployer: string | undefined,
  ): Promise<number> {
    const { edgeSeconds, withdraw } = this.#options;
    const { id, deletedAt, expired, access, withdrawal } = deployment;
    if (deployment.copiesUntil !== undefined) return deployment.copiesUntil;
    // The edge keeps copies until the end of a life at most, and none of private pages.
    if (expired || access) return Math.max(deletedAt, withdrawal?.until ?? 0);
    if (!this.#servesWithoutAsking(deployment)) return deletedAt;
    if (!(await this.#takeInvalidations(deployment, false, deployer)).taken) return deletedAt + KEPT_AT_EDGE_MS;
    await withdraw(id, deletedAt, tenantsOf(deployment));
    return copiesUntil(deletedAt, edgeSeconds);
  }

  /**
   * Adds to a change of settings the withdrawal of the copies that it ends: all of a page that becomes private, which the
   * edge would show for a week while the site function fails, and those that outlast a shorter life. A deleted page that
   * is deployed again as a private one has copies as well; an expired one has none. While a withdrawal is running,
   * shorter lives start no other one: copies made since then expire within a day.
   * @param deployer the address that asks for the change of a page without an owner, as `anonymousDeployer` returns it
   * @throws ApiError unavailable if a page cannot become private, because the month's invalidations are used up
   */
  async planWithdrawal(
    before: Deployment,
    change: SettingsChange,
    deployer: string | undefined,
  ): Promise<SettingsChange> {
    if (before.expired) return change;
    const isPrivate = Boolean(change.access);
    const staysPrivate = isPrivate && before.access !== undefined;
    const becomesPrivate = isPrivate && !staysPrivate;
    if (!becomesPrivate && (!this.#outlastsLife(before, change) || this.#isWithdrawing(before)))
      return { ...change, staysPrivate };
    const { taken, now } = await this.#takeInvalidations(before, becomesPrivate, deployer);
    if (taken) return { ...change, staysPrivate, withdrawnAt: now };
    if (!becomesPrivate) return { ...change, staysPrivate };
    throw new ApiError(
      'unavailable',
      'The page stays public: its copies at the edge cannot be removed, because the removals of this month are used up. Deploy the files as a new private deployment, which has no copies. Nothing was changed',
    );
  }

  /**
   * Adds to a change of a deployment, whose page becomes held, the withdrawal of the copies that the edge would serve
   * without revalidation. If the month's invalidations are used up, copies made before the change expire within a day.
   */
  async planHeldWithdrawal(before: Deployment, change: SettingsChange): Promise<SettingsChange> {
    if (change.withdrawnAt !== undefined || before.access || !this.#servesWithoutAsking(before)) return change;
    const { taken, now } = await this.#takeInvalidations(before, true, undefined);
    return taken ? { ...change, withdrawnAt: now } : change;
  }

  /**
   * Starts the withdrawal that a change of settings requires, and returns the deployment with the time when it is done.
   * @throws ApiError deployment_backend_unreachable if it cannot be started: the next change of settings starts it
   */
  async finishWithdrawal(deployment: Deployment): Promise<Deployment> {
    const { pointers, withdraw, edgeSeconds } = this.#options;
    const { id, withdrawal } = deployment;
    if (!withdrawal || withdrawal.until !== undefined) return deployment;
    const { at } = withdrawal;
    const until = copiesUntil(at, edgeSeconds);
    try {
      await withdraw(id, at, tenantsOf(deployment));
      await pointers.noteWithdrawal(id, at, until);
    } catch (cause) {
      const message =
        'The deployment has changed, but copies at the edge are left that are from before: send the request again';
      throw new ApiError('deployment_backend_unreachable', message, {
        cause,
        headers: { 'Retry-After': '2' },
      });
    }
    return { ...deployment, withdrawal: { at, until } };
  }

  /** Takes an invalidation for the distribution and one for each tenant that serves the deployment. */
  async #takeInvalidations(
    deployment: Deployment,
    isUrgent: boolean,
    deployer: string | undefined,
  ): Promise<{ readonly taken: boolean; readonly now: number }> {
    const { invalidations, clock } = this.#options;
    const now = clock();
    const count = 1 + tenantsOf(deployment).length;
    return { taken: await invalidations.take(now, { owner: deployment.owner, deployer, count, isUrgent }), now };
  }

  #isWithdrawing({ withdrawal }: Deployment): boolean {
    return withdrawal !== undefined && (withdrawal.until ?? Number.POSITIVE_INFINITY) > this.#options.clock();
  }

  /** Reports if the edge may serve copies without revalidation. It keeps copies of other files too, but revalidates them. */
  #servesWithoutAsking({ hashedNames }: Deployment): boolean {
    return hashedNames !== false || this.#options.edgeSeconds > 0;
  }

  /** Reports if the edge may serve copies without revalidation after the end that a change sets. */
  #outlastsLife(before: Deployment, { life }: SettingsChange): boolean {
    if (!life || before.deletedAt !== undefined) return false;
    return life.endsAt < (before.endsAt ?? Number.POSITIVE_INFINITY) && this.#servesWithoutAsking(before);
  }
}

/** After the month that an item counts, in seconds. */
const KEPT_SECONDS = 62 * 86_400;

const HAS_ROOM = '(attribute_not_exists(%) OR % <= ?)';

export interface NeededInvalidations {
  /** The owner of the deployment. */
  readonly owner: string;
  /** Who asks for a change of a deployment without an owner, from `anonymousDeployer`; undefined if the gate or the operator does. */
  readonly deployer: string | undefined;
  /** Each cache tag of each distribution and tenant is one. */
  readonly count: number;
  /** Whether the copies show a page that has become private or held. */
  readonly isUrgent: boolean;
}

/**
 * The invalidations that changes of deployments may make in a calendar month, in UTC. AWS charges for each beyond 1,000 a
 * month in an account, and anybody can create, change and delete deployments: those without an owner share a tenth, so
 * that they take none from keys, and one address takes at most a fifth of it. The last quarter of either share is for pages that become private or held.
 * https://aws.amazon.com/cloudfront/pricing/
 */
export class InvalidationBudget {
  readonly #table: Table;
  readonly #limit: number;
  /** The months and bounds of which this instance knows that nothing is left. */
  readonly #spent = new Set<string>();

  /** @param table of deployments, whose ids have no colon */
  constructor(db: DynamoDBDocumentClient, table: string, limit: number) {
    this.#table = new Table(db, table);
    this.#limit = limit;
  }

  /** Takes invalidations with one write. @param now in Unix milliseconds @returns whether as many were left */
  async take(now: number, { owner, deployer, count, isUrgent }: NeededInvalidations): Promise<boolean> {
    const month = new Date(now).toISOString().slice(0, 7);
    const anonymous = Math.ceil(this.#limit / 10);
    const [made, share] = owner === ANONYMOUS ? ['anonymous', anonymous] : ['made', this.#limit - anonymous];
    const most = isUrgent ? share : share - Math.floor(share / 4);
    const own = owner === ANONYMOUS ? deployer : undefined;
    const bound = `${month}/${made}/${most}/${own ?? ''}`;
    if (this.#spent.has(bound) || most < count) return false;
    const update = new ItemUpdate()
      .set('expiresAt', Math.floor(now / 1_000) + KEPT_SECONDS)
      .add(made, count)
      .require(made, HAS_ROOM, most - count);
    if (own) update.add(`from:${own}`, count).require(`from:${own}`, HAS_ROOM, Math.ceil(share / 5) - count);
    const taken = await unlessConditionFails(
      this.#table.update({ id: `invalidations:${month}` }, { ...update.input, ReturnValues: 'UPDATED_NEW' }),
    );
    if (taken === undefined && count === 1) this.#spent.add(bound);
    const used = Number(taken?.[made] ?? most);
    emitMetrics('Percent', { InvalidationsUsed: (100 * used) / share });
    return taken !== undefined;
  }
}

/** Within it, CloudFront completes nearly all invalidations by tag; 95 % take less than 25 s. */
const DROPPED_WITHIN_SECONDS = 60;

/** Without an invalidation, the edge serves a copy for at most a day: neither hashed names nor `edgeSeconds` allow more. */
const KEPT_AT_EDGE_MS = 86_400_000;

/**
 * Returns until when, in Unix milliseconds, copies of a deployment may be seen that is invalidated at a time: until its
 * invalidation has completed, and until no function instance remembers its pointer.
 */
export function copiesUntil(withdrawnAt: number, edgeSeconds: number): number {
  return withdrawnAt + Math.max(DROPPED_WITHIN_SECONDS, edgeSeconds) * 1_000;
}

/** The caches that may have copies of a deployment: those of a distribution, and of each tenant that serves it. */
interface EdgeCaches {
  readonly distributionId: string;
  readonly tenants: readonly string[];
}

/**
 * Deployments of one invalidation. A distribution has at most 3,000 items in progress, those of deletions among them.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/InvalidationLimits.html
 */
export const DROPPED_TOGETHER = 500;

/**
 * Removes everything that the edge has cached for deployments, and waits until no edge has a copy.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
 * @param ids one, or at most DROPPED_TOGETHER
 * @param reference CloudFront starts only one invalidation per reference, so a retry waits for that of the first try
 * @throws the SDK's error, or a TimeoutError after DROPPED_WITHIN_SECONDS; in either case it is safe to call again
 */
export async function dropFromEdge(
  ids: string | readonly string[],
  reference: string,
  { distributionId, tenants }: EdgeCaches,
  client: CloudFrontClient,
): Promise<void> {
  // An item that starts with # is a cache tag, not a path.
  const tags = [ids].flat().map((id) => `#${cacheTag(id)}`);
  const batch: InvalidationBatch = {
    CallerReference: reference,
    Paths: { Quantity: tags.length, Items: tags },
  };
  const waiting = { client, maxWaitTime: DROPPED_WITHIN_SECONDS, minDelay: 1, maxDelay: 4 };
  const ofDistribution = async () => {
    const created = await client.send(
      new CreateInvalidationCommand({ DistributionId: distributionId, InvalidationBatch: batch }),
    );
    await waitUntilInvalidationCompleted(waiting, {
      DistributionId: distributionId,
      Id: created.Invalidation?.Id,
    });
  };
  const ofTenant = async (tenant: string) => {
    const created = await client.send(
      new CreateInvalidationForDistributionTenantCommand({ Id: tenant, InvalidationBatch: batch }),
    );
    await waitUntilInvalidationForDistributionTenantCompleted(waiting, {
      DistributionTenantId: tenant,
      Id: created.Invalidation?.Id,
    });
  };
  await Promise.all([ofDistribution(), ...tenants.map((tenant) => ofTenant(tenant).catch(unlessGone))]);
}

/** A tenant that was deleted serves nothing. */
function unlessGone(error: Error): void {
  if (error.name !== 'EntityNotFound') throw error;
}

/** The removal of a deleted deployment from the edge: the input of the state machine. */
export interface Withdrawal {
  readonly id: string;
  /** Unix milliseconds. */
  readonly deletedAt: number;
  /** The distribution tenants that serve it, whose caches are their own. */
  readonly tenants?: readonly string[];
}

/** Names an execution and its invalidation, so that neither is started twice for one deletion. */
export function withdrawalName({ id, deletedAt }: Withdrawal): string {
  return `${id}-${deletedAt}`;
}
