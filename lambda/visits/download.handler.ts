import { pipeline } from 'node:stream/promises';
import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import * as z from 'zod';
import { SharedCounter } from '../access/shared-counter.ts';
import { RATE_LIMIT } from '../contract/limits.ts';
import { documentClient, VISIT } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { countFailedRequest, log } from '../platform/log.ts';
import { unavailable } from '../sites/serving/notice-pages.ts';
import { gateBounds } from '../stored/held.ts';
import { type Download, download } from './download.ts';
import { SiteStore } from './site-store.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.rateLimitsTable]: z.string(),
  [ENV.gate]: json(gateBounds).optional(),
  [ENV.rateLimit]: json(z.object({ zips: z.number().default(RATE_LIMIT.zips) })),
});
const clock = Date.now;
const db = documentClient(VISIT);
const store = new SiteStore({
  db,
  table: env.DEPLOYMENTS_TABLE,
  s3: new S3Client(VISIT),
  bucket: env.SITES_BUCKET,
  clock,
});

const zips = new SharedCounter(
  { db, table: env.RATE_LIMITS_TABLE, clock },
  { name: 'zips', windowSeconds: 300, limit: env.RATE_LIMIT.zips, batch: Math.min(3, env.RATE_LIMIT.zips) },
);

const count = (address: string) => zips.count(`zips/${address}`);

/** Serves `/d/<id>.zip`. Streams, because an archive may exceed the 6 MB of a buffered Lambda response. */
export const handler = awslambda.streamifyResponse(async (event: LambdaFunctionURLEvent, responseStream) => {
  const { status, headers, body } = await downloadResponse(event);
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: status, headers });
  await pipeline(body, stream);
});

async function downloadResponse(event: LambdaFunctionURLEvent): Promise<Download> {
  try {
    return await download(event, { store, count, clock, bounds: env.GATE });
  } catch (error) {
    log.error('failed', { path: event.rawPath, error });
    countFailedRequest(error);
    const { body, ...rest } = unavailable();
    return { ...rest, body: [body] };
  }
}
