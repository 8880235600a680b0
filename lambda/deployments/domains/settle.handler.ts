import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import * as z from 'zod';
import { CONTROL, documentClient } from '../../platform/aws.ts';
import { ENV, readEnv } from '../../platform/env.ts';
import type { DomainRun } from './custom-domains.ts';
import { publicDns } from './dns.ts';
import { DomainStore } from './domain-store.ts';
import { type NextStep, settle } from './settle.ts';
import { cloudFrontTenants } from './tenants.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.tenantsDistribution]: z.string(),
  [ENV.connectionGroup]: z.string(),
  [ENV.stackName]: z.string(),
});
const stage = {
  domains: new DomainStore(documentClient(), env.DEPLOYMENTS_TABLE),
  tenants: cloudFrontTenants(new CloudFrontClient(CONTROL), {
    distributionId: env.TENANTS_DISTRIBUTION,
    connectionGroupId: env.CONNECTION_GROUP,
    stackName: env.STACK_NAME,
  }),
  dns: publicDns(),
  clock: Date.now,
};

/** Takes the next step of setting up a domain, or of removing it. */
export const handler = (run: DomainRun): Promise<NextStep> => settle(run, stage);
