import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { apiPorts } from '../http/api-ports.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { ArchiveStore } from './archive-store.ts';
import { DeploymentStore } from './deployment-store.ts';
import { dropFromEdge } from './edge-cache.ts';
import { Once } from './idempotency-store.ts';
import { deploymentRoutes } from './routes.ts';
import { StagedBodies } from './staged-body-store.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.idSecret]: z.string(),
  [ENV.distributionId]: z.string(),
});
const access = apiPorts();
const { clock, baseUrl } = access;
const db = documentClient();
const cloudFront = new CloudFrontClient(CLIENT);
const s3 = new S3Client(CLIENT);

/** Deploys files and manages deployments. */
export const handler = apiHandler(
  deploymentRoutes({
    archives: new ArchiveStore(s3, env.SITES_BUCKET),
    deployments: new DeploymentStore(db, env.DEPLOYMENTS_TABLE),
    once: new Once(db, env.DEPLOYMENTS_TABLE, clock),
    staged: new StagedBodies(s3, env.SITES_BUCKET),
    dropFromEdge: (id) => dropFromEdge(id, env.DISTRIBUTION_ID, cloudFront),
    clock,
    secret: env.ID_SECRET,
    baseUrl,
  }),
  access,
  { unreachable: 'deployment_backend_unreachable' },
);
