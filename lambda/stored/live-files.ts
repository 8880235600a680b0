import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../platform/clock.ts';
import { readObject } from '../platform/read-object.ts';
import type { SiteFile } from '../sites/accept-files.ts';
import { archiveKey, unpackSite } from '../sites/archive.ts';
import { liveVersion, readDeployment } from './deployment.ts';
import { DEPLOYMENT_ID } from './deployment-id.ts';
import { isOwner, type Requester, type Tokens } from './deployment-owner.ts';

export interface LiveFilesOptions {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly tokens: Tokens;
  readonly clock: Clock;
}

/** Returns the files of the live version of a deployment; undefined if there is none or the caller does not own it. */
export async function liveFiles(
  id: string,
  request: Requester,
  { db, table, s3, bucket, tokens, clock }: LiveFilesOptions,
): Promise<SiteFile[] | undefined> {
  if (!DEPLOYMENT_ID.test(id)) return undefined;
  const deployment = await readDeployment(db, table, id, clock());
  const live = deployment && liveVersion(deployment);
  if (!live || !(await isOwner(deployment, request, tokens))) return undefined;
  // Undefined if many deploys have replaced the version since the pointer was read.
  const archive = await readObject(s3, bucket, archiveKey(id, live.version));
  return (
    archive && Array.from(unpackSite(archive), ([path, content]) => ({ path, content, size: content.length }))
  );
}
