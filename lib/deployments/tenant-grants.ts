import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Aws } from 'aws-cdk-lib/core';

/** The ARNs of all tenants: their ids are not known before. */
export function tenantsArn(): string {
  return `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution-tenant/*`;
}

/**
 * What the function needs. AWS offers no resource for `CreateDistributionTenant` and `acm:RequestCertificate`. Tenants that do not exist
 * have no tags, so that reads are not limited by them.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudfront.html
 */
export function tenantStatements(stackName: string): PolicyStatement[] {
  const ofStack = { StringEquals: { 'aws:ResourceTag/stack': stackName } };
  const requestTag = { StringEquals: { 'aws:RequestTag/stack': stackName } };
  const calledByCloudFront = { StringEquals: { 'aws:CalledViaLast': 'cloudfront.amazonaws.com' } };
  const statement = (actions: string[], resource: string, conditions = {}) =>
    new PolicyStatement({ actions, resources: [resource], conditions });
  return [
    statement(['cloudfront:CreateDistributionTenant'], '*', requestTag),
    statement(['cloudfront:TagResource'], tenantsArn(), requestTag),
    statement(
      ['cloudfront:UpdateDistributionTenant', 'cloudfront:DeleteDistributionTenant'],
      tenantsArn(),
      ofStack,
    ),
    statement(
      [
        'cloudfront:GetDistributionTenant',
        'cloudfront:GetManagedCertificateDetails',
        'cloudfront:VerifyDnsConfiguration',
      ],
      tenantsArn(),
    ),
    // On behalf of the function, CloudFront requests the certificate, and reads it. Its certificates are in us-east-1.
    statement(['acm:RequestCertificate'], '*', calledByCloudFront),
    statement(
      ['acm:DescribeCertificate'],
      `arn:${Aws.PARTITION}:acm:us-east-1:${Aws.ACCOUNT_ID}:certificate/*`,
    ),
  ];
}
