import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Principal } from '../account.ts';
import { ApiError, type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { authorize } from '../iam.ts';
import { parseXml, toObject, type Written, xmlReply } from '../xml.ts';
import { describeInvalidation, readBatch } from './invalidations.ts';
import type { Tenant } from './tenant.ts';
import type { Tenants } from './tenants.ts';

/** A call that concerns tenants. */
interface TenantCall {
  readonly action: string;
  /** The identifier in the path. */
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
const OF_ACM = { 'aws:ViaAWSService': 'true' };

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
 * @throws ApiError, AccessDenied
 */
export function tenantCall(call: TenantCall, tenants: Tenants, principal: Principal, request: AwsRequest): AwsReply {
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
    throw new ApiError(404, 'EntityNotFound', `The distribution tenant ${identifier} was not found`);
  switch (call.action) {
    case 'UpdateDistributionTenant':
      return update(found, tenants, principal, request);
    case 'DeleteDistributionTenant':
      tenants.delete(found, request.headers['if-match']);
      return xmlReply(204);
    case 'GetManagedCertificateDetails':
      return xmlReply(200, describeCertificate(found, tenants.isIssued(found)));
    case 'VerifyDnsConfiguration':
      return xmlReply(200, describeDns(found.record.domains, tenants.pointsHere(found.record)));
    case 'CreateInvalidationForDistributionTenant':
      return xmlReply(201, describeInvalidation(found.invalidations.create(readBatch(request.body.toString()))));
    case 'GetInvalidationForDistributionTenant':
      return xmlReply(200, describeInvalidation(found.invalidations.find(call.invalidationId ?? '')));
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

function update(tenant: Tenant, tenants: Tenants, principal: Principal, { body, headers }: AwsRequest): AwsReply {
  const input = readInput(UpdateTenant, body);
  refuseOtherChanges(tenant, input);
  const certificateArn = input.Customizations?.Certificate?.Arn;
  if (certificateArn !== undefined)
    authorize({ principal, action: 'acm:DescribeCertificate', resource: certificateArn, context: OF_ACM });
  tenants.update(tenant, { enabled: input.Enabled ?? tenant.enabled, certificateArn }, headers['if-match']);
  return described(200, tenant, tenants);
}

/** @throws ApiError for a change that the local cloud does not make */
function refuseOtherChanges({ record }: Tenant, input: UpdateTenant): void {
  const changes = [
    [input.DistributionId, record.distributionId],
    [input.ConnectionGroupId, record.connectionGroupId],
    [input.Domains, record.domains],
    [input.Parameters, record.parameters],
  ].filter(([sent, current]) => sent !== undefined && JSON.stringify(sent) !== JSON.stringify(current));
  if (changes.length === 0) return;
  const message = 'The local cloud changes only the certificate of a tenant and whether it is enabled';
  throw new ApiError(501, 'NotImplemented', message);
}

function described(status: number, tenant: Tenant, tenants: Tenants): AwsReply {
  return xmlReply(status, describeTenant(tenant, tenants.arn(tenant.record.id)), { etag: tenant.state.etag });
}

function tagKeys(prefix: string, tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, value]));
}

const LISTS = ['Domains', 'Parameters', 'Items'];

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const Tags = z
  .array(z.strictObject({ Key: z.string(), Value: z.string() }))
  .transform((tags) => Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));

const Parameters = z
  .array(z.strictObject({ Name: z.string(), Value: z.string() }))
  .transform((parameters) => Object.fromEntries(parameters.map(({ Name, Value }) => [Name, Value])));

const Domains = z
  .array(z.strictObject({ Domain: z.string() }))
  .min(1)
  .transform((items) => items.map(({ Domain }) => Domain));

