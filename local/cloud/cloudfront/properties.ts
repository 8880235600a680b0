import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';
import { TenantConfig, tenancyMistakes } from './parameters.ts';

/** The properties of distributions that the local cloud supports; any other is an error that names it. */

const Behavior = z.strictObject({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  CachedMethods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string().optional(),
  FunctionAssociations: z
    .array(
      z.strictObject({ EventType: z.enum(['viewer-request', 'viewer-response']), FunctionARN: z.string() }),
    )
    .refine((all) => new Set(all.map(({ EventType }) => EventType)).size === all.length)
    .default([]),
  // The local cloud does not compress, and serves plain HTTP only.
  Compress: noLocalEffect,
  ViewerProtocolPolicy: noLocalEffect,
});

const Origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: z.string().default(''),
  OriginCustomHeaders: z
    .array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() }))
    .default([]),
  OriginAccessControlId: z.string().optional(),
  CustomOriginConfig: z
    .strictObject({
      OriginProtocolPolicy: z.literal('https-only'),
      OriginReadTimeout: z.number().max(120).default(30),
      OriginSSLProtocols: noLocalEffect,
      OriginKeepaliveTimeout: noLocalEffect,
    })
    .optional(),
  S3OriginConfig: z
    .strictObject({
      OriginAccessIdentity: z.literal('').optional(),
      OriginReadTimeout: z.number().default(30),
    })
    .optional(),
  // Origins are called in process, without connections.
  ConnectionAttempts: noLocalEffect,
  ConnectionTimeout: noLocalEffect,
});

const DistributionConfig = z.strictObject({
  Enabled: z.literal(true),
  ConnectionMode: z.enum(['direct', 'tenant-only']).default('direct'),
  TenantConfig: TenantConfig.optional(),
  Origins: z.array(Origin),
  DefaultCacheBehavior: Behavior,
  CacheBehaviors: z.array(Behavior).default([]),
  DefaultRootObject: z.string().default(''),
  WebACLId: z.string().optional(),
  Aliases: z.array(z.string().toLowerCase()).default([]),
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
  // Certificates, protocols, prices and logs have no local effect.
  Comment: noLocalEffect,
  HttpVersion: noLocalEffect,
  IPV6Enabled: noLocalEffect,
  Logging: noLocalEffect,
  PriceClass: noLocalEffect,
  ViewerCertificate: noLocalEffect,
});

export const DistributionProperties = z.strictObject({
  DistributionConfig: DistributionConfig.superRefine((config, context) => {
    for (const message of tenancyMistakes(config)) context.addIssue(message);
  }),
  Tags: noLocalEffect,
});

export const FunctionProperties = z.strictObject({
  Name: z.string(),
  AutoPublish: z.literal(true),
  FunctionCode: z.string(),
  FunctionConfig: z.strictObject({ Runtime: z.literal('cloudfront-js-2.0'), Comment: noLocalEffect }),
});

export const OriginAccessControlProperties = z.strictObject({
  OriginAccessControlConfig: z.strictObject({
    Name: z.string(),
    OriginAccessControlOriginType: z.enum(['s3', 'lambda']),
    SigningBehavior: z.literal('always'),
    SigningProtocol: z.literal('sigv4'),
    Description: noLocalEffect,
  }),
});

export const UrlProperties = z.strictObject({
  TargetFunctionArn: z.string(),
  AuthType: z.literal('AWS_IAM'),
  Qualifier: z.string().optional(),
  InvokeMode: z.enum(['BUFFERED', 'RESPONSE_STREAM']).default('BUFFERED'),
});

export type UrlProperties = z.output<typeof UrlProperties>;
export type BehaviorProperties = z.output<typeof Behavior>;
export type OriginProperties = z.output<typeof Origin>;
export type DistributionProperties = z.output<typeof DistributionProperties>;
export type DistributionConfig = DistributionProperties['DistributionConfig'];
