import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import * as z from 'zod';
import { SharedCounter } from '../access/shared-counter.ts';
import { RATE_LIMIT } from '../contract/limits.ts';
import { apiAccess } from '../http/api-access.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { readDeployment } from '../stored/deployment.ts';
import { findTenant } from '../stored/tenant.ts';
import { ReportStore } from './report-store.ts';
import { refusedForm, reportRoutes } from './routes.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.rateLimit]: json(z.object({ reports: z.number().default(RATE_LIMIT.reports) })),
  [ENV.abuse]: z.string().optional(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.tenantsDistribution]: z.string().optional(),
});
const access = apiAccess();
const { clock, baseUrl } = access;
const db = documentClient();
const ofDay = new SharedCounter(access.counting, {
  name: 'reports',
  windowSeconds: 86_400,
  limit: env.RATE_LIMIT.reports,
  batch: 1,
});

const stage = {
  reports: new ReportStore(db, env.DEPLOYMENTS_TABLE),
  findDeployment: (id: string) => readDeployment(db, env.DEPLOYMENTS_TABLE, id, clock()),
  idAtDomain: idAtDomain(env.TENANTS_DISTRIBUTION),
  count: (caller: string) => ofDay.count(`reports/${caller}`),
  // A rotation during the day lets each address report a page once more.
  secret: access.cursorSecret,
  baseUrl,
  siteOrigin: env.SITE_ORIGIN,
  clock,
};

function idAtDomain(distributionId: string | undefined) {
  if (distributionId === undefined) return undefined;
  const cloudFront = new CloudFrontClient(CLIENT);
  return async (domain: string) => (await findTenant(domain, distributionId, cloudFront))?.deployment;
}

/** Takes reports of deployed pages, from programs and from the form. */
export const handler = apiHandler(reportRoutes(stage, env.ABUSE), access, {
  unreachable: 'unavailable',
  errorPage: (request, response) => refusedForm(request, response, baseUrl, env.ABUSE),
});
