import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';

/** What the local cloud honours of the API Gateway resources; anything else is an error that names it. */

export const RestApiProperties = z.strictObject({
  Name: z.string(),
  BinaryMediaTypes: z.array(z.string()).default([]),
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

export const StageProperties = z.strictObject({
  RestApiId: z.string(),
  DeploymentId: z.string(),
  StageName: z.string(),
  Variables: z.record(z.string(), z.string()).optional(),
  // Logs, metrics and throttling are not measured locally.
  AccessLogSetting: noLocalEffect,
  MethodSettings: noLocalEffect,
  TracingEnabled: noLocalEffect,
  Description: noLocalEffect,
  Tags: noLocalEffect,
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

const MockIntegration = z.strictObject({
  Type: z.literal('MOCK'),
  RequestTemplates: z.strictObject({ 'application/json': z.string() }),
  PassthroughBehavior: noLocalEffect,
  IntegrationResponses: z.tuple([
    z.strictObject({
      StatusCode: z.coerce.number(),
      ResponseParameters: z.record(z.string(), z.string()).default({}),
      ResponseTemplates: z.record(z.string(), z.string()).default({}),
    }),
  ]),
});

export const MethodProperties = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.string(),
  AuthorizationType: z.literal('NONE'),
  ApiKeyRequired: z.literal(false).optional(),
  Integration: z.discriminatedUnion('Type', [LambdaIntegration, MockIntegration]),
  // Declarations for generated clients; a proxy integration passes everything on.
  MethodResponses: noLocalEffect,
  OperationName: noLocalEffect,
  RequestParameters: noLocalEffect,
});

export type LambdaIntegrationProperties = z.output<typeof LambdaIntegration>;
export type MockIntegrationProperties = z.output<typeof MockIntegration>;
