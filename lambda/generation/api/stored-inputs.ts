import type { S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type AssetAttributes, assetKey } from '../../contract/assets.ts';
import { ApiError } from '../../contract/errors.ts';
import { ASSET_ID } from '../../contract/ids.ts';
import { LIMITS } from '../../contract/limits.ts';
import { quote } from '../../contract/messages.ts';
import type { Clock } from '../../platform/clock.ts';
import { readObject } from '../../platform/read-object.ts';
import type { SiteFile } from '../../sites/accept-files.ts';
import { archiveKey, unpackSite } from '../../sites/archive.ts';
import { DEPLOYMENT_ID, liveVersion, readDeployment } from '../../stored/deployment.ts';
import { isOwner, type Requester, type Tokens } from '../../stored/deployment-owner.ts';
import type { UploadedImage } from '../images/given-images.ts';
import { extensionOf } from '../images/shown-images.ts';

/** Where assets are stored. */
interface AssetStorage {
  readonly db: DynamoDBDocumentClient;
  readonly table: string;
  readonly s3: S3Client;
  readonly bucket: string;
  readonly clock: Clock;
}

/**
 * Reads an uploaded image of an owner.
 * @throws ApiError not_found if the owner has no such asset, conflict if it is not marked as uploaded, invalid_request
 *   if it is not an image that a project can have, payload_too_large if it is larger than a file may be
 */
export async function uploadedAsset(id: string, owner: string, storage: AssetStorage): Promise<UploadedImage> {
  const record = ASSET_ID.test(id) ? await recordOf(id, storage) : undefined;
  if (record?.owner !== owner) throw missing(id);
  const { type = 'unknown', size = 0, name } = record.attributes;
  if (record.state !== 'uploaded')
    throw new ApiError('conflict', `The asset ${id} is not marked as uploaded: upload it and PATCH it first`);
  const extension = extensionOf(type);
  if (extension === undefined)
    throw new ApiError(
      'invalid_request',
      `The asset ${id} is of type ${type}, but a project can have PNG, JPEG, GIF, WebP, AVIF and SVG images: upload one of these`,
    );
  if (size > LIMITS.fileBytes) throw tooLarge(id, size);
  const content = await readObject(storage.s3, storage.bucket, assetKey(id));
  if (!content) throw missing(id);
  return { name, extension, content };
}

/** The parts of an asset's record that matter here; its other fields belong to the assets API. */
interface AssetRecord {
  readonly owner: string;
  readonly state: string;
  readonly attributes: AssetAttributes;
  /** Unix seconds; only of a pending asset. */
  readonly expiresAt?: number;
}

async function recordOf(asset_id: string, { db, table, clock }: AssetStorage): Promise<AssetRecord | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName: table, Key: { asset_id }, ConsistentRead: true }));
  const record = Item as AssetRecord | undefined;
  // DynamoDB deletes expired items within days, not at once.
  return record?.expiresAt !== undefined && record.expiresAt * 1000 <= clock() ? undefined : record;
}

function missing(id: string): ApiError {
  return new ApiError(
    'not_found',
    `${quote(id)} in assets is not the id of an asset of yours: POST /api/v1/assets/user-assets/ creates one`,
  );
}

function tooLarge(id: string, bytes: number): ApiError {
  const [has, most] = [bytes, LIMITS.fileBytes].map((number) => number.toLocaleString('en'));
  return new ApiError(
    'payload_too_large',
    `The asset ${id} has ${has} bytes, but an image of a project at most ${most}: reduce its width and height, or save it as WebP or JPEG, and upload it again`,
  );
}

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
  return archive && Array.from(unpackSite(archive), ([path, content]) => ({ path, content, size: content.length }));
}
