import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { ArchiveStore } from './archive-store.ts';
import { DeploymentStore } from './deployment-store.ts';
import { sweep } from './sweep.ts';

const env = readEnv({ [ENV.deploymentsTable]: z.string(), [ENV.sitesBucket]: z.string() });
const ports = {
  deployments: new DeploymentStore(documentClient(), env.DEPLOYMENTS_TABLE),
  archives: new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET),
};

/** Deletes what has expired; called every hour. */
export const handler = (): Promise<void> => sweep(ports);