/** The parts of a request that creates a tenant, of which the local cloud supports those with a managed certificate. */
const CreateTenant = z
  .strictObject({
    DistributionId: z.string(),
    Name: z.string(),
    Domains,
    Tags: z.strictObject({ Items: Tags }).optional(),
    Parameters: Parameters.default({}),
    ConnectionGroupId: z.string(),
    ManagedCertificateRequest: z.strictObject({
      ValidationTokenHost: z.literal('cloudfront'),
      PrimaryDomainName: z.string().optional(),
    }),
    Enabled: flag.default(true),
  })
  .refine(
    ({ Domains: domains, ManagedCertificateRequest: { PrimaryDomainName: name } }) =>
      name === undefined || domains.includes(name),
    'PrimaryDomainName must be one of the domains',
  );

/**
 * The parts of a request that updates a tenant. Of these, the local cloud changes the certificate and whether it is
 * enabled.
 */
const UpdateTenant = z.strictObject({
  DistributionId: z.string().optional(),
  Domains: Domains.optional(),
  Parameters: Parameters.optional(),
  ConnectionGroupId: z.string().optional(),
  Customizations: z.strictObject({ Certificate: z.strictObject({ Arn: z.string() }).optional() }).optional(),
  Enabled: flag.optional(),
});

type UpdateTenant = z.output<typeof UpdateTenant>;

const VerifyDns = z.strictObject({ Identifier: z.string(), Domain: z.string().optional() });

/** Reads the body of a request. @throws ApiError that names an element that the local cloud does not know */
function readInput<Schema extends z.ZodType>(schema: Schema, body: Buffer): z.output<Schema> {
  const parsed = schema.safeParse(contentOf(body));
  if (parsed.success) return parsed.data;
  throw new ApiError(400, 'InvalidArgument', z.prettifyError(parsed.error));
}

function contentOf(body: Buffer): unknown {
  try {
    return toObject(parseXml(body.toString())[1], LISTS);
  } catch (error) {
    throw new ApiError(400, 'MalformedInput', (error as Error).message);
  }
}

/** Returns a tenant as the API describes it. */
function describeTenant(tenant: Tenant, arn: string): Written {
  const { record, state, enabled, domainStatus } = tenant;
  const certificate = state.configured?.certificateArn;
  return [
    'DistributionTenant',
    [
      ['Id', record.id],
      ['DistributionId', record.distributionId],
      ['Name', record.name],
      ['Arn', arn],
      ['Domains', record.domains.map((domain) => item('member', { Domain: domain, Status: domainStatus }))],
      ['Tags', [['Items', pairs(record.tags, 'Key', 'Tag')]]],
      ['Customizations', certificate === undefined ? undefined : [['Certificate', [['Arn', certificate]]]]],
      ['Parameters', pairs(record.parameters, 'Name')],
      ['ConnectionGroupId', record.connectionGroupId],
      ['CreatedTime', new Date(record.createdAt).toISOString()],
      ['LastModifiedTime', new Date(record.modifiedAt).toISOString()],
      ['Enabled', enabled],
      ['Status', state.status],
    ],
  ];
}

/** Returns the certificate of a tenant as the API describes it. */
function describeCertificate({ record }: Tenant, isIssued: boolean): Written {
  return item('ManagedCertificateDetails', {
    CertificateArn: record.certificate.arn,
    CertificateStatus: isIssued ? 'issued' : 'pending-validation',
    ValidationTokenHost: 'cloudfront',
  });
}

/** Returns what the API says of the DNS records of domains. */
function describeDns(domains: readonly string[], isValid: boolean): Written {
  const status = isValid ? 'valid-configuration' : 'invalid-configuration';
  const reason = isValid ? {} : { Reason: 'The domain does not point to the routing endpoint' };
  const list = domains.map((domain) => item('DnsConfiguration', { Domain: domain, Status: status, ...reason }));
  return ['VerifyDnsConfigurationResult', [['DnsConfigurationList', list]]];
}

function pairs(values: Readonly<Record<string, string>>, name: string, of = 'member'): Written[] {
  return Object.entries(values).map(([key, value]) => item(of, { [name]: key, Value: value }));
}

function item(of: string, fields: Readonly<Record<string, string>>): Written {
  return [of, Object.entries(fields)];
}
