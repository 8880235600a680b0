import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { assetRules } from '../contract/assets.ts';
import { apiPorts } from '../http/api-ports.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { AssetObjects } from './asset-object-store.ts';
import { AssetStore } from './asset-store.ts';
import { assetRoutes } from './routes.ts';
import { uploadedBytes } from './uploaded-bytes.ts';

const env = readEnv({
  [ENV.assetsTable]: z.string(),
  [ENV.assetsBucket]: z.string(),
  [ENV.assetRules]: json(assetRules),
});
const access = apiPorts();
const s3 = new S3Client({
  ...CLIENT,
  // The body of a presigned request is not known here, so its checksum cannot be signed.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
});

export const handler = apiHandler(
  assetRoutes({
    assets: new AssetStore(documentClient(), env.ASSETS_TABLE, access.clock),
    objects: new AssetObjects(s3, env.ASSETS_BUCKET, access.clock),
    rules: env.ASSET_RULES,
    clock: access.clock,
    apiUrl: access.apiUrl,
    cursorSecret: access.cursorSecret,
  }),
  access,
  { unreachable: 'unavailable', bytesOf: (request) => uploadedBytes(request, env.ASSET_RULES) },
);
