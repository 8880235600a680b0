import { setTimeout as sleep } from 'node:timers/promises';
import { type CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { nanoid } from 'nanoid';
import { cacheTag } from '../sites/edge.ts';

/** CloudFront runs a limited number of invalidations at a time, and has room again in a moment. */
const BUSY = new Set(['TooManyInvalidationsInProgress', 'ThrottlingException', 'Throttling']);
const PAUSES_MS = [200, 400, 800, 1600];

/**
 * Drops everything that the edge holds of a deployment, whatever its path.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
 * @throws the SDK's error once it was told to wait four times
 */
export async function dropFromEdge(
  id: string,
  distributionId: string,
  client: Pick<CloudFrontClient, 'send'>,
): Promise<void> {
  const command = new CreateInvalidationCommand({
    DistributionId: distributionId,
    InvalidationBatch: {
      // One and the same for every attempt: CloudFront does not begin a second invalidation for it.
      CallerReference: nanoid(),
      // Among the paths of an invalidation, an item that starts with # is a cache tag.
      Paths: { Quantity: 1, Items: [`#${cacheTag(id)}`] },
    },
  });
  for (const pause of PAUSES_MS) {
    try {
      await client.send(command);
      return;
    } catch (error) {
      if (!BUSY.has((error as Error).name)) throw error;
      await sleep(pause * (0.5 + Math.random()));
    }
  }
  await client.send(command);
}
