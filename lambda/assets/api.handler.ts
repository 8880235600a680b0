import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import * as z from 'zod';
import { apiPorts } from '../access/api-ports.ts';
import { apiHandler } from '../http/pipeline.ts';
import { CLIENT } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { AssetStore } from './asset-store.ts';
import { assetRoutes, UPLOAD_SECONDS } from './routes.ts';

const env = readEnv({ [ENV.assetsTable]: z.string(), [ENV.assetsBucket]: z.string() });
const access = apiPorts();
// A presigned request carries no body yet, so there is nothing to compute a checksum of.
const s3 = new S3Client({ ...CLIENT, requestChecksumCalculation: 'WHEN_REQUIRED' });

/** User assets. */
export const handler = apiHandler(
  assetRoutes({
    assets: new AssetStore(access.db, env.ASSETS_TABLE),
    uploadUrl: (assetId, contentType) => {
      const input = { Bucket: env.ASSETS_BUCKET, Key: `assets/${assetId}` };
      const command = new PutObjectCommand(
        contentType === undefined ? input : { ...input, ContentType: contentType },
      );
      // A type that was announced is signed, so that nothing else can be uploaded under it.
      return getSignedUrl(s3, command, {
        expiresIn: UPLOAD_SECONDS,
        signableHeaders: new Set(['content-type']),
      });
    },
    clock: access.clock,
  }),
  access,
  { unreachable: 'unavailable' },
);
