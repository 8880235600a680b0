import {
  type CloudFrontClient,
  CreateDistributionTenantCommand,
  DeleteDistributionTenantCommand,
  GetManagedCertificateDetailsCommand,
  UpdateDistributionTenantCommand,
  type UpdateDistributionTenantCommandInput,
  VerifyDnsConfigurationCommand,
} from '@aws-sdk/client-cloudfront';
import { log } from '../../platform/log.ts';
import { TENANT_PARAMETER } from '../../sites/edge.ts';
import { findTenant, type Tenant, toTenant } from '../../stored/tenant.ts';

/** The outcome of creating a tenant. */
type Creation = { readonly tenant: Tenant } | { readonly refused: Refusal };

/** DNS does not lead to CloudFront yet, the domain is in use there, or the account has as many tenants as it may. */
export type Refusal = 'not_pointed' | 'taken' | 'full';

/** Whether a certificate can be used: `failed` with CloudFront's status. */
export type Certificate =
  | { readonly state: 'issued'; readonly arn: string }
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly status: string };

/** The tenants of the stage. */
export interface Tenants {
  find(domain: string): Promise<Tenant | undefined>;
  create(domain: string, deployment: string): Promise<Creation>;
  certificate(tenant: Tenant): Promise<Certificate>;
  /** Reports whether the domain points to the connection group. */
  isPointed(tenant: Tenant): Promise<boolean>;
  update(tenant: Tenant, domain: string, change: TenantChange): Promise<void>;
  /** @returns false if it is not disabled everywhere yet */
  delete(tenant: Tenant): Promise<boolean>;
}

interface TenantChange {
  readonly enabled: boolean;
  readonly certificateArn?: string | undefined;
}

interface TenantSettings {
  readonly distributionId: string;
  readonly connectionGroupId: string;
  /** The tag `stack` of its tenants, which the role of the function is limited to. */
  readonly stackName: string;
}

/** CloudFront's status of a certificate that will not be issued any more. */
const FAILED = ['expired', 'failed', 'inactive', 'revoked', 'validation-timed-out'];

const REFUSALS: Readonly<Record<string, Refusal>> = {
  CNAMEAlreadyExists: 'taken',
  EntityAlreadyExists: 'taken',
  EntityLimitExceeded: 'full',
};

/**
 * The message of an InvalidArgument while DNS does not lead to CloudFront, which its reference does not describe: "Could not verify
 * Domain Name ownership. It may not be pointing to a valid CloudFront resource". Others are defects of the request.
 * https://github.com/aws/aws-sdk-php/issues/3129
 */
const NOT_POINTED = /ownership|pointing|\bDNS\b/i;

function refusalOf({ name, message }: Error): Refusal | undefined {
  return name === 'InvalidArgument' && NOT_POINTED.test(message) ? 'not_pointed' : REFUSALS[name];
}

/**
 * Returns the tenants of a multi-tenant distribution. CloudFront requests the certificate of each, and serves its validation.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/managed-cloudfront-certificates.html
 */
export function cloudFrontTenants(client: CloudFrontClient, settings: TenantSettings): Tenants {
  const { distributionId, connectionGroupId, stackName } = settings;
  return {
    find: (domain) => findTenant(domain, distributionId, client),
    async create(domain, deployment) {
      try {
        const created = await client.send(
          new CreateDistributionTenantCommand({
            DistributionId: distributionId,
            ConnectionGroupId: connectionGroupId,
            Name: domain,
            Domains: [{ Domain: domain }],
            Parameters: [{ Name: TENANT_PARAMETER, Value: deployment }],
            Tags: { Items: [{ Key: 'stack', Value: stackName }] },
            ManagedCertificateRequest: { ValidationTokenHost: 'cloudfront', PrimaryDomainName: domain },
            Enabled: true,
          }),
        );
        return { tenant: toTenant(created, distributionId) };
      } catch (error) {
        const { name, message } = error as Error;
        const refused = refusalOf(error as Error);
        if (refused === undefined) throw error;
        log.info('tenant refused', { domain, name, message });
        return { refused };
      }
    },
    async certificate({ id }) {
      const { ManagedCertificateDetails: details = {} } = await client.send(
        new GetManagedCertificateDetailsCommand({ Identifier: id }),
      );
      const { CertificateStatus: status = 'pending-validation', CertificateArn: arn } = details;
      if (status === 'issued' && arn !== undefined) return { state: 'issued', arn };
      return FAILED.includes(status) ? { state: 'failed', status } : { state: 'pending' };
    },
    async isPointed({ id }) {
      const { DnsConfigurationList: list = [] } = await client.send(
        new VerifyDnsConfigurationCommand({ Identifier: id }),
      );
      // The status `unknown-configuration` is no reason to tell anyone to change their records.
      return list.every(({ Status }) => Status !== 'invalid-configuration');
    },
    async update({ id, etag, deployment }, domain, { enabled, certificateArn }) {
      // All of it: AWS does not document whether what is absent stays.
      const update: UpdateDistributionTenantCommandInput = {
        Id: id,
        IfMatch: etag,
        DistributionId: distributionId,
        ConnectionGroupId: connectionGroupId,
        Domains: [{ Domain: domain }],
        Parameters: [{ Name: TENANT_PARAMETER, Value: deployment }],
        ...(certificateArn === undefined ? {} : { Customizations: { Certificate: { Arn: certificateArn } } }),
        Enabled: enabled,
      };
      await client.send(new UpdateDistributionTenantCommand(update));
    },
    async delete({ id, etag }) {
      try {
        await client.send(new DeleteDistributionTenantCommand({ Id: id, IfMatch: etag }));
        return true;
      } catch (error) {
        const { name } = error as Error;
        if (name === 'ResourceNotDisabled') return false;
        if (name === 'EntityNotFound') return true;
        throw error;
      }
    },
  };
}
