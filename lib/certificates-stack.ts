import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { type Certificates, certificatesOf } from './front-door/dns.ts';

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
