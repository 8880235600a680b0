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

/** The most parameters in one field. */
const PER_FIELD = 2;

/**
 * The properties that a distribution for tenants must not have. The minimum, default and maximum TTL, forwarded values,
 * trusted signers and identities for origins are unknown to the local cloud anyway.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/distribution-config-options.html#unsupported-saas
 */
const UNSUPPORTED = ['Aliases', 'IPV6Enabled', 'Logging', 'PriceClass'] as const;

interface Config extends Partial<Record<(typeof UNSUPPORTED)[number], unknown>> {
  readonly ConnectionMode: 'direct' | 'tenant-only';
  readonly TenantConfig?: TenantConfig | undefined;
  readonly Origins: readonly { readonly DomainName: string; readonly OriginPath: string }[];
}

/** Returns what is wrong with the parts of a configuration that concern tenants. */
export function tenancyMistakes(config: Config): string[] {
  const defined = config.TenantConfig?.ParameterDefinitions.map(({ Name }) => Name) ?? [];
  const fields = config.Origins.flatMap(({ DomainName, OriginPath }) => [DomainName, OriginPath]);
  const parameters = fields.map(parametersIn);
  const undefinedOnes = parameters.flat().filter((name) => !defined.includes(name));
  const forTenants = config.ConnectionMode === 'tenant-only';
  const unsupported = UNSUPPORTED.filter((field) => isSet(config[field]));
  return [
    ...undefinedOnes.map((name) => `the parameter ${name} is not defined in TenantConfig`),
    ...(parameters.some(({ length }) => length > PER_FIELD)
      ? [`a field has more than ${PER_FIELD} parameters`]
      : []),
    ...(forTenants ? unsupported.map((field) => `a multi-tenant distribution has no ${field}`) : []),
    ...(!forTenants && config.TenantConfig ? ['only a multi-tenant distribution has a TenantConfig'] : []),
  ];
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
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
