import * as z from 'zod';

/** What the local cloud honours of a distribution; anything else is an error that names it. */

const Behavior = z.strictObject({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  CachedMethods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string().optional(),
  FunctionAssociations: z
    .array(z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() }))
    .max(1)
    .default([]),
  // Answers are not compressed locally, and there is only plain HTTP.
  Compress: z.unknown(),
  ViewerProtocolPolicy: z.unknown(),
});

const Origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string().default(''),
  OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })).default([]),
  OriginAccessControlId: z.string().optional(),
  CustomOriginConfig: z
    .strictObject({
      OriginProtocolPolicy: z.literal('https-only'),
      OriginReadTimeout: z.number().max(120).default(30),
      OriginSSLProtocols: z.unknown(),
      OriginKeepaliveTimeout: z.unknown(),
    })
    .optional(),
  S3OriginConfig: z
    .strictObject({ OriginAccessIdentity: z.literal('').optional(), OriginReadTimeout: z.number().default(30) })
    .optional(),
  // Connections are function calls here.
  ConnectionAttempts: z.unknown(),
  ConnectionTimeout: z.unknown(),
});

export const DistributionProperties = z.strictObject({
  DistributionConfig: z.strictObject({
    Enabled: z.literal(true),
    Origins: z.array(Origin),
    DefaultCacheBehavior: Behavior,
    CacheBehaviors: z.array(Behavior).default([]),
    DefaultRootObject: z.string().default(''),
    CacheTagConfig: z.strictObject({ HeaderName: z.string() }).optional(),
    CustomErrorResponses: z
      .array(
        z.strictObject({
          ErrorCode: z.number(),
          ErrorCachingMinTTL: z.number().default(10),
          ResponseCode: z.number().optional(),
          ResponsePagePath: z.string().optional(),
        }),
      )
      .default([]),
    // Of names, protocols, prices and logs, which a laptop does not have.
    Aliases: z.unknown(),
    Comment: z.unknown(),
    HttpVersion: z.unknown(),
    IPV6Enabled: z.unknown(),
    Logging: z.unknown(),
    PriceClass: z.unknown(),
    ViewerCertificate: z.unknown(),
  }),
  Tags: z.unknown(),
});

export const FunctionProperties = z.strictObject({
  Name: z.string(),
  AutoPublish: z.literal(true),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({ Runtime: z.literal('cloudfront-js-2.0'), Comment: z.unknown() }),
});

export const OriginAccessControlProperties = z.strictObject({
  OriginAccessControlConfig: z.strictObject({
    Name: z.string(),
    OriginAccessControlOriginType: z.enum(['s3', 'lambda']),
    SigningBehavior: z.literal('always'),
    SigningProtocol: z.literal('sigv4'),
    Description: z.unknown(),
  }),
});

export const UrlProperties = z.strictObject({
  TargetFunctionArn: z.string(),
  AuthType: z.literal('AWS_IAM'),
  InvokeMode: z.literal('RESPONSE_STREAM'),
});

export type BehaviorProperties = z.output<typeof Behavior>;
export type OriginProperties = z.output<typeof Origin>;
export type DistributionConfig = z.output<typeof DistributionProperties>['DistributionConfig'];
