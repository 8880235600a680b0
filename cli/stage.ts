import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import * as z from 'zod';
import { readSettings } from '../terminal/settings.ts';

/**
 * The file that the local service writes for its operator's commands: the outputs of its stack, addresses and
 * credentials.
 */
const operatorFile = z.object({
  outputs: z.record(z.string(), z.string()),
  /** The URL of S3 and DynamoDB. */
  endpoint: z.string(),
  /** The URL of the other services. */
  controlEndpoint: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  stackName: z.string().default(''),
  /**
   * The tables, buckets and secrets of this stack and of former ones in the state folder: physical ids by logical id,
   * by stack.
   */
  resources: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});

/** Adds the option that chooses a stage. */
export function addStageOption(program: Command): Command {
  return program.option('--stack <name>', 'a stack in your AWS account, instead of the local service');
}

/** The services that store the data of stacks. */
export interface Storage {
  readonly db: DynamoDBDocumentClient;
  readonly secrets: SecretsManagerClient;
  readonly s3: S3Client;
  /**
   * Returns the physical ids of a stack's resources by their logical ids; of a deleted stack, those that it retained.
   * @throws Error if there is no such stack
   */
  readonly resources: (stack: string) => Promise<Readonly<Record<string, string>>>;
}

/** The deployed stack, local or on AWS, that a command works on. */
export interface Stage extends Storage, Disposable {
  readonly stackName: string;
  readonly isLocal: boolean;
  readonly cloudFront: CloudFrontClient;
  readonly logs: CloudWatchLogsClient;
  readonly outputs: ReadonlyMap<string, string>;
  /** Returns an output of the stack. @throws Error when it has no output of that name */
  readonly output: (name: string) => string;
  /** Returns an output that not every configuration has. */
  readonly optionalOutput: (name: string) => string | undefined;
}

/**
 * Opens a stack in the AWS account of the process's credentials, which the AWS SDK finds itself, or without a name the
 * local service.
 * @param env names the state folder of the local service
 */
export function openStage(stack: string | undefined, env: NodeJS.ProcessEnv): Promise<Stage> {
  return stack === undefined ? openLocal(env) : openStack(stack);
}

async function openLocal(env: NodeJS.ProcessEnv): Promise<Stage> {
  const { stateDir } = readSettings(env);
  const file = join(stateDir, 'operator.json');
  if (!existsSync(file))
    throw new Error(`${stateDir} has no local service: run npm start first, or name a stack with --stack`);
  const { outputs, endpoint, controlEndpoint, region, stackName, resources, ...credentials } = operatorFile.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  await requireReachable(endpoint);
  const client = { region, credentials, maxAttempts: 2 };
  const storage = {
    db: DynamoDBDocumentClient.from(new DynamoDBClient({ ...client, endpoint })),
    secrets: new SecretsManagerClient({ ...client, endpoint: controlEndpoint }),
    s3: new S3Client({ ...client, endpoint, forcePathStyle: true }),
    resources: async (stack: string) => {
      if (resources[stack]) return resources[stack];
      throw new Error(`There is no stack ${stack}, and ${stateDir} has no data of a former one`);
    },
  };
  const control = {
    cloudFront: new CloudFrontClient({ ...client, endpoint: controlEndpoint }),
    logs: new CloudWatchLogsClient({ ...client, endpoint: controlEndpoint }),
  };
  return stage(storage, control, { stackName, isLocal: true, outputs: new Map(Object.entries(outputs)) });
}

async function requireReachable(endpoint: string): Promise<void> {
  const response = await fetch(endpoint).catch(() => {
    throw new Error(
      `The backend at ${endpoint} is unreachable: start the service with npm start, or its backend with npm run backend`,
    );
  });
  await response.body?.cancel();
}

async function openStack(name: string): Promise<Stage> {
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName: name }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return stage(
    openStorage(),
    { cloudFront: new CloudFrontClient(), logs: new CloudWatchLogsClient() },
    {
      stackName: name,
      isLocal: false,
      outputs: new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
    },
  );
}

/** Opens the storage in a region of AWS, by default the environment's. */
export function openStorage(region?: string): Storage {
  const client = region === undefined ? {} : { region };
  return {
    // Commands that copy much data reach the maximum throughput of tables, and must wait.
    db: DynamoDBDocumentClient.from(new DynamoDBClient({ ...client, maxAttempts: 10 })),
    secrets: new SecretsManagerClient(client),
    s3: new S3Client({ ...client, maxAttempts: 10 }),
    resources: (stack) => stackResources(stack, new CloudFormationClient(client)),
  };
}

function stage(
  storage: Storage,
  { cloudFront, logs }: Pick<Stage, 'cloudFront' | 'logs'>,
  known: Pick<Stage, 'stackName' | 'isLocal' | 'outputs'>,
): Stage {
  const { outputs } = known;
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`The stack has no output ${name}: deploy it again, if it is a stack of this project`);
  };
  return {
    ...storage,
    ...known,
    cloudFront,
    logs,
    output,
    optionalOutput: (name) => outputs.get(name),
    [Symbol.dispose]() {
      for (const client of [storage.db, storage.secrets, storage.s3, cloudFront, logs]) client.destroy();
    },
  };
}

/**
 * Returns the physical ids of a stack's existing resources by their logical ids. CloudFormation lists a deleted stack
 * for 90 days; its existing resources are those that it retained.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 * @throws Error if CloudFormation lists no stack of that name
 */
export async function stackResources(
  name: string,
  client: CloudFormationClient,
): Promise<Readonly<Record<string, string>>> {
  try {
    return (await resourcesOf(name, client)) ?? (await resourcesOfDeleted(name, client));
  } finally {
    client.destroy();
  }
}

async function resourcesOf(
  StackName: string,
  client: CloudFormationClient,
): Promise<Record<string, string> | undefined> {
  const resources: Record<string, string> = {};
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const { LogicalResourceId = '', PhysicalResourceId, ResourceStatus } of StackResourceSummaries)
        if (PhysicalResourceId && ResourceStatus !== 'DELETE_COMPLETE')
          resources[LogicalResourceId] = PhysicalResourceId;
    return resources;
  } catch (error) {
    // The stack was deleted, or never existed.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** Returns the resources of a deleted stack; of the last one, if several had the name. */
async function resourcesOfDeleted(name: string, client: CloudFormationClient): Promise<Record<string, string>> {
  const filter = { StackStatusFilter: ['DELETE_COMPLETE' as const] };
  // CloudFormation lists the newest first.
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, filter)) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return (await resourcesOf(found.StackId, client)) ?? {};
  }
  throw new Error(
    `CloudFormation lists no stack ${name}, not even one deleted within 90 days: name its tables and buckets with --from`,
  );
}
