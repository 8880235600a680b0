import * as z from 'zod';
import { type HeaderList, header, withHeaders } from '../http.ts';
import type { Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';

/** The fields of a request that a policy selects: none, all, only or all except the listed ones. */
interface Selection {
  readonly mode: 'none' | 'all' | 'whitelist' | 'allExcept';
  /** In lower case. */
  readonly names: readonly string[];
}

export interface RequestSelections {
  readonly headers: Selection;
  readonly query: Selection;
  readonly cookies: Selection;
}

/** Times in seconds. No cookie is part of a cache key. */
export interface CachePolicy extends Omit<RequestSelections, 'cookies'> {
  readonly minTtl: number;
  readonly defaultTtl: number;
  readonly maxTtl: number;
  /** Content codings in the cache key and in requests to the origin. */
  readonly encodings: readonly ('gzip' | 'br')[];
}

/** Header fields that are added to responses. */
export type ResponseHeadersPolicy = readonly {
  readonly name: string;
  readonly value: string;
  /** True if it replaces a field of the origin. */
  readonly override: boolean;
  /** Present if it is added only to responses to requests with an `Origin` header. */
  readonly cors?: true;
}[];

const NONE: Selection = { mode: 'none', names: [] };
const ALL: Selection = { mode: 'all', names: [] };

const DAY = 86_400;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
const MANAGED_CACHE_POLICIES: Readonly<Record<string, CachePolicy>> = {
  // CachingDisabled
  '4135ea2d-6df8-44a3-9df3-4b5a84be39ad': {
    headers: NONE,
    query: NONE,
    minTtl: 0,
    defaultTtl: 0,
    maxTtl: 0,
    encodings: [],
  },
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': {
    headers: NONE,
    query: NONE,
    minTtl: 1,
    defaultTtl: DAY,
    maxTtl: 365 * DAY,
    encodings: ['gzip', 'br'],
  },
};

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html */
const MANAGED_ORIGIN_REQUEST_POLICIES: Readonly<Record<string, RequestSelections>> = {
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    headers: { mode: 'allExcept', names: ['host'] },
    query: ALL,
    cookies: ALL,
  },
};

const nameList = z.array(z.string().transform((name) => name.toLowerCase())).default([]);
const QueryStrings = z
  .strictObject({
    QueryStringBehavior: z.enum(['none', 'all', 'whitelist']),
    QueryStrings: nameList,
  })
  .transform((one): Selection => ({ mode: one.QueryStringBehavior, names: one.QueryStrings }));
const Cookies = z
  .strictObject({ CookieBehavior: z.enum(['none', 'whitelist']), Cookies: nameList })
  .transform((one): Selection => ({ mode: one.CookieBehavior, names: one.Cookies }));

const Headers = z
  .strictObject({ HeaderBehavior: z.enum(['none', 'whitelist']), Headers: nameList })
  .transform((one): Selection => ({ mode: one.HeaderBehavior, names: one.Headers }));

const CachePolicyProperties = z.strictObject({
  CachePolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: noLocalEffect,
    MinTTL: z.number(),
    DefaultTTL: z.number(),
    MaxTTL: z.number(),
    ParametersInCacheKeyAndForwardedToOrigin: z.strictObject({
      CookiesConfig: z.strictObject({ CookieBehavior: z.literal('none') }),
      HeadersConfig: Headers,
      QueryStringsConfig: QueryStrings,
      EnableAcceptEncodingGzip: z.boolean(),
      EnableAcceptEncodingBrotli: z.boolean().default(false),
    }),
  }),
});

const OriginRequestPolicyProperties = z.strictObject({
  OriginRequestPolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: noLocalEffect,
    CookiesConfig: Cookies,
    HeadersConfig: Headers,
    QueryStringsConfig: QueryStrings,
  }),
});

const Override = z.boolean();
const ResponseHeadersPolicyProperties = z.strictObject({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: noLocalEffect,
    CustomHeadersConfig: z
      .strictObject({ Items: z.array(z.strictObject({ Header: z.string(), Value: z.string(), Override })) })
      .default({ Items: [] }),
    // Only that any origin may read; the methods and headers are for preflights.
    CorsConfig: z
      .strictObject({
        AccessControlAllowOrigins: z.strictObject({ Items: z.tuple([z.literal('*')]) }),
        AccessControlAllowMethods: noLocalEffect,
        AccessControlAllowHeaders: noLocalEffect,
        AccessControlAllowCredentials: z.literal(false),
        OriginOverride: z.boolean(),
      })
      .optional(),
    SecurityHeadersConfig: z
      .strictObject({
        ContentSecurityPolicy: z.strictObject({ ContentSecurityPolicy: z.string(), Override }).optional(),
        ContentTypeOptions: z.strictObject({ Override }).optional(),
        FrameOptions: z.strictObject({ FrameOption: z.string(), Override }).optional(),
        ReferrerPolicy: z.strictObject({ ReferrerPolicy: z.string(), Override }).optional(),
        StrictTransportSecurity: z
          .strictObject({
            AccessControlMaxAgeSec: z.number(),
            IncludeSubdomains: z.literal(false).optional(),
            Preload: z.literal(false).optional(),
            Override,
          })
          .optional(),
      })
      .default({}),
  }),
});

