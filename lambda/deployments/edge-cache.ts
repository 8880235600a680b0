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
 * Removes everything that the edge has cached for a deployment, and waits until no edge has a copy.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
 * @param reference CloudFront starts only one invalidation per reference, so a retry waits for that of the first try
 * @throws the SDK's error, or a TimeoutError after DROPPED_WITHIN_SECONDS; in either case it is safe to call again
 */
export async function dropFromEdge(
  id: string,
  reference: string,
  distributionId: string,
  client: CloudFrontClient,
): Promise<void> {
  const { Invalidation } = await client.send(
    new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: {
        CallerReference: reference,
        // An item that starts with # is a cache tag, not a path.
        Paths: { Quantity: 1, Items: [`#${cacheTag(id)}`] },
      },
    }),
  );
  await waitUntilInvalidationCompleted(
    { client, maxWaitTime: DROPPED_WITHIN_SECONDS, minDelay: 1, maxDelay: 4 },
    { DistributionId: distributionId, Id: Invalidation?.Id },
  );
}
