import { existsSync } from 'node:fs';
import * as z from 'zod';
import type { PolicyStatement } from '../account.ts';
import type { Principals } from '../roles.ts';
import { displayName } from '../template/names.ts';
import { noLocalEffect } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';
import { assetPath } from '../template/template.ts';
import { ONLY_VERSION, readAliases } from './aliases.ts';
import type { FunctionDefinition } from './lambda.ts';

const FunctionProperties = z.strictObject({
  FunctionName: z.string().optional(),
  Runtime: z.string(),
  Handler: z.string(),
  Role: z.string(),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  ReservedConcurrentExecutions: z.number().optional(),
  TenancyConfig: z.strictObject({ TenantIsolationMode: z.literal('PER_TENANT') }).optional(),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
  LoggingConfig: z
    .strictObject({
      LogGroup: z.string().optional(),
      LogFormat: noLocalEffect,
      ApplicationLogLevel: noLocalEffect,
      SystemLogLevel: noLocalEffect,
    })
    .optional(),
  // These depend on the machine or are informational.
  Architectures: noLocalEffect,
  Description: noLocalEffect,
  EphemeralStorage: noLocalEffect,
  Tags: noLocalEffect,
  TracingConfig: noLocalEffect,
  // Only functions of other runtimes, which do not run locally, use layers.
  Layers: noLocalEffect,
});

const PermissionProperties = z.strictObject({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
  FunctionUrlAuthType: z.string().optional(),
  InvokedViaFunctionUrl: z.boolean().optional(),
});

/** The endpoints of AWS services for functions. */
export interface Endpoints {
  /** S3 and DynamoDB. */
  readonly backend: string;
  /** All other services. */
  readonly control: string;
  /** Address of the resolver; without it, that of the machine. */
  readonly dns?: string;
}

/** Returns the names of functions by the ARNs of their roles, for log lines. */
export function functionNamesByRole(stack: Stack): Map<string, string> {
  const functions = stack.all('AWS::Lambda::Function', FunctionProperties);
  return new Map(functions.map(({ logicalId, properties }) => [properties.Role, displayName(logicalId)]));
}

/**
 * Returns the functions of the template.
 * @param machineVariables environment variables that they get besides those of the template and of Lambda
 */
export function readFunctions(
  stack: Stack,
  principals: Principals,
  endpoints: Endpoints,
  machineVariables: Readonly<Record<string, string>> = {},
): FunctionDefinition[] {
  const permissions = readPermissions(stack);
  const aliases = new Map(readAliases(stack).map(({ functionName, names }) => [functionName, names]));
  return stack
    .all('AWS::Lambda::Function', FunctionProperties)
    .map(({ logicalId, ref, attribute, properties }) => {
      const arn = attribute('Arn');
      const { accessKeyId, principal } = principals.get(properties.Role);
      const codeDir = assetPath(stack.assembly, properties.Code.S3Key).folder;
      const names = aliases.get(ref);
      if (!existsSync(codeDir)) throw new Error(`The assembly lacks the code of ${logicalId}: ${codeDir}`);
      return {
        name: displayName(logicalId),
        arn,
        roleArn: properties.Role,
        runtime: properties.Runtime,
        codeDir,
        handler: properties.Handler,
        timeoutSeconds: properties.Timeout,
        memoryMb: properties.MemorySize,
        reservedConcurrency: properties.ReservedConcurrentExecutions,
        perTenant: properties.TenancyConfig !== undefined,
        frontDoorPort: Number(new URL(`http://${stack.target.frontDoor}`).port),
        dnsServer: endpoints.dns,
        qualifiers: names && [ONLY_VERSION, ...names],
        policy: permissions.filter(({ Resource: [resource = ''] }) => `${resource}:`.startsWith(`${arn}:`)),
        environment: {
          ...machineVariables,
          ...properties.Environment?.Variables,
          AWS_REGION: stack.target.region,
          AWS_DEFAULT_REGION: stack.target.region,
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: principal.secretAccessKey,
          AWS_ENDPOINT_URL: endpoints.control,
          AWS_ENDPOINT_URL_S3: endpoints.backend,
          AWS_ENDPOINT_URL_DYNAMODB: endpoints.backend,
          AWS_LAMBDA_FUNCTION_NAME: ref,
          AWS_LAMBDA_FUNCTION_VERSION: names === undefined ? '$LATEST' : ONLY_VERSION,
          AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
          AWS_LAMBDA_LOG_GROUP_NAME: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${ref}`,
          AWS_LAMBDA_LOG_STREAM_NAME: 'local',
          AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
          LAMBDA_TASK_ROOT: codeDir,
          _HANDLER: properties.Handler,
          TZ: 'UTC',
        },
      };
    });
}

/**
 * Returns permissions as statements of the functions' resource policies.
 * https://docs.aws.amazon.com/lambda/latest/api/API_AddPermission.html
 */
function readPermissions(stack: Stack): PolicyStatement[] {
  return stack.all('AWS::Lambda::Permission', PermissionProperties).map(({ properties }) => {
    const { SourceArn, SourceAccount, FunctionUrlAuthType, InvokedViaFunctionUrl } = properties;
    return {
      Effect: 'Allow',
      Principal: [properties.Principal],
      Action: [properties.Action],
      Resource: [properties.FunctionName],
      Condition: {
        ...(SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': [SourceArn] } }),
        StringEquals: {
          ...(SourceAccount !== undefined && { 'aws:SourceAccount': [SourceAccount] }),
          ...(FunctionUrlAuthType !== undefined && { 'lambda:FunctionUrlAuthType': [FunctionUrlAuthType] }),
        },
        ...(InvokedViaFunctionUrl !== undefined && {
          Bool: { 'lambda:InvokedViaFunctionUrl': [String(InvokedViaFunctionUrl)] },
        }),
      },
    };
  });
}
