import { randomUUID } from 'node:crypto';
import { type HeaderList, HOP_BY_HOP, type HttpRequest, header, withHeaders, withoutHeaders } from '../http.ts';
import { wildcardSource } from '../iam.ts';
import type { CloudFrontFunction } from './function.ts';
import type { Origin } from './origins.ts';
import {
  type CachePolicy,
  type Policies,
  type RequestSelections,
  type ResponseHeadersPolicy,
  selects,
} from './policies.ts';
import type { BehaviorProperties, DistributionConfig, OriginProperties } from './properties.ts';

/** A cache behavior with resolved references. */
export interface Behavior {
  readonly pattern: RegExp;
  readonly allowedMethods: readonly string[];
  readonly cachePolicy: CachePolicy;
  readonly originRequestPolicy: RequestSelections;
  readonly responseHeadersPolicy: ResponseHeadersPolicy;
  readonly onViewerRequest: CloudFrontFunction | undefined;
  readonly onViewerResponse: CloudFrontFunction | undefined;
  readonly originProperties: OriginProperties;
  readonly origin: Origin;
}

/** Resolves the references of a cache behavior. @throws Error that names a missing one */
export function readBehavior(
  properties: BehaviorProperties,
  config: DistributionConfig,
  policies: Policies,
  functions: ReadonlyMap<string, CloudFrontFunction>,
  findOrigin: (origin: OriginProperties) => Origin,
): Behavior {
  const originProperties = config.Origins.find(({ Id }) => Id === properties.TargetOriginId);
  if (originProperties === undefined) throw new Error(`Missing origin ${properties.TargetOriginId}`);
  const functionFor = (event: 'viewer-request' | 'viewer-response') => {
    const association = properties.FunctionAssociations.find(({ EventType }) => EventType === event);
    return association && functions.get(association.FunctionARN);
  };
  return {
    pattern: pathPattern(properties.PathPattern),
    allowedMethods: properties.AllowedMethods,
    cachePolicy: policies.cachePolicy(properties.CachePolicyId),
    originRequestPolicy: policies.originRequestPolicy(properties.OriginRequestPolicyId),
    responseHeadersPolicy: policies.responseHeadersPolicy(properties.ResponseHeadersPolicyId),
    onViewerRequest: functionFor('viewer-request'),
    onViewerResponse: functionFor('viewer-response'),
    originProperties,
    origin: findOrigin(originProperties),
  };
}

function pathPattern(pattern: string): RegExp {
  return new RegExp(`^/?${wildcardSource(pattern.replace(/^\//, ''))}$`, 's');
}

/** The client address that an origin sees: CloudFront's, here from a documentation range. */
const EDGE_IP = '198.51.100.1';

/**
 * Fields that CloudFront forwards without a policy.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
 */
const ALWAYS_FORWARDED = [
  'cache-control',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'from',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'range',
  'x-amz-content-sha256',
];

export function originRequest(
  request: HttpRequest,
  cache: CachePolicy,
  policy: RequestSelections,
  origin: OriginProperties,
): HttpRequest {
  const wanted = (kind: 'headers' | 'query', name: string) => selects(cache[kind], name) || selects(policy[kind], name);
  const cookies = cookiePairs(request).filter(([name]) => selects(policy.cookies, name));
  const forwarded = withoutHeaders(request.headers, [...HOP_BY_HOP, 'expect', 'cookie']).filter(
    ([name]) => ALWAYS_FORWARDED.includes(name.toLowerCase()) || wanted('headers', name),
  );
  const before = header(request.headers, 'x-forwarded-for');
  const encodings = acceptedEncodings(request, cache);
  const added: HeaderList = [
    ...(header(forwarded, 'host') ? [] : [['Host', origin.DomainName] as const]),
    ...(header(forwarded, 'user-agent') ? [] : [['User-Agent', 'Amazon CloudFront'] as const]),
    ...(cache.encodings.length > 0 && encodings ? [['Accept-Encoding', encodings] as const] : []),
    ...(cookies.length > 0 ? [['Cookie', cookies.map((pair) => pair.join('=')).join('; ')] as const] : []),
    ['X-Forwarded-For', before === undefined ? request.peerIp : `${before}, ${request.peerIp}`],
    ['X-Amz-Cf-Id', randomUUID()],
    ['Via', '1.1 local.cloudfront.net (CloudFront)'],
    ...origin.OriginCustomHeaders.map((one) => [one.HeaderName, one.HeaderValue] as const),
  ];
  return {
    ...request,
    path: origin.OriginPath + request.path,
    query: queryPairs(request)
      .filter((pair) => wanted('query', pairName(pair)))
      .join('&'),
    headers: withHeaders(forwarded, added),
    peerIp: EDGE_IP,
  };
}

/** Returns the cache key of a request, the same for GET and HEAD. */
export function cacheKey(request: HttpRequest, cache: CachePolicy): string {
  const headers = request.headers.filter(([name]) => selects(cache.headers, name));
  return JSON.stringify([
    request.path,
    queryPairs(request).filter((pair) => selects(cache.query, pairName(pair))),
    headers.map(([name, value]) => `${name.toLowerCase()}=${value}`),
    acceptedEncodings(request, cache),
  ]);
}

function acceptedEncodings(request: HttpRequest, { encodings }: CachePolicy): string {
  const accepted = header(request.headers, 'accept-encoding') ?? '';
  return encodings.filter((coding) => accepted.includes(coding)).join(',');
}

function queryPairs({ query }: HttpRequest): string[] {
  return query === '' ? [] : query.split('&');
}

function pairName(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

function cookiePairs(request: HttpRequest): [string, string][] {
  const pairs = (header(request.headers, 'cookie') ?? '').split(/;\s*/).filter(Boolean);
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
}

export type OriginHeaders = OriginProperties['OriginCustomHeaders'];

/** Returns the custom headers of origins, by the id of the origin. */
export function headersOf(origins: readonly OriginProperties[]): ReadonlyMap<string, OriginHeaders> {
  return new Map(origins.map(({ Id, OriginCustomHeaders }) => [Id, OriginCustomHeaders]));
}
