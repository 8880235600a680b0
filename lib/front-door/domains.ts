import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnConnectionGroup, type CfnDistribution, type Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { AaaaRecord, ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { TENANT_PARAMETER } from '../../lambda/sites/edge.ts';
import { type StageConfig, zoneOf } from '../config.ts';

/** The domains of a stage in its configuration. */
type Names = Pick<StageConfig, 'domainName' | 'certificateArn' | 'siteDomain' | 'siteCertificateArn' | 'hostedZones'>;

/** The certificates of the distributions that have a domain. */
export interface Certificates {
  readonly service?: ICertificate;
  readonly sites?: ICertificate;
}

/** Reports whether the stage creates certificates, which CloudFront requires in us-east-1. */
export function makesCertificates(config: Names): boolean {
  const { domainName, certificateArn, siteDomain, siteCertificateArn, hostedZones } = config;
  const isMade = (name: string | undefined, arn: string | undefined) =>
    name !== undefined && arn === undefined && zoneOf(name, hostedZones) !== undefined;
  return isMade(domainName, certificateArn) || isMade(siteDomain, siteCertificateArn);
}

/**
 * Returns the certificates of a stage: the configured ones, or new ones, which ACM validates with records in the hosted zones and
 * renews as long as the records exist.
 */
export function certificatesOf(scope: Construct, config: Names): Certificates {
  const { domainName, certificateArn, siteDomain, siteCertificateArn, hostedZones } = config;
  const certificate = (
    id: string,
    name: string | undefined,
    arn: string | undefined,
    covered = name,
  ): ICertificate | undefined => {
    if (name === undefined) return undefined;
    if (arn !== undefined) return Certificate.fromCertificateArn(scope, `Certificate${covered}`, arn);
    const zone = hostedZone(scope, name, hostedZones);
    if (!zone) return undefined;
    const validation = CertificateValidation.fromDns(zone);
    // The id must not contain the asterisk of `covered`: the CDK writes the construct's path into a tag, which does not allow it.
    return new Certificate(scope, id, { domainName: String(covered), validation });
  };
  const service = certificate('ServiceCertificate', domainName, certificateArn);
  const sites = certificate('SitesCertificate', siteDomain, siteCertificateArn, `*.${siteDomain}`);
  return { ...(service && { service }), ...(sites && { sites }) };
}

/** The DNS records that point to the distributions: created in the hosted zones, or outputs with the records to create. */
export class Dns extends Construct {
  readonly #zones: StageConfig['hostedZones'];

  constructor(scope: Construct, id: string, zones: StageConfig['hostedZones']) {
    super(scope, id);
    this.#zones = zones;
  }

  /** @param output the name of the output that contains the record if no zone matches */
  lead(name: string, distribution: Distribution, output: string): void {
    const zone = hostedZone(this, name.replace(/^\*\./, ''), this.#zones);
    if (!zone) {
      new CfnOutput(Stack.of(this), output, {
        value: `${name} CNAME ${distribution.distributionDomainName}`,
        description: 'The DNS record to create; at the apex of a zone, an alias (ALIAS, ANAME) instead of CNAME',
      });
      return;
    }
    const record = {
      zone,
      // The trailing dot prevents the CDK from appending the name of the zone.
      recordName: `${name}.`,
      // `CloudFrontTarget` would add a mapping of all partitions, although the stack supports only one.
      target: RecordTarget.fromAlias({
        bind: () => ({
          hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID,
          dnsName: distribution.distributionDomainName,
        }),
      }),
    };
    new ARecord(this, `${output} A`, record);
    new AaaaRecord(this, `${output} AAAA`, record);
  }
}

/** Returns the zone that contains a domain name, without a lookup. */
function hostedZone(scope: Construct, name: string, zones: StageConfig['hostedZones']): IHostedZone | undefined {
  const zone = zoneOf(name, zones);
  if (!zone) return undefined;
  const id = `Zone ${zone.name}`;
  const known = scope.node.tryFindChild(id) as IHostedZone | undefined;
  const attributes = { hostedZoneId: zone.id, zoneName: zone.name };
  return known ?? HostedZone.fromHostedZoneAttributes(scope, id, attributes);
}

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
  for (const property of ['IPV6Enabled', 'PriceClass']) distribution.addPropertyDeletionOverride(config(property));
}
