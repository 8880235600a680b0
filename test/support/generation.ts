import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { UsageStore } from '../../lambda/access/usage-store.ts';
import type { GenerateRequest, ProviderName } from '../../lambda/contract/generate.ts';
import {
  createGeneration,
  type GenerationInputs,
  type GenerationRequester,
  type StartContext,
  startExecution,
} from '../../lambda/generation/api/start.ts';
import type { Stage } from '../../lambda/generation/attempt/stage.ts';
import type { Generation } from '../../lambda/generation/generation.ts';
import { GenerationStore } from '../../lambda/generation/generation-store.ts';
import { ProviderStore } from '../../lambda/generation/provider-store.ts';
import type { Builder } from '../../lambda/stored/builds/builder.ts';
import { skippingLooker } from '../../lambda/stored/looks/stage-looker.ts';
import { ProjectFileStore } from '../../lambda/stored/projects/project-file-store.ts';
import type { Account } from '../../local/cloud/account.ts';
import { startBackend } from '../../local/cloud/backend-server.ts';
import { startDynamoDB } from './dynamodb.ts';

/** The calls of a stage without budgets. */
export const UNLIMITED: Pick<Stage, 'spendingOf'> = {
  spendingOf:
    () =>
    ({ call }) =>
      call(),
};

const ACCOUNT: Account = {
  accountId: '111122223333',
  region: 'us-east-1',
  principals: {
    AKIATEST: {
      name: 'test',
      arn: 'arn:aws:iam::111122223333:role/test',
      secretAccessKey: 'test',
      statements: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['*'] }],
    },
  },
  buckets: [{ name: 'files', policy: [] }],
  tables: [],
};

/** The builder of a stage whose projects are all plain. */
export const NO_BUILDER: Builder = {
  build: () => Promise.reject(new Error('There is nothing to build')),
};

/** The looks of a stage without a browser. */
export const NO_LOOKS: Pick<Stage, 'looker' | 'unlooked'> = {
  looker: skippingLooker('There is no browser'),
  unlooked: () => undefined,
};

/** Creates a generation and starts its execution, as a request does. */
export async function startGeneration(
  request: GenerateRequest,
  origin: GenerationRequester,
  ports: StartContext,
  given?: GenerationInputs,
): Promise<Generation> {
  const generation = await createGeneration(request, origin, ports, given);
  await startExecution(generation, ports);
  return generation;
}

/** The settings of a stage with these providers, and without limits. */
export function stageOf(names: readonly string[]): Pick<StartContext, 'configured' | 'running' | 'closures'> {
  return {
    configured: { names: names as ProviderName[], routing: 'order', traits: {} },
    running: { anonymous: 1_000, key: 1_000, service: 1_000 },
    closures: { closedUntil: async () => undefined },
  };
}

/** Starts the stores of generations on their own DynamoDB and S3. */
export async function startStores(clock: () => number = Date.now) {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-generation-'));
  const backend = await startBackend(ACCOUNT, { backendPort: 0, stateDir });
  const database = await startDynamoDB('generations', 'id');
  const usageDatabase = await startDynamoDB('usage', 'caller', 'dayOperation');
  const usage = new UsageStore(usageDatabase.db, usageDatabase.table);
  const credentials = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' };
  const s3 = new S3Client({ endpoint: backend.url, region: 'us-east-1', credentials });
  return {
    generations: new GenerationStore(database.db, database.table),
    usage,
    /** The table of generations. */
    database,
    providerStore: new ProviderStore(database.db, database.table, clock),
    files: new ProjectFileStore(s3, 'files'),
    builder: NO_BUILDER,
    ...NO_LOOKS,
    close: async () => {
      s3.destroy();
      await Promise.all([backend.close(), database.close(), usageDatabase.close()]);
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

export type Stores = Awaited<ReturnType<typeof startStores>>;
