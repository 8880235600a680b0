import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OperatorFile } from '../local/cloud.ts';
import { readSettings } from '../local/settings.ts';

/** What an operator's command works on. */
export interface Stage {
  readonly db: DynamoDBDocumentClient;
  readonly apiKeysTable: string;
}

/** The local service, or a stack in the AWS account that the environment's credentials are for. */
export function openStage(stack: string | undefined): Promise<Stage> {
  return stack === undefined ? openLocal() : openStack(stack);
}

async function openLocal(): Promise<Stage> {
  const file = join(readSettings().stateDir, 'operator.json');
  if (!existsSync(file))
    throw new Error('There is no local service yet: run npm start first (or name a --stack)');
  const { outputs, endpoint, region, ...credentials } = JSON.parse(
    readFileSync(file, 'utf8'),
  ) as OperatorFile;
  const client = new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 2 });
  await requireReachable(endpoint);
  return stage(client, outputs);
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
  const outputs = (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [
    OutputKey,
    OutputValue,
  ]);
  return stage(new DynamoDBClient(), Object.fromEntries(outputs) as Record<string, string>);
}

function stage(client: DynamoDBClient, { ApiKeysTable }: Readonly<Record<string, string>>): Stage {
  if (!ApiKeysTable) throw new Error('The stack has no output ApiKeysTable: is it a stack of this project?');
  return { db: DynamoDBDocumentClient.from(client), apiKeysTable: ApiKeysTable };
}
