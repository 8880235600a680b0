import * as z from 'zod';
import { noLocalEffect } from '../template/template.ts';

/** The properties of API Gateway resources that the local cloud supports; any other is an error that names it. */

export const RestApiProperties = z.strictObject({
  Name: z.string(),
  // Otherwise API Gateway treats some bodies as text, and damages others.
  BinaryMediaTypes: z.tuple([z.literal('*/*')]),
  EndpointConfiguration: z.strictObject({
    Types: z.tuple([z.literal('REGIONAL')]),
    IpAddressType: noLocalEffect,
  }),
  Description: noLocalEffect,
  Tags: noLocalEffect,
});

export const ResourceProperties = z.strictObject({
  RestApiId: z.string(),
  ParentId: z.string(),
  PathPart: z.string(),
});

const MethodSetting = z
  .strictObject({
    // With `~1` for each slash but the first.
    ResourcePath: z.string().transform((path) => path.replaceAll('~1', '/').replace(/^\/\//, '/')),
    HttpMethod: z.string(),
    ThrottlingRateLimit: z.number().optional(),
    ThrottlingBurstLimit: z.number().int().optional(),
    DataTraceEnabled: noLocalEffect,
    LoggingLevel: noLocalEffect,
    MetricsEnabled: noLocalEffect,
  })
  // Otherwise the setting of one would come from another setting.
  .refine(
    (one) => (one.ThrottlingRateLimit === undefined) === (one.ThrottlingBurstLimit === undefined),
    'ThrottlingRateLimit and ThrottlingBurstLimit are supported together only',
  );

export const StageProperties = z.strictObject({
  RestApiId: z.string(),
  DeploymentId: z.string(),
  StageName: z.string(),
  MethodSettings: z.array(MethodSetting).default([]),
  // The local cloud has no access logs or metrics.
  AccessLogSetting: noLocalEffect,
  TracingEnabled: noLocalEffect,
  Description: noLocalEffect,
  Tags: noLocalEffect,
});

export const AuthorizerProperties = z.strictObject({
  RestApiId: z.string(),
  Name: z.string(),
  Type: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  // Without caching, there is no cache key.
  AuthorizerResultTtlInSeconds: z.literal(0),
  IdentitySource: z.literal('').optional(),
});

export const GatewayResponseProperties = z.strictObject({
  RestApiId: z.string(),
  ResponseType: z.string(),
  StatusCode: z.coerce.number().optional(),
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  ResponseTemplates: z.strictObject({ 'application/json': z.string() }).optional(),
});

const LambdaIntegration = z.strictObject({
  Type: z.literal('AWS_PROXY'),
  IntegrationHttpMethod: z.literal('POST'),
  Uri: z.string(),
  ResponseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
  TimeoutInMillis: z.number().max(900_000).default(29_000),
});

const IntegrationResponse = z.strictObject({
  StatusCode: z.coerce.number(),
  SelectionPattern: z.string().optional(),
  // All media types are binary, so the template would be treated as base64.
  ContentHandling: z.literal('CONVERT_TO_TEXT'),
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  // Without a template, the caller would get S3's body.
  ResponseTemplates: z.strictObject({ 'application/json': z.string() }),
});

const AwsIntegration = z.strictObject({
  Type: z.literal('AWS'),
  IntegrationHttpMethod: z.literal('PUT'),
  Uri: z.string(),
  Credentials: z.string(),
  // There are no request templates.
  PassthroughBehavior: z.literal('WHEN_NO_MATCH').optional(),
  RequestParameters: z.record(z.string(), z.string()).default({}),
  TimeoutInMillis: z.number().min(50).max(29_000).default(29_000),
  IntegrationResponses: z.array(IntegrationResponse),
});

const MethodResponse = z.strictObject({
  StatusCode: z.coerce.number(),
  ResponseParameters: z.record(z.string().regex(/^method\.response\.header\./), z.boolean()).default({}),
  // Only generated clients use models.
  ResponseModels: noLocalEffect,
});

export const MethodProperties = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.string(),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']),
  AuthorizerId: z.string().optional(),
  ApiKeyRequired: z.literal(false).optional(),
  Integration: z.discriminatedUnion('Type', [LambdaIntegration, AwsIntegration]),
  // Only request validators, which are not supported, enforce required parameters.
  RequestParameters: z.record(z.string().regex(/^method\.request\.header\./), z.boolean()).default({}),
  MethodResponses: z.array(MethodResponse).default([]),
  OperationName: noLocalEffect,
});

export type MethodSetting = z.output<typeof MethodSetting>;
export type MethodProperties = z.output<typeof MethodProperties>;
export type AuthorizerProperties = z.output<typeof AuthorizerProperties>;
export type LambdaIntegrationProperties = z.output<typeof LambdaIntegration>;
export type AwsIntegrationProperties = z.output<typeof AwsIntegration>;
export type IntegrationResponseProperties = z.output<typeof IntegrationResponse>;
