import { wildcardSource } from '../wildcard.ts';
import type { CloudFrontFunction } from './function.ts';
import type { Origin } from './origins.ts';
import type { CachePolicy, Policies, RequestSelections, ResponseHeadersPolicy } from './policies.ts';
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
