import { CloudFrontClient, CreateInvalidationCommand } from '@aws-sdk/client-cloudfront';
import { S3Client } from '@aws-sdk/client-s3';
import { nanoid } from 'nanoid';
import * as z from 'zod';
import { apiPorts } from '../access/api-ports.ts';
import { apiHandler } from '../http/pipeline.ts';
import { route } from '../http/router.ts';
import { CLIENT } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { ArchiveStore } from './archives.ts';
import { type DeployPorts, deploy } from './deploy.ts';
import { cacheTag } from './edge.ts';
import { PointerStore } from './pointers.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.projectIdSecret]: z.string(),
  [ENV.distributionId]: z.string(),
  [ENV.baseUrl]: z.string(),
});
const access = apiPorts();
const cloudFront = new CloudFrontClient(CLIENT);

const ports: DeployPorts = {
  archives: new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET),
  pointers: new PointerStore(access.db, env.DEPLOYMENTS_TABLE),
  invalidate: async (id) => {
    // Among the paths of an invalidation, an item that starts with # is a cache tag.
    const Paths = { Quantity: 1, Items: [`#${cacheTag(id)}`] };
    const InvalidationBatch = { CallerReference: nanoid(), Paths };
    await cloudFront.send(
      new CreateInvalidationCommand({ DistributionId: env.DISTRIBUTION_ID, InvalidationBatch }),
    );
  },
  clock: access.clock,
  projectIdSecret: env.PROJECT_ID_SECRET,
  baseUrl: env.BASE_URL,
};

/** `POST /deploy`: files become a public page. */
export const handler = apiHandler(
  [
    route('deploy', async ({ request, body }) => {
      const owner = request.caller?.key ? request.caller.id : 'anonymous';
      const { response, created } = await deploy(body, owner, ports);
      return created
        ? { statusCode: 201, headers: { Location: response.url }, body: response }
        : { statusCode: 200, body: response };
    }),
  ],
  access,
  { unreachable: 'deployment_backend_unreachable' },
);
