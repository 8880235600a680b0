import type { S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { requireOwner, senderOf } from '../../access/deployment-owner.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ApiRequest } from '../../http/request.ts';
import { readObject } from '../../platform/read-object.ts';
import { archiveKey, unpackSite } from '../../sites/archive.ts';
import { type Deployment, liveVersion, toDeployment } from '../../sites/deployment.ts';
import { DEPLOYMENT_ID } from '../../sites/deployment-id.ts';
import type { SiteFile } from '../../sites/site-file.ts';

export interface DeployedProjectPorts {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  /** Derives the tokens of deployments. */
  readonly secret: string;
}

/** Returns the files of the live version of a deployment; undefined if there is none or the caller does not own it. */
export async function deployedProject(
  id: string,
  request: ApiRequest,
  { db, table, s3, bucket, secret }: DeployedProjectPorts,
): Promise<SiteFile[] | undefined> {
  if (!DEPLOYMENT_ID.test(id)) return undefined;
  const { Item } = await db.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true }));
  const deployment = Item && toDeployment(Item);
  const live = deployment && liveVersion(deployment);
  if (!live || !isOwner(deployment, request, secret)) return undefined;
  // Undefined if many deploys have replaced the version since the pointer was read.
  const archive = await readObject(s3, bucket, archiveKey(id, live.version));
  return (
    archive && Array.from(unpackSite(archive), ([path, content]) => ({ path, content, size: content.length }))
  );
}

function isOwner(deployment: Deployment, request: ApiRequest, secret: string): boolean {
  try {
    requireOwner(deployment, request.caller, senderOf(request).token, secret);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
