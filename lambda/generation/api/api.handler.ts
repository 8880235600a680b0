import type { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { pricesConfig } from '../../contract/prices.ts';
import type { ProvidersConfig } from '../../contract/providers.ts';
import { apiAccess } from '../../http/api-access.ts';
import { apiHandler } from '../../http/pipeline.ts';
import { countStored } from '../../http/stored-bytes.ts';
import { CLIENT, documentClient } from '../../platform/aws.ts';
import { ENV, json, readEnv, validJson } from '../../platform/env.ts';
import { startExecution, stopExecution } from '../../platform/executions.ts';
import { deploymentSecrets } from '../../stored/deployment-tokens.ts';
import type { ProjectFileStore, ProjectFiles } from '../../stored/projects/project-file-store.ts';
import { GenerationStore } from '../generation-store.ts';
import { ROUTINGS } from '../provider-order.ts';
import { ProviderStore } from '../provider-store.ts';
import { configuredProviders } from '../providers/traits.ts';
import { generationRoutes, UNREACHABLE } from './routes.ts';

const env = readEnv({
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.assetsTable]: z.string(),
  [ENV.assetsBucket]: z.string(),
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.stateMachineArn]: z.string(),
  [ENV.idSecretArn]: z.string(),
  [ENV.tokenSecretArn]: z.string(),
  [ENV.allowPrivateWebhooks]: json(z.boolean()),
  [ENV.providers]: validJson<ProvidersConfig>(),
  [ENV.prices]: json(pricesConfig),
  [ENV.routing]: z.enum(ROUTINGS),
  [ENV.running]: json(z.object({ anonymous: z.int(), key: z.int(), service: z.int() })),
  [ENV.anonymousGeneration]: json(z.boolean()),
});
const stateMachineArn = env.STATE_MACHINE_ARN;
const access = apiAccess();
const db = documentClient();
const secrets = deploymentSecrets(env, access.clock);

/** Loads the S3 client, a sixth of a cold start, while the request waits: it is not needed until a generation ends. */
let loading: Promise<ProjectFileStore> | undefined;
const loadFiles = () => {
  loading ??= import('../../stored/projects/project-file-store.ts').then(({ projectFilesIn }) =>
    projectFilesIn(env.GENERATIONS_BUCKET),
  );
  return loading;
};
const files: ProjectFiles = {
  content: async (file) => (await loadFiles()).content(file),
  contents: async (stored) => (await loadFiles()).contents(stored),
  base: async (key) => (await loadFiles()).base(key),
  putBase: async (id, project) => (await loadFiles()).putBase(id, project),
  changes: async (key) => (await loadFiles()).changes(key),
  putChanges: async (key, changes) => (await loadFiles()).putChanges(key, changes),
  look: async (id, attempt) => (await loadFiles()).look(id, attempt),
  putImage: async (id, content) => (await loadFiles()).putImage(id, content),
};

/** Loaded with the first request that needs it. */
let s3: S3Client | undefined;
const loadS3 = async () => {
  const { S3Client } = await import('@aws-sdk/client-s3');
  s3 ??= new S3Client(CLIENT);
  return s3;
};

/** Starts generations and waits for them. */
export const handler = apiHandler(
  generationRoutes({
    ...access,
    generations: new GenerationStore(db, env.GENERATIONS_TABLE),
    providerStore: new ProviderStore(db, env.GENERATIONS_TABLE, access.clock),
    files,
    deployment: async (id, request) => {
      const [{ liveFiles }, s3] = await Promise.all([import('./stored-inputs.ts'), loadS3()]);
      const [table, bucket] = [env.DEPLOYMENTS_TABLE, env.SITES_BUCKET];
      return liveFiles(id, request, { db, table, s3, bucket, tokens: secrets.tokens, clock: access.clock });
    },
    asset: async (id, owner) => {
      const [{ uploadedAsset }, s3] = await Promise.all([import('./stored-inputs.ts'), loadS3()]);
      const [table, bucket] = [env.ASSETS_TABLE, env.ASSETS_BUCKET];
      return uploadedAsset(id, owner, { db, table, s3, bucket, clock: access.clock });
    },
    configured: configuredProviders(env.PROVIDERS, env.PRICES, env.ROUTING, access.clock()),
    running: env.RUNNING,
    anonymous: env.ANONYMOUS_GENERATION,
    countStored: countStored(access),
    allowPrivateWebhooks: env.ALLOW_PRIVATE_WEBHOOKS,
    ...secrets,
    startExecution: async (name, input) => {
      await startExecution(stateMachineArn, name, input);
      void loadFiles();
    },
    stopExecution: (name) => stopExecution(stateMachineArn, name, 'Canceled by the caller'),
  }),
  access,
  { unreachable: UNREACHABLE, streams: true },
);
