import * as z from 'zod';
import { noLocalEffect } from '../template/template.ts';

/** The parameters that a multi-tenant distribution defines. */
export const TenantConfig = z.strictObject({
  ParameterDefinitions: z
    .array(
      z.strictObject({
        Name: z.string(),
        Definition: z.strictObject({
          StringSchema: z.strictObject({
            Comment: z.string().optional(),
            Required: z.literal(true),
          }),
        }),
      }),
    )
    .max(5)
    .default([]),
});

export type TenantConfig = z.output<typeof TenantConfig>;

const PARAMETER = /\{\{([^{}]+)\}\}/g;

interface Config {
  readonly TenantConfig?: TenantConfig | undefined;
  readonly Origins: readonly { readonly DomainName: string; readonly OriginPath: string }[];
}

/** Returns the parameters of origins that a configuration does not define. */
function undefinedParameters({ TenantConfig, Origins }: Config): string[] {
  const defined = TenantConfig?.ParameterDefinitions.map(({ Name }) => Name) ?? [];
  const used = Origins.flatMap(({ DomainName, OriginPath }) => [DomainName, OriginPath]).flatMap(parametersIn);
  return used.filter((name) => !defined.includes(name));
}

function parametersIn(field: string): string[] {
  return [...field.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** Returns a field of a configuration with the values of its parameters. */
export function withParameters(field: string, values: Readonly<Record<string, string>>): string {
  return field.replace(PARAMETER, (_all, name: string) => values[name] ?? '');
}

/**
 * Returns the values of the parameters of a tenant.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/tenant-customization.html#tenant-customize-parameters
 * @throws Error that names an unknown or missing parameter
 */
export function parametersOf(
  { ParameterDefinitions }: TenantConfig,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const known = ParameterDefinitions.map(({ Name }) => Name);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`The parameter ${unknown} is not defined in the distribution`);
  const missing = known.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new Error(`The parameter ${missing} is required`);
  return given;
}

const Behavior = z.strictObject({
  PathPattern: z.string().default('*'),
  TargetOriginId: z.string(),
  AllowedMethods: z.array(z.string()).default(['GET', 'HEAD']),
  CachedMethods: z.array(z.enum(['GET', 'HEAD'])).optional(),
  CachePolicyId: z.string(),
  OriginRequestPolicyId: z.string().optional(),
  ResponseHeadersPolicyId: z.string().optional(),
  FunctionAssociations: z
    .array(z.strictObject({ EventType: z.enum(['viewer-request', 'viewer-response']), FunctionARN: z.string() }))
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
  OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })).default([]),
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
    for (const name of undefinedParameters(config))
      context.addIssue(`the parameter ${name} is not defined in TenantConfig`);
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
