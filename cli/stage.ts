import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OperatorFile } from '../local/cloud/cloud.ts';
import { readSettings } from '../local/settings.ts';

/** The option that names the stack, of every command that works on a stage. */
export const STAGE_OPTIONS = { stack: { type: 'string' } } as const;

/** What an operator's command works on. */
export interface Stage {
  readonly db: DynamoDBDocumentClient;
  readonly cloudFront: CloudFrontClient;
  /** An output of the stack. @throws Error with a sentence when the stack has none of this name */
  readonly output: (name: string) => string;
}

/** The local service, or a stack in the AWS account that the environment's credentials are for. */
export function openStage(stack: string | undefined): Promise<Stage> {
  return stack === undefined ? openLocal() : openStack(stack);
}

async function openLocal(): Promise<Stage> {
  const file = join(readSettings().stateDir, 'operator.json');
  if (!existsSync(file))
    throw new Error('There is no local service yet: run npm start first (or name a --stack)');
  const { outputs, endpoint, controlEndpoint, region, ...credentials } = JSON.parse(
    readFileSync(file, 'utf8'),
  ) as OperatorFile;
  await requireReachable(endpoint);
  const client = { region, credentials, maxAttempts: 2 };
  return stage(
    new DynamoDBClient({ ...client, endpoint }),
    new CloudFrontClient({ ...client, endpoint: controlEndpoint }),
    new Map(Object.entries(outputs)),
  );
}

async function requireReachable(endpoint: string): Promise<void> {
  await fetch(endpoint).catch(() => {
    throw new Error(
      `Nothing answers at ${endpoint}: start the service with npm start, or its backend with npm run backend`,
    );
  });
}

async function openStack(name: string): Promise<Stage> {
  const { Stacks } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName: name }));
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return stage(
    new DynamoDBClient(),
    new CloudFrontClient(),
    new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
  );
}

function stage(
  client: DynamoDBClient,
  cloudFront: CloudFrontClient,
  outputs: ReadonlyMap<string, string>,
): Stage {
  const output = (name: string) => {
    const value = outputs.get(name);
    if (value !== undefined) return value;
    throw new Error(`The stack has no output ${name}: is it a stack of this project, deployed lately?`);
  };
  return { db: DynamoDBDocumentClient.from(client), cloudFront, output };
}
