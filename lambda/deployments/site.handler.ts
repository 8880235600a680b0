import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import * as z from 'zod';
import { CLIENT, documentClient } from '../platform/aws.ts';
import { ENV, readEnv } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { ArchiveStore } from './archives.ts';
import { NAVIGATION_HEADER } from './edge.ts';
import { errorPage } from './pages.ts';
import { PointerStore } from './pointers.ts';
import type { SiteResponse } from './site.ts';
import { SiteCache } from './site-cache.ts';
import { visit } from './visit.ts';

const env = readEnv({ [ENV.deploymentsTable]: z.string(), [ENV.sitesBucket]: z.string() });
const pointers = new PointerStore(documentClient(), env.DEPLOYMENTS_TABLE);
const sites = new SiteCache(new ArchiveStore(new S3Client(CLIENT), env.SITES_BUCKET));

/** Serves deployed pages behind the distribution. */
export const handler = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
  const { 'if-none-match': ifNoneMatch, [NAVIGATION_HEADER]: navigation } = event.headers;
  try {
    const response = await visit(
      {
        rawPath: event.rawPath,
        rawQuery: event.rawQueryString,
        navigation: navigation === '1',
        ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
      },
      { findPointer: (id) => pointers.find(id), loadSite: (pointer) => sites.load(pointer) },
    );
    return encode(response);
  } catch (error) {
    log.error('failed', { path: event.rawPath, error });
    return encode(unavailable());
  }
};

function encode({ status, headers, body }: SiteResponse): LambdaFunctionURLResult {
  return {
    statusCode: status,
    headers: { ...headers },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}

function unavailable(): SiteResponse {
  return {
    status: 503,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store', 'Retry-After': '5' },
    body: Buffer.from(
      errorPage('Temporarily unavailable', 'This page cannot be loaded right now. Try again in a moment.'),
    ),
  };
}
