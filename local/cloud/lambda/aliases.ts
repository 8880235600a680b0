import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';

/** The only version of a function, with the code of the template. */
export const ONLY_VERSION = '1';

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
export interface Aliases {
  readonly functionName: string;
  readonly names: readonly string[];
}

/**
 * Returns the functions with a version. The local cloud runs one version of a function: `$LATEST`, its number and its aliases all
 * refer to it, but have different resource policies.
 */
export function readAliases(stack: Stack): Aliases[] {
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
