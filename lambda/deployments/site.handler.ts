import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import * as z from 'zod';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { ArchiveStore } from './archives.ts';
import { DeploymentStore } from './deployment-store.ts';
import { NAVIGATION_HEADER } from './edge.ts';
import { unavailable } from './pages.ts';
import type { SiteResponse } from './site.ts';
import { SiteCache } from './site-cache.ts';
import { visit } from './visit.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.siteOrigin]: z.string().optional(),
});
const deployments = new DeploymentStore(documentClient(), env.DEPLOYMENTS_TABLE);
const sites = new SiteCache(new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET));

/** Serves deployed pages behind a distribution. */
export const handler = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
  const { headers, rawPath, rawQueryString: rawQuery } = event;
  const {
    'if-none-match': ifNoneMatch,
    range,
    'if-range': ifRange,
    'accept-encoding': acceptEncoding,
  } = headers;
  try {
    const response = await visit(
      {
        rawPath,
        rawQuery,
        navigation: headers[NAVIGATION_HEADER] === '1',
        conditions: { ifNoneMatch, range, ifRange },
        acceptEncoding,
      },
      {
        find: (id) => deployments.find(id),
        load: (id, version, base) => sites.load(id, version, base),
        clock: Date.now,
        siteOrigin: env.SITE_ORIGIN,
      },
    );
    return encode(response);
  } catch (error) {
    log.error('failed', { path: rawPath, error });
    return encode(unavailable());
  }
};

function encode({ status, headers, body }: SiteResponse): LambdaFunctionURLResult {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    statusCode: status,
    headers: { ...headers },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}
