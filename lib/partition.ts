import { RegionInfo } from 'aws-cdk-lib/region-info';

/**
 * Checks the region of a deploy, as far as it is known: the invalidation of deployments needs CloudFront's cache tags, which
 * exist in the partition `aws` only.
 * @throws Error that names the partition
 */
export function requirePartition(region: string | undefined): void {
  const partition = region === undefined ? undefined : RegionInfo.get(region).partition;
  if (partition === undefined || partition === 'aws') return;
  throw new Error(
    `${region} is in the partition ${partition}, whose CloudFront has no cache tags: choose a region of the partition aws, such as eu-west-1`,
  );
}
