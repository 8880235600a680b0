import {
  type CloudFrontClient,
  GetDistributionTenantCommand,
  type GetDistributionTenantResult,
} from '@aws-sdk/client-cloudfront';
import { TENANT_PARAMETER } from '../sites/edge.ts';

/** A distribution tenant, which has one domain and is named after it. */
export interface Tenant {
  readonly id: string;
  readonly etag: string;
  /** The deployment that it serves; undefined if the tenant does not belong to this stage. */
  readonly deployment: string | undefined;
  readonly enabled: boolean;
  /** Whether its last change is in effect everywhere. */
  readonly isDeployed: boolean;
  /** Whether CloudFront responds to requests for the domain. */
  readonly isActive: boolean;
  readonly certificateArn: string | undefined;
}

/** Returns the tenant of a domain, or undefined if there is none in the account. */
export async function findTenant(
  domain: string,
  distributionId: string,
  client: CloudFrontClient,
): Promise<Tenant | undefined> {
  try {
    const described = await client.send(new GetDistributionTenantCommand({ Identifier: domain }));
    return toTenant(described, distributionId);
  } catch (error) {
    if ((error as Error).name === 'EntityNotFound') return undefined;
    throw error;
  }
}

/** Converts CloudFront's description of a tenant. */
export function toTenant(
  { DistributionTenant: tenant = {}, ETag: etag = '' }: GetDistributionTenantResult,
  distributionId: string,
): Tenant {
  const parameter = tenant.Parameters?.find(({ Name }) => Name === TENANT_PARAMETER);
  return {
    id: tenant.Id ?? '',
    etag,
    deployment: tenant.DistributionId === distributionId ? parameter?.Value : undefined,
    enabled: tenant.Enabled ?? false,
    isDeployed: tenant.Status === 'Deployed',
    isActive: tenant.Domains?.every(({ Status }) => Status === 'active') ?? false,
    certificateArn: tenant.Customizations?.Certificate?.Arn,
  };
}
