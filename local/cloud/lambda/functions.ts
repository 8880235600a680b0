import { existsSync } from 'node:fs';
import * as z from 'zod';
import type { PolicyStatement } from '../account.ts';
import type { Principals } from '../roles.ts';
import type { Stack } from '../template/stack.ts';
import { assetPath, displayName, noLocalEffect } from '../template/template.ts';
import { ONLY_VERSION } from './environment.ts';
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
interface Endpoints {
  /** S3 and DynamoDB. */
  readonly backend: string;
  /** All other services. */
  readonly control: string;
  /** The folder of the DNS records. */
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
  return stack.all('AWS::Lambda::Function', FunctionProperties).map(({ logicalId, ref, attribute, properties }) => {
    const arn = attribute('Arn');
    const { accessKeyId, principal } = principals.get(properties.Role);
    const codeDir = assetPath(stack.assembly, properties.Code.S3Key);
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
      dnsFolder: endpoints.dns,
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

const VersionProperties = z.strictObject({ FunctionName: z.string(), Description: noLocalEffect });

const AliasProperties = z.strictObject({
  FunctionName: z.string(),
  FunctionVersion: z.literal(ONLY_VERSION, 'aliases point to the version of the template'),
  Name: z.string(),
  Description: noLocalEffect,
});

/** Deployments have no local effect: after a restart, the new template serves all requests. */
const ApplicationProperties = z.strictObject({ ComputePlatform: z.literal('Lambda') });

const DeploymentGroupProperties = z.strictObject({
  ApplicationName: z.string(),
  ServiceRoleArn: z.string(),
  DeploymentConfigName: z.string(),
  DeploymentStyle: noLocalEffect,
  AlarmConfiguration: noLocalEffect,
  AutoRollbackConfiguration: noLocalEffect,
});

/** A function with a version, and the aliases of that version. */
interface Aliases {
  readonly functionName: string;
  readonly names: readonly string[];
}

/**
 * Returns the functions with a version. The local cloud runs one version of a function: `$LATEST`, its number and its
 * aliases all refer to it, but have different resource policies.
 */
function readAliases(stack: Stack): Aliases[] {
  stack.all('AWS::CodeDeploy::Application', ApplicationProperties);
  stack.all('AWS::CodeDeploy::DeploymentGroup', DeploymentGroupProperties);
  const aliases = stack.all('AWS::Lambda::Alias', AliasProperties);
  return stack.all('AWS::Lambda::Version', VersionProperties).map(({ properties: { FunctionName } }) => ({
    functionName: FunctionName,
    names: aliases
      .filter(({ properties }) => properties.FunctionName === FunctionName)
      .map(({ properties }) => properties.Name),
  }));
}
