import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { assetRules } from '../contract/assets.ts';
import { apiAccess } from '../http/api-access.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { AssetObjects } from './asset-objects.ts';
import { AssetStore } from './asset-store.ts';
import { assetRoutes } from './routes.ts';

const env = readEnv({
  [ENV.assetsTable]: z.string(),
  [ENV.assetsBucket]: z.string(),
  [ENV.assetRules]: json(assetRules),
});
const access = apiAccess();
const s3 = new S3Client({
  ...CLIENT,
  // The body of a presigned request is not known here, so its checksum cannot be signed.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});
const assets = new AssetStore(documentClient(), env.ASSETS_TABLE, access.clock);
const objects = new AssetObjects(s3, env.ASSETS_BUCKET, access.clock);

export const handler = apiHandler(assetRoutes(assets, objects, env.ASSET_RULES, access), access, {
  unreachable: 'unavailable',
});
