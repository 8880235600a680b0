import {
  type CloudFrontClient,
  CreateInvalidationCommand,
  CreateInvalidationForDistributionTenantCommand,
  type InvalidationBatch,
  waitUntilInvalidationCompleted,
  waitUntilInvalidationForDistributionTenantCompleted,
} from '@aws-sdk/client-cloudfront';
import { cacheTag } from '../../sites/edge.ts';

/** Within it, CloudFront completes nearly all invalidations by tag; 95 % take less than 25 s. */
export const DROPPED_WITHIN_SECONDS = 60;

/** Without an invalidation, the edge serves a copy for at most a day: neither hashed names nor `edgeSeconds` allow more. */
export const KEPT_AT_EDGE_MS = 86_400_000;

/**
 * Returns until when, in Unix milliseconds, copies of a deployment may be seen that is invalidated at a time: until its
 * invalidation has completed, and until no function instance remembers its pointer.
 */
export function copiesUntil(withdrawnAt: number, edgeSeconds: number): number {
  return withdrawnAt + Math.max(DROPPED_WITHIN_SECONDS, edgeSeconds) * 1_000;
}

/** The caches that may have copies of a deployment: those of a distribution, and of each tenant that serves it. */
export interface EdgeCaches {
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
