import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { UsageStore } from '../../access/usage-store.ts';
import { pricesConfig } from '../../contract/prices.ts';
import { providersConfig } from '../../contract/providers.ts';
import { CLIENT, documentClient } from '../../platform/aws.ts';
import { ENV, json, readEnv } from '../../platform/env.ts';
import { secretReader } from '../../platform/secrets.ts';
import { projectFilesIn } from '../../stored/project-file-store.ts';
import { CooldownStore } from '../cooldown-store.ts';
import { GenerationStore } from '../generation-store.ts';
import { createProvider } from '../providers/index.ts';
import type { WorkflowState } from '../workflow.ts';
import { type AttemptPorts, runAttempt } from './attempt.ts';
import { deadlinesOf, timeouts } from './deadlines.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.usageTable]: z.string(),
  [ENV.providers]: json(providersConfig),
  [ENV.prices]: json(pricesConfig),
  [ENV.deadlines]: json(timeouts),
});
const db = documentClient();
const secret = secretReader(new SecretsManagerClient(CLIENT));

const ports: AttemptPorts = {
  generations: new GenerationStore(db, env.GENERATIONS_TABLE),
  usage: new UsageStore(db, env.USAGE_TABLE),
  cooldowns: new CooldownStore(db, env.GENERATIONS_TABLE, Date.now),
  files: projectFilesIn(env.GENERATIONS_BUCKET),
  provider: (name) => {
    const config = env.PROVIDERS[name];
    if (!config) throw new Error(`${name} is not configured`);
    return createProvider(config, { secret, prices: env.PRICES, clock: Date.now });
  },
  clock: Date.now,
  deadlines: deadlinesOf(env.DEADLINES),
};

/** Makes the attempts that a generation needs next; called by the state machine. */
export const handler = (state: WorkflowState, context: Context): Promise<WorkflowState> =>
  runAttempt(state, context.awsRequestId, ports);
