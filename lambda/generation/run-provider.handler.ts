import { S3Client } from '@aws-sdk/client-s3';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { type ProviderConfig, providersConfig } from '../contract/providers.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { JobStore } from './jobs.ts';
import { ProjectStore } from './projects.ts';
import { createProvider } from './providers/index.ts';
import { type RunPorts, runProvider } from './run.ts';
import type { AttemptState } from './workflow.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.providers]: json(providersConfig),
  [ENV.providerTimeoutSeconds]: z.coerce.number(),
});

const ports: RunPorts = {
  jobs: new JobStore(documentClient(), env.GENERATIONS_TABLE),
  projects: new ProjectStore(new S3Client(CLIENT), env.GENERATIONS_BUCKET),
  provider: (name) => {
    const config: ProviderConfig | undefined = env.PROVIDERS[name];
    if (!config) throw new Error(`${name} is not configured`);
    return createProvider(config);
  },
  clock: Date.now,
  // The run ends itself a little before the state machine would, cold start included, and so says more than "timeout".
  deadlineMs: env.PROVIDER_TIMEOUT_SECONDS * 1000 - Math.min(3_000, env.PROVIDER_TIMEOUT_SECONDS * 100),
};

/** One attempt with one provider, called by the state machine. */
export const handler = (state: AttemptState, context: Context): Promise<void> =>
  runProvider(state, context.awsRequestId, ports);
