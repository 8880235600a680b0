import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { reservedIn } from '../bin/account-capacity.ts';
import { type SiteRelease, siteReleaseIn } from './site-release.ts';
import { openStage } from './stage.ts';

/** Facts about a stack that its users cannot see. */
export interface StackFacts {
  /** The URL of its API at API Gateway. */
  readonly gateway: URL;
  /** The account's quota of concurrent executions, the unreserved part of it, and how many the stack's functions reserve. */
  readonly concurrency?:
    | undefined
    | { readonly quota: number; readonly unreserved: number; readonly reserved: number };
  /** Undefined if the stack is deployed all at once, or local. */
  readonly site?: SiteRelease | undefined;
}

/** Lambda keeps this number of concurrent executions unreserved. */
const UNRESERVED = 100;

/** Says why functions do not have the concurrency that they reserve, or returns undefined if they have it. */
export function concurrencyProblem({
  quota,
  unreserved,
  reserved,
}: NonNullable<StackFacts['concurrency']>): string | undefined {
  if (quota - unreserved < reserved)
    return `${reserved} are reserved in the template, but ${quota - unreserved} in the account: deploy the stack again`;
  if (unreserved < UNRESERVED)
    return `Only ${unreserved} of ${quota} are left for functions without a reservation`;
  return undefined;
}

/** The name that stands for the local service. */
const LOCAL = 'local';

/**
 * Reads facts about a stack from AWS.
 * @param name of a stack in the AWS account of the process's credentials, or `local` for the local service
 * @throws Error for missing credentials or permissions
 */
export async function readStack(name: string, env: NodeJS.ProcessEnv): Promise<StackFacts> {
  using stage = await openStage(name === LOCAL ? undefined : name, env);
  const gateway = [...stage.outputs.values()].find((value) => value.includes('.execute-api.'));
  if (gateway === undefined) throw new Error(`The stack ${name} has no output with the URL of its API`);
  if (name === LOCAL) return { gateway: new URL(gateway) };
  const [concurrency, resources] = await Promise.all([readConcurrency(name), stage.resources(name)]);
  return { gateway: new URL(gateway), concurrency, site: siteReleaseIn(resources) };
}

async function readConcurrency(StackName: string): Promise<StackFacts['concurrency']> {
  const lambda = new LambdaClient();
  const cloudFormation = new CloudFormationClient();
  try {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand());
    const { TemplateBody } = await cloudFormation.send(new GetTemplateCommand({ StackName }));
    const { ConcurrentExecutions: quota = 0, UnreservedConcurrentExecutions: unreserved = 0 } =
      AccountLimit ?? {};
    return { quota, unreserved, reserved: reservedIn(TemplateBody) };
  } finally {
    lambda.destroy();
    cloudFormation.destroy();
  }
}
