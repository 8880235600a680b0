import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { fetchedSecret } from '../platform/fetched-secret.ts';
import { logAbout } from '../platform/log.ts';
import { BUILDER_ENV, lambdaBuilder } from '../stored/builds/builder.ts';
import type { DeployOutcome } from '../stored/deploy-target.ts';
import { deploymentSecrets } from '../stored/deployment-tokens.ts';
import { GeneratedProjects } from '../stored/projects/generated-project.ts';
import { ProjectFileStore } from '../stored/projects/project-file-store.ts';
import { InvalidationBudget } from './copies/invalidation-budget.ts';
import { withdrawalStarter } from './copies/start-withdrawal.ts';
import { deployGeneration } from './deploy-generation.ts';
import { GATE_ENV, gateOf } from './gate.ts';
import { LOOK_STARTER_ENV, lookStarter } from './looks/look-starter.ts';
import { ArchiveStore } from './store/archive-store.ts';
import { DeployerStore } from './store/deployer-store.ts';
import { DeploymentStore } from './store/deployment-store.ts';
import { visitPage } from './visit-page.ts';

const env = readEnv({
  ...BUILDER_ENV,
  ...LOOK_STARTER_ENV,
  ...GATE_ENV,
  [ENV.generationsTable]: z.string(),
  [ENV.generationsBucket]: z.string(),
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.idSecretArn]: z.string(),
  [ENV.tokenSecretArn]: z.string(),
  [ENV.baseUrl]: z.string(),
  [ENV.anonymousDays]: z.coerce.number(),
  [ENV.edgeSeconds]: z.coerce.number(),
  [ENV.invalidationsPerMonth]: z.coerce.number(),
  [ENV.withdrawalArn]: z.string(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.ownCallSecretArn]: z.string().optional(),
});
const db = documentClient();
const s3 = new S3Client(CLIENT);
const ownCallSecret =
  env.OWN_CALL_SECRET_ARN === undefined ? undefined : fetchedSecret(env.OWN_CALL_SECRET_ARN, (text) => text);
const files = new ProjectFileStore(s3, env.GENERATIONS_BUCKET);

const ports = {
  generations: new GeneratedProjects(db, env.GENERATIONS_TABLE, files),
  builder: lambdaBuilder(env),
  looks: lookStarter(env),
  archives: new ArchiveStore(s3, env.SITES_BUCKET),
  deployments: new DeploymentStore(db, env.DEPLOYMENTS_TABLE),
  anonymousDays: env.ANONYMOUS_DAYS,
  deployers: new DeployerStore(db, env.DEPLOYMENTS_TABLE),
  gate: gateOf(env, { baseUrl: env.BASE_URL, siteOrigin: env.SITE_ORIGIN }),
  edgeSeconds: env.EDGE_SECONDS,
  invalidations: new InvalidationBudget(db, env.DEPLOYMENTS_TABLE, env.INVALIDATIONS_PER_MONTH),
  withdraw: withdrawalStarter(env.WITHDRAWAL_ARN),
  visit: async (url: string, origin: string | undefined) =>
    visitPage(url, origin, { ownCallSecret: await ownCallSecret?.() }),
  clock: Date.now,
  ...deploymentSecrets(env),
  baseUrl: env.BASE_URL,
  siteOrigin: env.SITE_ORIGIN,
};

/** Deploys the project of a generation; called by its state machine, whose state it returns with the outcome. */
export const handler = async <State extends { readonly id: string }>(
  state: State,
): Promise<State & { readonly deployed: DeployOutcome }> => {
  logAbout({ generation: state.id });
  return { ...state, deployed: await deployGeneration(state.id, ports) };
};
