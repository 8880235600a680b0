import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { UsageStore } from '../access/usage.ts';
import { providersConfig } from '../contract/providers.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { secretReader } from '../platform/secrets.ts';
import { Cooldowns } from './cooldowns.ts';
import { JobStore } from './jobs.ts';
import { projectFilesIn } from './project-files.ts';
import { createProvider } from './providers/index.ts';
import { type RunPorts, runStep } from './run.ts';
import type { StepState } from './workflow.ts';

const seconds = z.number();
const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.usageTable]: z.string(),
  [ENV.providers]: json(providersConfig),
  [ENV.deadlines]: json(
    z.object({ providerTimeoutSeconds: seconds, firstTokenSeconds: seconds, stallSeconds: seconds }),
  ),
});
const { providerTimeoutSeconds, firstTokenSeconds, stallSeconds } = env.DEADLINES;
const db = documentClient();
const secret = secretReader(new SecretsManagerClient(CLIENT));

const ports: RunPorts = {
  jobs: new JobStore(db, env.GENERATIONS_TABLE, new UsageStore(db, env.USAGE_TABLE)),
  cooldowns: new Cooldowns(db, env.GENERATIONS_TABLE, Date.now),
  files: projectFilesIn(env.GENERATIONS_BUCKET),
  provider: (name) => {
    const config = env.PROVIDERS[name];
    if (!config) throw new Error(`${name} is not configured`);
    return createProvider(config, { secret });
  },
  clock: Date.now,
  deadlines: {
    // The run ends itself a little before the state machine would, cold start included, and so says more.
    totalMs: providerTimeoutSeconds * 1000 - Math.min(3_000, providerTimeoutSeconds * 100),
    firstMs: firstTokenSeconds * 1000,
    stallMs: stallSeconds * 1000,
  },
};

/** One step of a generation, called by the state machine. The request's id is the run's token. */
export const handler = (state: StepState, context: Context): Promise<StepState> =>
  runStep(state, context.awsRequestId, ports);
