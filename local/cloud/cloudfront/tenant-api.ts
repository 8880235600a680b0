import { randomUUID } from 'node:crypto';
import type { Principal } from '../account.ts';
import { type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { authorize } from '../iam.ts';
import { describeInvalidation, readBatch } from './invalidation-xml.ts';
import { CloudFrontError } from './invalidations.ts';
import type { Tenant } from './tenant.ts';
import { CreateTenant, readInput, UpdateTenant, VerifyDns } from './tenant-input.ts';
import { describeCertificate, describeDns, describeTenant } from './tenant-output.ts';
import type { Tenants } from './tenants.ts';
import { xml } from './xml.ts';

/** A call that concerns tenants. */
export interface TenantCall {
  readonly action: string;
  /** Of the path. */
  readonly identifier: string;
  readonly invalidationId?: string | undefined;
}

/** The calls by method and path. */
const CALLS: readonly (readonly [method: string, path: RegExp, action: string])[] = [
  ['POST', /^distribution-tenant$/, 'CreateDistributionTenant'],
  ['GET', /^distribution-tenant\/([^/]+)$/, 'GetDistributionTenant'],
  ['PUT', /^distribution-tenant\/([^/]+)$/, 'UpdateDistributionTenant'],
  ['DELETE', /^distribution-tenant\/([^/]+)$/, 'DeleteDistributionTenant'],
  ['POST', /^distribution-tenant\/([^/]+)\/invalidation$/, 'CreateInvalidationForDistributionTenant'],
  ['GET', /^distribution-tenant\/([^/]+)\/invalidation\/([^/]+)$/, 'GetInvalidationForDistributionTenant'],
  ['GET', /^managed-certificate\/([^/]+)$/, 'GetManagedCertificateDetails'],
  ['POST', /^verify-dns-configuration$/, 'VerifyDnsConfiguration'],
];

/** The condition keys of a call that CloudFront makes on behalf of the caller. */
const OF_ACM = { 'aws:CalledViaLast': 'cloudfront.amazonaws.com' };

/** Returns the call of a request, or undefined if it concerns no tenants. */
export function tenantCallOf({ method, url }: AwsRequest): TenantCall | undefined {
  const { path, query } = splitUrl(url);
  const rest = path.replace(/^\/2020-05-31\//, '').replace(/\/$/, '');
  if (query.length > 0) return undefined;
  for (const [verb, pattern, action] of CALLS) {
    const match = verb === method ? pattern.exec(rest) : null;
    if (match) return { action, identifier: decodeURIComponent(match[1] ?? ''), invalidationId: match[2] };
  }
  return undefined;
}

/**
 * Returns the reply to a call of a principal, if its policies allow it.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_DistributionTenant.html
 * @throws CloudFrontError, AccessDenied
 */
export function tenantCall(
  call: TenantCall,
  tenants: Tenants,
  principal: Principal,
  request: AwsRequest,
): AwsReply {
  if (call.action === 'CreateDistributionTenant') return create(tenants, principal, request);
  const dns = call.action === 'VerifyDnsConfiguration' ? readInput(VerifyDns, request.body) : undefined;
  const identifier = dns?.Identifier ?? call.identifier;
  const found = tenants.find(identifier);
  authorize({
    principal,
    action: `cloudfront:${call.action}`,
    resource: tenants.arn(found?.record.id ?? identifier.split('/').at(-1) ?? ''),
    context: tagKeys('aws:ResourceTag', found?.record.tags ?? {}),
  });
  if (found === undefined)
    throw new CloudFrontError(404, 'EntityNotFound', `The distribution tenant ${identifier} was not found`);
  switch (call.action) {
    case 'UpdateDistributionTenant':
      return update(found, tenants, principal, request);
    case 'DeleteDistributionTenant':
      tenants.delete(found, request.headers['if-match']);
      return xml(204, '');
    case 'GetManagedCertificateDetails':
      return xml(200, describeCertificate(found, tenants.isIssued(found)));
    case 'VerifyDnsConfiguration':
      return xml(200, describeDns(found.record.domains, tenants.pointsHere(found.record)));
    case 'CreateInvalidationForDistributionTenant':
      return xml(201, describeInvalidation(found.invalidations.create(readBatch(request.body.toString()))));
    case 'GetInvalidationForDistributionTenant':
      return xml(200, describeInvalidation(found.invalidations.find(call.invalidationId ?? '')));
    default:
      return described(200, found, tenants);
  }
}

function create(tenants: Tenants, principal: Principal, { body }: AwsRequest): AwsReply {
  const input = readInput(CreateTenant, body);
  const id = `dt_${randomUUID().replaceAll('-', '').slice(0, 27)}`;
  const tags = input.Tags?.Items ?? {};
  const context = tagKeys('aws:RequestTag', tags);
  authorize({ principal, action: 'cloudfront:CreateDistributionTenant', resource: '*', context });
  if (Object.keys(tags).length > 0)
    authorize({ principal, action: 'cloudfront:TagResource', resource: tenants.arn(id), context });
  // On behalf of the caller, CloudFront requests the certificate.
  authorize({ principal, action: 'acm:RequestCertificate', resource: '*', context: OF_ACM });
  const tenant = tenants.create(id, {
    name: input.Name,
    distributionId: input.DistributionId,
    connectionGroupId: input.ConnectionGroupId,
    domains: input.Domains,
    parameters: input.Parameters,
    tags,
    enabled: input.Enabled,
  });
  return described(201, tenant, tenants);
}

function update(
  tenant: Tenant,
  tenants: Tenants,
  principal: Principal,
  { body, headers }: AwsRequest,
): AwsReply {
  const input = readInput(UpdateTenant, body);
  refuseOtherChanges(tenant, input);
  const certificateArn = input.Customizations?.Certificate?.Arn;
  if (certificateArn !== undefined)
    authorize({ principal, action: 'acm:DescribeCertificate', resource: certificateArn, context: OF_ACM });
  tenants.update(tenant, { enabled: input.Enabled ?? tenant.enabled, certificateArn }, headers['if-match']);
  return described(200, tenant, tenants);
}

/** @throws CloudFrontError for a change that the local cloud does not make */
function refuseOtherChanges({ record }: Tenant, input: UpdateTenant): void {
  const changes = [
    [input.DistributionId, record.distributionId],
    [input.ConnectionGroupId, record.connectionGroupId],
    [input.Domains, record.domains],
    [input.Parameters, record.parameters],
  ].filter(([sent, current]) => sent !== undefined && JSON.stringify(sent) !== JSON.stringify(current));
  if (changes.length === 0) return;
  const message = 'The local cloud changes only the certificate of a tenant and whether it is enabled';
  throw new CloudFrontError(501, 'NotImplemented', message);
}

function described(status: number, tenant: Tenant, tenants: Tenants): AwsReply {
  return xml(status, describeTenant(tenant, tenants.arn(tenant.record.id)), { etag: tenant.state.etag });
}

function tagKeys(prefix: string, tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, value]));
}
