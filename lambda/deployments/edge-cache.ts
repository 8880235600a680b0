import { setTimeout as sleep } from 'node:timers/promises';
import { type CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { nanoid } from 'nanoid';
import { cacheTag } from '../sites/edge.ts';

/** CloudFront limits the number of concurrent invalidations; these errors are worth a retry. */
const BUSY = new Set(['TooManyInvalidationsInProgress', 'ThrottlingException', 'Throttling']);
const PAUSES_MS = [200, 400, 800, 1600];

/**
 * Invalidates everything that the edge has cached for a deployment.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/invalidation-specifying-tags.html
 * @throws the SDK's error; if CloudFront is busy, only after four retries
 */
export async function dropFromEdge(
  id: string,
  distributionId: string,
  client: Pick<CloudFrontClient, 'send'>,
): Promise<void> {
  const command = new CreateInvalidationCommand({
    DistributionId: distributionId,
    InvalidationBatch: {
      // The same for all retries, so that CloudFront does not start a second invalidation.
      CallerReference: nanoid(),
      // An item that starts with # is a cache tag, not a path.
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
