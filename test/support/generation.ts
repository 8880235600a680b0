import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { UsageStore } from '../../lambda/access/usage-store.ts';
import type { GenerateRequest, ProviderName } from '../../lambda/contract/generate.ts';
import {
  createGeneration,
  type GenerationInputs,
  type GenerationRequester,
  type StartContext,
  startExecution,
} from '../../lambda/generation/api/start.ts';
import type { Stage } from '../../lambda/generation/attempt/finish-round.ts';
import type { Generation } from '../../lambda/generation/generation.ts';
import { GenerationStore } from '../../lambda/generation/generation-store.ts';
import { ProviderStore } from '../../lambda/generation/provider-store.ts';
import type { Builder } from '../../lambda/stored/builds/builder.ts';
import { skippingLooker } from '../../lambda/stored/looks/stage-looker.ts';
import { ProjectFileStore } from '../../lambda/stored/projects/project-file-store.ts';
import { startMemoryDynamoDB } from './memory-dynamodb.ts';

/** The calls of a stage without budgets. */
export const UNLIMITED: Pick<Stage, 'spendingOf'> = {
  spendingOf:
    () =>
    ({ call }) =>
      call(),
};

/** The objects of a bucket in memory. */
function memoryBucket(): S3Client {
  const objects = new Map<string, Buffer>();
  const send = async ({ input }: { input: { Key: string; Body?: string | Uint8Array } }) => {
    if (input.Body !== undefined) return void objects.set(input.Key, Buffer.from(input.Body));
    const content = objects.get(input.Key);
    if (content === undefined) throw Object.assign(new Error('NoSuchKey'), { name: 'NoSuchKey' });
    return { Body: Readable.from([content]), ContentLength: content.length };
  };
  return { send } as unknown as S3Client;
}

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

/** The dependencies of requests for generations on these stores, with these providers. */
export function startContext(
  { generations, usage, files, providerStore }: Pick<Stores, 'generations' | 'usage' | 'files' | 'providerStore'>,
  names: readonly string[],
  more: Partial<StartContext> = {},
): StartContext {
  return {
    generations,
    usage,
    files,
    providerStore,
    clock: Date.now,
    idSecret: async () => 's',
    ...stageOf(names),
    startExecution: async () => {},
    stopExecution: async () => {},
    ...more,
  };
}

/** Starts the stores of generations, in memory. */
export async function startStores(clock: () => number = Date.now) {
  const database = await startMemoryDynamoDB('generations', 'id');
  const usageDatabase = await startMemoryDynamoDB('usage', 'caller', 'dayOperation');
  const usage = new UsageStore(usageDatabase.db, usageDatabase.table);
  const s3 = memoryBucket();
  return {
    generations: new GenerationStore(database.db, database.table),
    usage,
    /** The table of generations. */
    database,
    providerStore: new ProviderStore(database.db, database.table, clock),
    files: new ProjectFileStore(s3, 'files'),
    builder: NO_BUILDER,
    ...NO_LOOKS,
  };
}

export type Stores = Awaited<ReturnType<typeof startStores>>;
