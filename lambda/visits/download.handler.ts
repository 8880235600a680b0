import { pipeline } from 'node:stream/promises';
import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import * as z from 'zod';
import { documentClient, VISIT } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { type Download, download } from './download.ts';
import { unavailable } from './notice-pages.ts';
import { SiteStore } from './site-store.ts';

const env = readEnv({ [ENV.deploymentsTable]: z.string(), [ENV.sitesBucket]: z.string() });
const store = new SiteStore({
  db: documentClient(VISIT),
  table: env.DEPLOYMENTS_TABLE,
  s3: new S3Client(VISIT),
  bucket: env.SITES_BUCKET,
});

/** Serves `/d/<id>.zip`. Streams, because an archive may exceed the 6 MB of a buffered Lambda response. */
export const handler = awslambda.streamifyResponse(async (event: LambdaFunctionURLEvent, responseStream) => {
  const { status, headers, body } = await downloadResponse(event);
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: status, headers });
  await pipeline(body, stream);
});

async function downloadResponse({ rawPath }: LambdaFunctionURLEvent): Promise<Download> {
  try {
    return await download(rawPath, { store });
  } catch (error) {
    log.error('failed', { path: rawPath, error });
    const { body, ...rest } = unavailable();
    return { ...rest, body: [body] };
  }
}
