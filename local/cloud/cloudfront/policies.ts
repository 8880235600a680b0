import * as z from 'zod';
import { type HeaderList, header, withHeaders } from '../http.ts';
import type { Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';

/** The fields of a request that a policy selects: none, all, only or all except the listed ones. */
export interface Selection {
  readonly mode: 'none' | 'all' | 'whitelist' | 'allExcept';
  /** In lower case. */
  readonly names: readonly string[];
}

export interface RequestSelections {
  readonly headers: Selection;
  readonly query: Selection;
  readonly cookies: Selection;
}

/** Times in seconds. */
export interface CachePolicy extends RequestSelections {
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
    cookies: NONE,
    minTtl: 0,
    defaultTtl: 0,
    maxTtl: 0,
    encodings: [],
  },
  // CachingOptimized
  '658327ea-f89d-4fab-a63d-7e88639e58f6': {
    headers: NONE,
    query: NONE,
    cookies: NONE,
    minTtl: 1,
    defaultTtl: DAY,
    maxTtl: 365 * DAY,
    encodings: ['gzip', 'br'],
  },
};

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-origin-request-policies.html */
const MANAGED_ORIGIN_REQUEST_POLICIES: Readonly<Record<string, RequestSelections>> = {
  // AllViewer
  '216adef6-5c7f-47e4-b989-5492eafa07d3': { headers: ALL, query: ALL, cookies: ALL },
  // AllViewerExceptHostHeader
  'b689b0a8-53d0-40ab-baf2-68738e2966ac': {
    headers: { mode: 'allExcept', names: ['host'] },
    query: ALL,
    cookies: ALL,
  },
};

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-response-headers-policies.html */
const MANAGED_RESPONSE_HEADERS_POLICIES: Readonly<Record<string, ResponseHeadersPolicy>> = {
  // SecurityHeadersPolicy
  '67f7725c-6f97-4210-82d7-5512b31e9d03': [
    { name: 'strict-transport-security', value: 'max-age=31536000', override: false },
    { name: 'x-content-type-options', value: 'nosniff', override: true },
    { name: 'x-frame-options', value: 'SAMEORIGIN', override: false },
    { name: 'x-xss-protection', value: '1; mode=block', override: false },
    { name: 'referrer-policy', value: 'strict-origin-when-cross-origin', override: false },
  ],
};

const nameList = z.array(z.string().transform((name) => name.toLowerCase())).default([]);
const QueryStrings = z
  .strictObject({
    QueryStringBehavior: z.enum(['none', 'all', 'whitelist', 'allExcept']),
    QueryStrings: nameList,
  })
  .transform((one): Selection => ({ mode: one.QueryStringBehavior, names: one.QueryStrings }));
const Cookies = z
  .strictObject({ CookieBehavior: z.enum(['none', 'all', 'whitelist', 'allExcept']), Cookies: nameList })
  .transform((one): Selection => ({ mode: one.CookieBehavior, names: one.Cookies }));

const CachePolicyProperties = z.strictObject({
  CachePolicyConfig: z.strictObject({
    Name: z.string(),
    Comment: noLocalEffect,
    MinTTL: z.number(),
    DefaultTTL: z.number(),
    MaxTTL: z.number(),
    ParametersInCacheKeyAndForwardedToOrigin: z.strictObject({
      CookiesConfig: Cookies,
      HeadersConfig: z
        .strictObject({ HeaderBehavior: z.enum(['none', 'whitelist']), Headers: nameList })
        .transform((one): Selection => ({ mode: one.HeaderBehavior, names: one.Headers })),
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
    HeadersConfig: z
      .strictObject({
        HeaderBehavior: z.enum(['none', 'whitelist', 'allViewer', 'allExcept']),
        Headers: nameList,
      })
      .transform((one): Selection => {
        return { mode: one.HeaderBehavior === 'allViewer' ? 'all' : one.HeaderBehavior, names: one.Headers };
      }),
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
            IncludeSubdomains: z.boolean().default(false),
            Preload: z.boolean().default(false),
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
    const responseHeaders = stack.all(
      'AWS::CloudFront::ResponseHeadersPolicy',
      ResponseHeadersPolicyProperties,
    );
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
    this.responseHeaders = {
      ...MANAGED_RESPONSE_HEADERS_POLICIES,
      ...Object.fromEntries(
        responseHeaders.map(({ ref, properties }) => [ref, toResponseHeadersPolicy(properties)]),
      ),
    };
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
    cookies: parameters.CookiesConfig,
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
  const security = config.SecurityHeadersConfig;
  const csp = security.ContentSecurityPolicy;
  const frame = security.FrameOptions;
  const referrer = security.ReferrerPolicy;
  const hsts = security.StrictTransportSecurity;
  const field = (name: string, value: string, override: boolean) => ({ name, value, override });
  const cors = config.CorsConfig;
  return [
    ...(cors
      ? [{ ...field('access-control-allow-origin', '*', cors.OriginOverride), cors: true } as const]
      : []),
    ...config.CustomHeadersConfig.Items.map((item) => field(item.Header, item.Value, item.Override)),
    ...(csp ? [field('content-security-policy', csp.ContentSecurityPolicy, csp.Override)] : []),
    ...(security.ContentTypeOptions
      ? [field('x-content-type-options', 'nosniff', security.ContentTypeOptions.Override)]
      : []),
    ...(frame ? [field('x-frame-options', frame.FrameOption, frame.Override)] : []),
    ...(referrer ? [field('referrer-policy', referrer.ReferrerPolicy, referrer.Override)] : []),
    ...(hsts
      ? [
          field(
            'strict-transport-security',
            `max-age=${hsts.AccessControlMaxAgeSec}${hsts.IncludeSubdomains ? '; includeSubDomains' : ''}${hsts.Preload ? '; preload' : ''}`,
            hsts.Override,
          ),
        ]
      : []),
  ];
}
