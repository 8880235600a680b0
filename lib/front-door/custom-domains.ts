import { CfnConnectionGroup, type CfnDistribution, type Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { TENANT_PARAMETER } from '../../lambda/sites/edge.ts';

/** The path at the origin of the pages of a tenant. */
export const TENANT_ORIGIN_PATH = `/own/{{${TENANT_PARAMETER}}}`;

/**
 * The distribution whose tenants are the custom domains of deployments, and the connection group that their DNS records point to. The
 * API creates the tenants. A connection group of the stack keeps its routing endpoint while tenants come and go; the account has one
 * by default, but others may use that too.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/distribution-config-options.html
 */
export class CustomDomains extends Construct {
  readonly distribution: Distribution;
  readonly connectionGroupId: string;
  /** The domain name to point to. */
  readonly routingEndpoint: string;

  constructor(scope: Construct, id: string, distribution: Distribution) {
    super(scope, id);
    this.distribution = distribution;
    const { stackName, region } = Stack.of(this);
    const group = new CfnConnectionGroup(this, 'ConnectionGroup', {
      // Names are unique per account.
      name: `${stackName}-domains-${region}`,
      enabled: true,
      ipv6Enabled: true,
    });
    this.connectionGroupId = group.attrId;
    this.routingEndpoint = group.attrRoutingEndpoint;
    serveTenants(distribution.node.defaultChild as CfnDistribution);
  }
}

/**
 * Makes a distribution one for tenants only, which the L2 construct has no properties for. Its connection group decides about IPv6.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/distribution-config-options.html#unsupported-saas
 */
function serveTenants(distribution: CfnDistribution): void {
  const config = (property: string) => `DistributionConfig.${property}`;
  distribution.addPropertyOverride(config('ConnectionMode'), 'tenant-only');
  distribution.addPropertyOverride(config('TenantConfig'), {
    ParameterDefinitions: [
      {
        Name: TENANT_PARAMETER,
        Definition: { StringSchema: { Required: true, Comment: 'Id of the deployment' } },
      },
    ],
  });
  for (const property of ['IPV6Enabled', 'PriceClass'])
    distribution.addPropertyDeletionOverride(config(property));
}
