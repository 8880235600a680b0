import {
  type CloudFrontClient,
  CreateInvalidationCommand,
  waitUntilInvalidationCompleted,
} from '@aws-sdk/client-cloudfront';
import { cacheTag } from '../sites/edge.ts';

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
  distributionId: string,
  client: CloudFrontClient,
): Promise<void> {
  // An item that starts with # is a cache tag, not a path.
  const tags = [ids].flat().map((id) => `#${cacheTag(id)}`);
  const { Invalidation } = await client.send(
    new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: {
        CallerReference: reference,
        Paths: { Quantity: tags.length, Items: tags },
      },
    }),
  );
  await waitUntilInvalidationCompleted(
    { client, maxWaitTime: DROPPED_WITHIN_SECONDS, minDelay: 1, maxDelay: 4 },
    { DistributionId: distributionId, Id: Invalidation?.Id },
  );
}
