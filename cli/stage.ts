import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Command } from 'commander';
import * as z from 'zod';
import { readSettings } from '../terminal/settings.ts';

/** What the local service writes for the commands of its operator: the outputs of its stack, and how to call it. */
const operatorFile = z.object({
  outputs: z.record(z.string(), z.string()),
  /** Of S3 and DynamoDB. */
  endpoint: z.string(),
  /** Of the other services. */
  controlEndpoint: z.string(),
  region: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  stackName: z.string(),
});

/** Adds the option that chooses a stage. */
export function addStageOption(program: Command): Command {
  return program.option('--stack <name>', 'a stack in your AWS account, in place of the local service');
}

/** The deployed stack, local or on AWS, that a command works on. */
export interface Stage extends Disposable {
  readonly stackName: string;
  readonly logs: CloudWatchLogsClient;
  readonly db: DynamoDBDocumentClient;
  readonly cloudFront: CloudFrontClient;
  readonly secrets: SecretsManagerClient;
  readonly s3: S3Client;
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
  const { outputs, endpoint, controlEndpoint, region, stackName, ...credentials } = operatorFile.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  await requireReachable(endpoint);
  const client = { region, credentials, maxAttempts: 2 };
  return stage(
    new DynamoDBClient({ ...client, endpoint }),
    new CloudFrontClient({ ...client, endpoint: controlEndpoint }),
    new SecretsManagerClient({ ...client, endpoint: controlEndpoint }),
    new S3Client({ ...client, endpoint, forcePathStyle: true }),
    new CloudWatchLogsClient({ ...client, endpoint: controlEndpoint }),
    stackName,
    new Map(Object.entries(outputs)),
  );
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
    new DynamoDBClient(),
    new CloudFrontClient(),
    new SecretsManagerClient(),
    new S3Client(),
    new CloudWatchLogsClient(),
    name,
    new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
  );
}

function stage(
  client: DynamoDBClient,
  cloudFront: CloudFrontClient,
  secrets: SecretsManagerClient,
  s3: S3Client,
  logs: CloudWatchLogsClient,
  stackName: string,
  outputs: ReadonlyMap<string, string>,
): Stage {
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`The stack has no output ${name}: deploy it again, if it is a stack of this project`);
  };
  return {
    db: DynamoDBDocumentClient.from(client),
    cloudFront,
    secrets,
    s3,
    logs,
    stackName,
    outputs,
    output,
    optionalOutput: (name) => outputs.get(name),
    [Symbol.dispose]() {
      client.destroy();
      cloudFront.destroy();
      secrets.destroy();
      s3.destroy();
      logs.destroy();
    },
  };
}
