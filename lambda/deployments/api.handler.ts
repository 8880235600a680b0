import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { SharedCounter } from '../access/shared-counter.ts';
import { apiAccess } from '../http/api-access.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { BUILDER_ENV, lambdaBuilder } from '../stored/builds/builder.ts';
import { deploymentSecrets } from '../stored/deployment-tokens.ts';
import { GeneratedProjects } from '../stored/projects/generated-project.ts';
import { ProjectFileStore } from '../stored/projects/project-file-store.ts';
import { readViews } from '../stored/views/read-views.ts';
import { countAnonymous } from './anonymous-bytes.ts';
import { InvalidationBudget } from './copies/invalidation-budget.ts';
import { startExecution, withdrawalStarter } from './copies/start-withdrawal.ts';
import { DomainStore } from './domains/domain-store.ts';
import { domainPorts } from './domains/stage-domains.ts';
import { GATE_ENV, gateOf } from './gate.ts';
import { LOOK_STARTER_ENV, lookStarter } from './looks/look-starter.ts';
import { deploymentRoutes } from './routes.ts';
import { CHECKED_PASSWORDS, WRONG_PASSWORDS } from './settings/unlock.ts';
import { StagedBodies } from './staging/staged-body-store.ts';
import { ArchiveStore } from './store/archive-store.ts';
import { DeployerStore } from './store/deployer-store.ts';
import { DeploymentStore } from './store/deployment-store.ts';
import { IdempotencyStore } from './store/idempotency-store.ts';

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
  [ENV.withdrawalArn]: z.string(),
  [ENV.deliveriesArn]: z.string(),
  [ENV.allowPrivateWebhooks]: json(z.boolean()),
  [ENV.edgeSeconds]: z.coerce.number(),
  [ENV.anonymousDays]: z.coerce.number(),
  [ENV.invalidationsPerMonth]: z.coerce.number(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.viewsTable]: z.string().optional(),
  [ENV.viewsUncounted]: z.string().optional(),
  [ENV.domainsArn]: z.string().optional(),
  [ENV.domainTarget]: z.string().optional(),
});
const access = apiAccess();
const { clock, baseUrl, apiUrl, cursorSecret } = access;
const db = documentClient();
const s3 = new S3Client(CLIENT);
const projectFiles = new ProjectFileStore(s3, env.GENERATIONS_BUCKET);
const generations = new GeneratedProjects(db, env.GENERATIONS_TABLE, projectFiles);

/** Deploys files and manages deployments. */
export const handler = apiHandler(
  deploymentRoutes({
    builder: lambdaBuilder(env),
    looks: lookStarter(env),
    archives: new ArchiveStore(s3, env.SITES_BUCKET),
    deployments: new DeploymentStore(db, env.DEPLOYMENTS_TABLE, clock),
    anonymousDays: env.ANONYMOUS_DAYS,
    checkedPasswords: new SharedCounter(access.counting, CHECKED_PASSWORDS),
    wrongPasswords: new SharedCounter(access.counting, WRONG_PASSWORDS),
    deployers: new DeployerStore(db, env.DEPLOYMENTS_TABLE),
    idempotency: new IdempotencyStore(db, env.DEPLOYMENTS_TABLE, clock),
    staged: new StagedBodies(s3, env.SITES_BUCKET),
    generated: (id, caller) => generations.visible(id, caller),
    withdraw: withdrawalStarter(env.WITHDRAWAL_ARN),
    gate: gateOf(env, { baseUrl, siteOrigin: env.SITE_ORIGIN }),
    startDelivery: (delivery) => startExecution(env.DELIVERIES_ARN, delivery.id, delivery),
    allowPrivateWebhooks: env.ALLOW_PRIVATE_WEBHOOKS,
    clock,
    ...deploymentSecrets(env, clock),
    baseUrl,
    apiUrl,
    cursorSecret,
    siteOrigin: env.SITE_ORIGIN,
    domainTarget: env.DOMAIN_TARGET,
    customDomains: domainPorts(env, new DomainStore(db, env.DEPLOYMENTS_TABLE, clock), startExecution, clock),
    edgeSeconds: env.EDGE_SECONDS,
    readViews: async (page, period) =>
      env.VIEWS_TABLE === undefined ? [] : readViews(db, env.VIEWS_TABLE, page, period),
    viewsUncounted: env.VIEWS_UNCOUNTED,
    countDeployed: countAnonymous(access.bytesPerDay.anonymousTogether, access.counting, access.closures),
    invalidations: new InvalidationBudget(db, env.DEPLOYMENTS_TABLE, env.INVALIDATIONS_PER_MONTH),
  }),
  access,
  { unreachable: 'deployment_backend_unreachable' },
);
