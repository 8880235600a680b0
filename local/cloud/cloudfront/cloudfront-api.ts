import type { Principal } from '../account.ts';
import { type AwsReply, type AwsRequest, splitUrl } from '../aws-http.ts';
import { AccessDenied, authorize } from '../iam.ts';
import { verify } from '../sigv4.ts';
import { DISTRIBUTION_ACTIONS, distributionCall } from './distribution-api.ts';
import type { Distributions } from './distributions.ts';
import { describeInvalidation, readBatch } from './invalidation-xml.ts';
import { CloudFrontError } from './invalidations.ts';
import { tenantCall, tenantCallOf } from './tenant-api.ts';
import { failure, xml } from './xml.ts';

interface Plane {
  readonly region: string;
  readonly principals: Readonly<Record<string, Principal>>;
  readonly distributions: Distributions;
}

const PATH = /^\/2020-05-31\/distribution\/([^/]+)(\/config)?\/?$/;
const INVALIDATION = /^\/2020-05-31\/distribution\/([^/]+)\/invalidation(?:\/([^/]+))?\/?$/;

/**
 * Returns the reply to a call of CloudFront's API: those of invalidations, of the configuration of a distribution, and of tenants.
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_CreateInvalidation.html
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_GetInvalidation.html
 */
export async function cloudFrontCall(plane: Plane, request: AwsRequest): Promise<AwsReply> {
  try {
    return await reply(plane, request);
  } catch (error) {
    if (error instanceof AccessDenied) return failure(403, 'AccessDenied', error.message);
    if (error instanceof CloudFrontError) return failure(error.status, error.code, error.message);
    throw error;
  }
}

async function reply({ region, principals, distributions }: Plane, request: AwsRequest): Promise<AwsReply> {
  const ofTenant = tenantCallOf(request);
  // The real endpoint requires us-east-1, but a client with a custom endpoint signs for its own region.
  const verified = await verify(request, { service: 'cloudfront', region }, principals);
  if ('failure' in verified) throw new CloudFrontError(403, verified.failure, verified.message);
  if (ofTenant) return tenantCall(ofTenant, distributions.tenants, verified.principal, request);
  const { id, action, invalidationId } = callOf(request);
  const resource = distributions.arn(id);
  authorize({ principal: verified.principal, action: `cloudfront:${action}`, resource });
  const distribution = distributions.find(id);
  if (distribution === undefined) {
    throw new CloudFrontError(404, 'NoSuchDistribution', `The distribution ${id} does not exist`);
  }
  if (invalidationId !== undefined)
    return xml(200, describeInvalidation(distribution.invalidations.find(invalidationId)));
  if (action !== 'CreateInvalidation') return distributionCall(action, distribution, request);
  return xml(
    201,
    describeInvalidation(distribution.invalidations.create(readBatch(request.body.toString()))),
  );
}

/** Returns the distribution and the action of a request. @throws CloudFrontError if it is not supported */
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
  throw new CloudFrontError(501, 'NotImplemented', `The local cloud does not support ${method} ${path}`);
}
