import * as z from 'zod';
import { SharedCounter } from '../access/shared-counter.ts';
import { apiAccess } from '../http/api-access.ts';
import { apiHandler } from '../http/pipeline.ts';
import { countStored } from '../http/stored-bytes.ts';
import { documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { readViews } from '../stored/views.ts';
import { stageDomains } from './domains/custom-domains.ts';
import { DomainStore } from './domains/domain-store.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { deploymentRoutes } from './routes.ts';
import { deployStage, STAGE_ENV, startExecution } from './stage.ts';
import { StagedBodies } from './staging/staged-bodies.ts';
import { CHECKED_PASSWORDS, WRONG_PASSWORDS, WRONG_PASSWORDS_OF_PAGE } from './unlock.ts';

const env = readEnv({
  ...STAGE_ENV,
  [ENV.deliveriesArn]: z.string(),
  [ENV.allowPrivateWebhooks]: json(z.boolean()),
  [ENV.viewsTable]: z.string().optional(),
  [ENV.viewsUncounted]: z.string().optional(),
  [ENV.domainsArn]: z.string().optional(),
  [ENV.domainTarget]: z.string().optional(),
});
const access = apiAccess();
const { clock, baseUrl, apiUrl, cursorSecret } = access;
const db = documentClient();
const { stage, generations, s3 } = deployStage(env, db, baseUrl, clock);

/** Deploys files and manages deployments. */
export const handler = apiHandler(
  deploymentRoutes({
    ...stage,
    domainTarget: env.DOMAIN_TARGET,
    customDomains: stageDomains(env, new DomainStore(db, env.DEPLOYMENTS_TABLE, clock), startExecution, clock),
    idempotency: new IdempotencyStore(db, env.DEPLOYMENTS_TABLE, clock),
    staged: new StagedBodies(s3, env.SITES_BUCKET),
    generated: (id, caller) => generations.visible(id, caller),
    startDelivery: (delivery) => startExecution(env.DELIVERIES_ARN, delivery.id, delivery),
    allowPrivateWebhooks: env.ALLOW_PRIVATE_WEBHOOKS,
    countStored: countStored(access),
    checkedPasswords: new SharedCounter(access.counting, CHECKED_PASSWORDS),
    wrongPasswords: new SharedCounter(access.counting, WRONG_PASSWORDS),
    wrongPasswordsOfPage: new SharedCounter(access.counting, WRONG_PASSWORDS_OF_PAGE),
    readViews: async (page, period) =>
      env.VIEWS_TABLE === undefined ? [] : readViews(db, env.VIEWS_TABLE, page, period),
    viewsUncounted: env.VIEWS_UNCOUNTED,
    apiUrl,
    cursorSecret,
  }),
  access,
  { unreachable: 'deployment_backend_unreachable' },
);
