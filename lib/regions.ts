import { Stack } from 'aws-cdk-lib/core';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { type Certificates, certificatesOf } from './front-door/domains.ts';

/** The region in which CloudFront requires certificates. */
export const CERTIFICATES_REGION = 'us-east-1';

/** The certificates of a stage whose stack is not in the region that CloudFront requires. */
export class CertificatesStack extends Stack {
  readonly certificates: Certificates;

  constructor(scope: Construct, id: string, account: string | undefined, config: StageConfig) {
    super(scope, id, {
      env: { region: CERTIFICATES_REGION, ...(account !== undefined && { account }) },
      crossRegionReferences: true,
      description: 'Certificates of prompt-to-project',
    });
    this.certificates = certificatesOf(this, config);
  }
}

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
