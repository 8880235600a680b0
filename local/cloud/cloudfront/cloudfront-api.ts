import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../account.ts';
import { ApiError, type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { AccessDenied, authorize } from '../iam.ts';
import { verify } from '../sigv4.ts';
import { parseXml, toObject, type Written, writeXml, xmlReply } from '../xml.ts';
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

function failure(status: number, code: string, message: string): AwsReply {
  const error: Written[] = [
    ['Type', 'Sender'],
    ['Code', code],
    ['Message', message],
  ];
  return xmlReply(status, ['ErrorResponse', [['Error', error]]]);
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
    return xmlReply(200, describeInvalidation(distribution.invalidations.find(invalidationId)));
  if (action !== 'CreateInvalidation') return distributionCall(action, distribution, request);
  return xmlReply(201, describeInvalidation(distribution.invalidations.create(readBatch(request.body.toString()))));
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

/** The calls of a distribution by method, after its path: `/config` or nothing. */
const DISTRIBUTION_ACTIONS: Readonly<Record<string, string>> = {
  'GET /config': 'GetDistributionConfig',
  'PUT /config': 'UpdateDistribution',
  'GET ': 'GetDistribution',
};

/**
 * Returns the reply to a call. Of the configuration, updates can change the custom headers of origins.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_UpdateDistribution.html
 * @throws ApiError
 */
function distributionCall(action: string, distribution: Distribution, request: AwsRequest): AwsReply {
  const { customHeaders } = distribution;
  if (action === 'UpdateDistribution') update(distribution, request);
  const body = action === 'GetDistributionConfig' ? configOf(distribution) : describe(distribution);
  return xmlReply(200, body, { etag: customHeaders.etag });
}

/** The part of a configuration that updates can change. */
interface Configuration {
  readonly Origins: {
    readonly Items: readonly {
      readonly Id: string;
      readonly CustomHeaders?: { readonly Items?: OriginHeaders };
    }[];
  };
}

function update(distribution: Distribution, { headers, body }: AwsRequest): void {
  const sent = read(body.toString());
  if (!isDeepStrictEqual(withoutHeaders(sent), withoutHeaders(read(writeXml(configOf(distribution)))))) {
    const message = 'The local cloud supports changes of the custom headers of origins only';
    throw new ApiError(501, 'NotImplemented', message);
  }
  const changed = sent.Origins.Items.map(({ Id, CustomHeaders }) => [Id, CustomHeaders?.Items ?? []] as const);
  distribution.customHeaders.update(new Map(changed), headers['if-match']);
}

function read(config: string): Configuration {
  return toObject(parseXml(config)[1], ['Items']) as Configuration;
}

function withoutHeaders(config: Configuration): unknown {
  const items = config.Origins.Items.map(({ CustomHeaders: _, ...origin }) => origin);
  return { ...config, Origins: { ...config.Origins, Items: items } };
}

/** Returns the parts of a configuration that the API requires. */
function configOf({ id, config, customHeaders }: Distribution): Written {
  const origins = config.Origins.map(({ Id, DomainName, OriginPath }): Written => {
    const headers = (customHeaders.configured.get(Id) ?? []).map(
      (one): Written => ['OriginCustomHeader', Object.entries(one)],
    );
    return [
      'Origin',
      [
        ['Id', Id],
        ['DomainName', DomainName],
        ['OriginPath', OriginPath],
        ['CustomHeaders', list(headers)],
      ],
    ];
  });
  const behavior: Written[] = [
    ['TargetOriginId', config.DefaultCacheBehavior.TargetOriginId],
    ['ViewerProtocolPolicy', 'redirect-to-https'],
  ];
  return [
    'DistributionConfig',
    [
      ['CallerReference', id],
      ['Origins', list(origins)],
      ['DefaultCacheBehavior', behavior],
      ['Comment', 'local'],
      ['Enabled', true],
    ],
  ];
}

function list(items: readonly Written[]): Written[] {
  return [
    ['Quantity', items.length],
    ['Items', items.length === 0 ? undefined : items],
  ];
}

function describe(distribution: Distribution): Written {
  const { id, domainName, customHeaders } = distribution;
  return [
    'Distribution',
    [
      ['Id', id],
      ['ARN', id],
      ['Status', customHeaders.status],
      ['LastModifiedTime', new Date().toISOString()],
      ['InProgressInvalidationBatches', 0],
      ['DomainName', domainName],
      configOf(distribution),
    ],
  ];
}
