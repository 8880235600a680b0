import type { Principal } from '../account.ts';
import { ApiError, type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { AccessDenied, authorize } from '../iam.ts';
import { verify } from '../sigv4.ts';
import { escapeXml, failure, textsOf, xml } from '../xml.ts';
import type { OriginHeaders } from './behavior.ts';
import type { Distribution } from './distribution.ts';
import type { Distributions } from './distributions.ts';
import { describeInvalidation, readBatch } from './invalidations.ts';
import { tenantCall, tenantCallOf } from './tenant-api.ts';

interface Plane {
  readonly region: string;
  readonly principals: Readonly<Record<string, Principal>>;
  readonly distributions: Distributions;
}

const PATH = /^\/2020-05-31\/distribution\/([^/]+)(\/config)?\/?$/;
const INVALIDATION = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?\/?$/;

/**
 * Returns the reply to a call of CloudFront's API: those of invalidations, of the configuration of a distribution, and
 * of tenants.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_GetInvalidation.html
 */
export async function cloudFrontCall(plane: Plane, request: AwsRequest): Promise<AwsReply> {
  try {
    return await reply(plane, request);
  } catch (error) {
    if (error instanceof AccessDenied) return failure(403, 'AccessDenied', error.message);
    if (error instanceof ApiError) return failure(error.status, error.code, error.message);
    throw error;
  }
}

async function reply({ region, principals, distributions }: Plane, request: AwsRequest): Promise<AwsReply> {
  const ofTenant = tenantCallOf(request);
  // The real endpoint requires us-east-1, but a client with a custom endpoint signs for its own region.
  const verified = await verify(request, { service: 'cloudfront', region }, principals);
  if ('failure' in verified) throw new ApiError(403, verified.failure, verified.message);
  if (ofTenant) return tenantCall(ofTenant, distributions.tenants, verified.principal, request);
  const { id, action, invalidationId } = callOf(request);
  const resource = distributions.arn(id);
  authorize({ principal: verified.principal, action: `cloudfront:${action}`, resource });
  const distribution = distributions.find(id);
  if (distribution === undefined) {
    throw new ApiError(404, 'NoSuchDistribution', `The distribution ${id} does not exist`);
  }
  if (invalidationId !== undefined)
    return xml(200, describeInvalidation(distribution.invalidations.find(invalidationId)));
  if (action !== 'CreateInvalidation') return distributionCall(action, distribution, request);
  return xml(
    201,
    describeInvalidation(distribution.invalidations.create(readBatch(request.body.toString()))),
  );
}

/** Returns the distribution and the action of a request. @throws ApiError if it is not supported */
function callOf({ method, url }: AwsRequest): { id: string; action: string; invalidationId?: string } {
  const { path } = splitUrl(url);
  const [, ofInvalidation, invalidationId] = INVALIDATION.exec(path) ?? [];
  if (ofInvalidation !== undefined && invalidationId !== undefined && method === 'GET')
    return { id: ofInvalidation, action: 'GetInvalidation', invalidationId };
  if (ofInvalidation !== undefined && invalidationId === undefined && method === 'POST')
    return { id: ofInvalidation, action: 'CreateInvalidation' };
  const [, id, config = ''] = PATH.exec(path) ?? [];
  const action = DISTRIBUTION_ACTIONS[`${method} ${config}`];
  if (id !== undefined && action !== undefined) return { id, action };
  console.log(`UnknownOperation ${method} ${path} is not supported by the local cloud`);
  throw new ApiError(501, 'NotImplemented', `The local cloud does not support ${method} ${path}`);
}

const HEADERS = /<CustomHeaders>.*?<\/CustomHeaders>|<CustomHeaders\s*\/>/gs;

/** The calls of a distribution by method, after its path: `/config` or nothing. */
export const DISTRIBUTION_ACTIONS: Readonly<Record<string, string>> = {
  'GET /config': 'GetDistributionConfig',
  'PUT /config': 'UpdateDistribution',
  'GET ': 'GetDistribution',
};

/**
 * Returns the reply to a call. Of the configuration, updates can change the custom headers of origins.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_UpdateDistribution.html
 * @throws ApiError
 */
export function distributionCall(action: string, distribution: Distribution, request: AwsRequest): AwsReply {
  const { customHeaders } = distribution;
  if (action === 'UpdateDistribution') update(distribution, request);
  const body = action === 'GetDistributionConfig' ? configOf(distribution) : describe(distribution);
  return xml(200, body, { etag: customHeaders.etag });
}

function update(distribution: Distribution, { headers, body }: AwsRequest): void {
  const sent = body.toString();
  if (elementsOf(sent) !== elementsOf(configOf(distribution))) {
    const message = 'The local cloud supports changes of the custom headers of origins only';
    throw new ApiError(501, 'NotImplemented', message);
  }
  distribution.customHeaders.update(headersOf(sent), headers['if-match']);
}

/** Returns all elements but custom headers, in no order. */
function elementsOf(config: string): string {
  const tags = config.replace(HEADERS, '').match(/<(?![?/])[^>\s]+[^>]*>[^<]*/g) ?? [];
  return tags
    .map((tag) =>
      tag
        .replace(/ xmlns="[^"]*"/, '')
        .replace(/\s*\/>/, '>')
        .trim(),
    )
    .toSorted()
    .join('\n');
}

/** Returns the custom headers of the origins in a configuration, by the id of the origin. */
function headersOf(config: string): Map<string, OriginHeaders> {
  const origins = config.match(/<Origin>.*?<\/Origin>/gs) ?? [];
  return new Map(
    origins.map((origin) => {
      const names = textsOf(origin, 'HeaderName');
      const values = textsOf(origin, 'HeaderValue');
      const headers = names.map((HeaderName, at) => ({ HeaderName, HeaderValue: values[at] ?? '' }));
      return [textsOf(origin, 'Id')[0] ?? '', headers];
    }),
  );
}

/** Returns the parts of a configuration that the API requires. */
function configOf({ id, config, customHeaders }: Distribution): string {
  const origins = config.Origins.map(({ Id, DomainName, OriginPath }) => {
    const headers = (customHeaders.configured.get(Id) ?? []).map(
      ({ HeaderName, HeaderValue }) =>
        `<OriginCustomHeader><HeaderName>${escapeXml(HeaderName)}</HeaderName><HeaderValue>${escapeXml(HeaderValue)}</HeaderValue></OriginCustomHeader>`,
    );
    return `<Origin><Id>${escapeXml(Id)}</Id><DomainName>${DomainName}</DomainName><OriginPath>${OriginPath}</OriginPath><CustomHeaders>${list(headers)}</CustomHeaders></Origin>`;
  });
  const { TargetOriginId } = config.DefaultCacheBehavior;
  const behavior = `<TargetOriginId>${escapeXml(TargetOriginId)}</TargetOriginId><ViewerProtocolPolicy>redirect-to-https</ViewerProtocolPolicy>`;
  return `<DistributionConfig xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><CallerReference>${id}</CallerReference><Origins>${list(origins)}</Origins><DefaultCacheBehavior>${behavior}</DefaultCacheBehavior><Comment>local</Comment><Enabled>true</Enabled></DistributionConfig>`;
}

function list(items: readonly string[]): string {
  const content = items.length === 0 ? '' : `<Items>${items.join('')}</Items>`;
  return `<Quantity>${items.length}</Quantity>${content}`;
}

function describe(distribution: Distribution): string {
  const { id, domainName, customHeaders } = distribution;
  const now = new Date().toISOString();
  return `<Distribution><Id>${id}</Id><ARN>${id}</ARN><Status>${customHeaders.status}</Status><LastModifiedTime>${now}</LastModifiedTime><InProgressInvalidationBatches>0</InProgressInvalidationBatches><DomainName>${domainName}</DomainName>${configOf(distribution)}</Distribution>`;
}