/** The policies by id: AWS's managed policies and those of the template. */
export class Policies {
  private readonly cache: Readonly<Record<string, CachePolicy>>;
  private readonly originRequest: Readonly<Record<string, RequestSelections>>;
  private readonly responseHeaders: Readonly<Record<string, ResponseHeadersPolicy>>;

  constructor(stack: Stack) {
    const cache = stack.all('AWS::CloudFront::CachePolicy', CachePolicyProperties);
    const originRequest = stack.all('AWS::CloudFront::OriginRequestPolicy', OriginRequestPolicyProperties);
    const responseHeaders = stack.all('AWS::CloudFront::ResponseHeadersPolicy', ResponseHeadersPolicyProperties);
    this.cache = {
      ...MANAGED_CACHE_POLICIES,
      ...Object.fromEntries(cache.map(({ ref, properties }) => [ref, toCachePolicy(properties)])),
    };
    this.originRequest = {
      ...MANAGED_ORIGIN_REQUEST_POLICIES,
      ...Object.fromEntries(
        originRequest.map(({ ref, properties: { OriginRequestPolicyConfig: config } }) => [
          ref,
          { headers: config.HeadersConfig, query: config.QueryStringsConfig, cookies: config.CookiesConfig },
        ]),
      ),
    };
    this.responseHeaders = Object.fromEntries(
      responseHeaders.map(({ ref, properties }) => [ref, toResponseHeadersPolicy(properties)]),
    );
  }

  cachePolicy(id: string): CachePolicy {
    return requireKnown(this.cache[id], 'cache policy', id);
  }

  originRequestPolicy(id: string | undefined): RequestSelections {
    if (id === undefined) return { headers: NONE, query: NONE, cookies: NONE };
    return requireKnown(this.originRequest[id], 'origin request policy', id);
  }

  responseHeadersPolicy(id: string | undefined): ResponseHeadersPolicy {
    return id === undefined ? [] : requireKnown(this.responseHeaders[id], 'response headers policy', id);
  }
}

/** Reports whether a policy selects the field. */
export function selects({ mode, names }: Selection, name: string): boolean {
  if (mode === 'none' || mode === 'all') return mode === 'all';
  return names.includes(name.toLowerCase()) === (mode === 'whitelist');
}

/** Returns the fields of the response to a viewer's request with those of the policy. */
export function applyResponseHeaders(
  headers: HeaderList,
  policy: ResponseHeadersPolicy,
  request: { readonly headers: HeaderList },
): HeaderList {
  const hasOrigin = header(request.headers, 'origin') !== undefined;
  const added = policy.filter(
    ({ name, override, cors }) => (!cors || hasOrigin) && (override || header(headers, name) === undefined),
  );
  return withHeaders(
    headers,
    added.map(({ name, value }) => [name, value]),
  );
}

function requireKnown<T>(policy: T | undefined, kind: string, id: string): T {
  if (policy === undefined) throw new Error(`The ${kind} ${id} is not supported`);
  return policy;
}

function toCachePolicy({ CachePolicyConfig: config }: z.output<typeof CachePolicyProperties>): CachePolicy {
  const parameters = config.ParametersInCacheKeyAndForwardedToOrigin;
  return {
    headers: parameters.HeadersConfig,
    query: parameters.QueryStringsConfig,
    minTtl: config.MinTTL,
    defaultTtl: config.DefaultTTL,
    maxTtl: config.MaxTTL,
    encodings: [
      ...(parameters.EnableAcceptEncodingGzip ? (['gzip'] as const) : []),
      ...(parameters.EnableAcceptEncodingBrotli ? (['br'] as const) : []),
    ],
  };
}

function toResponseHeadersPolicy({
  ResponseHeadersPolicyConfig: config,
}: z.output<typeof ResponseHeadersPolicyProperties>): ResponseHeadersPolicy {
  const cors = config.CorsConfig;
  const { CustomHeadersConfig: custom, SecurityHeadersConfig: security } = config;
  const field = (name: string, value: string | undefined, override = false) =>
    value === undefined ? [] : [{ name, value, override }];
  const { ContentSecurityPolicy: csp, ContentTypeOptions: types, FrameOptions: frame } = security;
  const { ReferrerPolicy: referrer, StrictTransportSecurity: hsts } = security;
  return [
    ...field('access-control-allow-origin', cors && '*', cors?.OriginOverride).map((one) => ({
      ...one,
      cors: true as const,
    })),
    ...custom.Items.flatMap(({ Header, Value, Override }) => field(Header, Value, Override)),
    ...field('content-security-policy', csp?.ContentSecurityPolicy, csp?.Override),
    ...field('x-content-type-options', types && 'nosniff', types?.Override),
    ...field('x-frame-options', frame?.FrameOption, frame?.Override),
    ...field('referrer-policy', referrer?.ReferrerPolicy, referrer?.Override),
    ...field('strict-transport-security', hsts && `max-age=${hsts.AccessControlMaxAgeSec}`, hsts?.Override),
  ];
}
