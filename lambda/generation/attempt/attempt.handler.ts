import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { BudgetStore } from '../../access/budget-store.ts';
import { budgets } from '../../access/budgets.ts';
import { StageState } from '../../access/stage-state.ts';
import { UsageStore } from '../../access/usage-store.ts';
import type { ProviderName } from '../../contract/generate.ts';
import { pricesConfig } from '../../contract/prices.ts';
import type { ProvidersConfig } from '../../contract/providers.ts';
import { siteFeatures } from '../../contract/site-features.ts';
import { CLIENT, documentClient } from '../../platform/aws.ts';
import { ENV, json, readEnv, validJson } from '../../platform/env.ts';
import { logAbout } from '../../platform/log.ts';
import { secretReader } from '../../platform/secrets.ts';
import { BUILDER_ENV, lambdaBuilder } from '../../stored/builds/builder.ts';
import { LOOKER_ENV, lambdaLooker } from '../../stored/looks/stage-looker.ts';
import { projectFilesIn } from '../../stored/projects/project-file-store.ts';
import { deadlinesOf, timeouts } from '../durations.ts';
import type { WorkflowState } from '../generation.ts';
import { GenerationStore } from '../generation-store.ts';
import { ProviderStore } from '../provider-store.ts';
import { createProvider } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { runAttempt } from './attempt.ts';
import { type StageBudgets, spendingOf } from './attempt-end.ts';
import type { Stage } from './finish-round.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.usageTable]: z.string(),
  [ENV.providers]: validJson<ProvidersConfig>(),
  [ENV.prices]: json(pricesConfig),
  [ENV.budgets]: json(budgets),
  [ENV.deadlines]: json(timeouts),
  [ENV.lookModels]: z.enum(['all', 'paid']),
  [ENV.sites]: json(siteFeatures),
  ...LOOKER_ENV,
  ...BUILDER_ENV,
});
const db = documentClient();
const secret = secretReader(new SecretsManagerClient(CLIENT));

function provider(name: ProviderName): Provider {
  const config = env.PROVIDERS[name];
  if (!config) throw new Error(`${name} is not configured`);
  return createProvider(config, { secret, prices: env.PRICES, clock: Date.now });
}

/** Returns why projects of a provider are not looked at, as a sentence; undefined if they are. */
function unlooked(name: ProviderName): string | undefined {
  const isLeftOut = env.LOOK_MODELS === 'paid' && env.PROVIDERS[name]?.kind === 'blueprint';
  return isLeftOut ? 'This stage does not look at projects of blueprint (look.models is "paid")' : undefined;
}

const spending: StageBudgets = {
  store: new BudgetStore(db, env.GENERATIONS_TABLE, Date.now),
  closures: new StageState(db, env.RATE_LIMITS_TABLE, Date.now),
  budgets: env.BUDGETS,
  configured: Object.keys(env.PROVIDERS) as ProviderName[],
  provider,
  clock: Date.now,
};

const stage: Stage = {
  generations: new GenerationStore(db, env.GENERATIONS_TABLE),
  usage: new UsageStore(db, env.USAGE_TABLE),
  providerStore: new ProviderStore(db, env.GENERATIONS_TABLE, Date.now),
  files: projectFilesIn(env.GENERATIONS_BUCKET),
  builder: lambdaBuilder(env),
  looker: lambdaLooker(env),
  unlooked,
  provider,
  spendingOf: (generation, retry) => spendingOf(generation, retry, spending),
  clock: Date.now,
  deadlines: deadlinesOf(env.DEADLINES),
  data: env.SITES.data ? env.SITES : undefined,
};

/** Makes the attempts that a generation needs next; called by the state machine. */
export const handler = (state: WorkflowState, context: Context): Promise<WorkflowState> => {
  logAbout({ generation: state.id });
  return runAttempt(state, context.awsRequestId, stage);
};
