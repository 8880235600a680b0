import { S3Client } from '@aws-sdk/client-s3';
import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import * as z from 'zod';
import { documentClient, VISIT } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { countFailedRequest, log } from '../platform/log.ts';
import { CircuitOpen } from '../platform/unreachable.ts';
import { BASE_URL_HEADER, NAVIGATION_HEADER, QUERY_HEADER, sentPath } from '../sites/edge.ts';
import { unavailable } from '../sites/serving/notice-pages.ts';
import type { SiteResponse } from '../sites/serving/respond.ts';
import type { Deployment } from '../stored/deployment.ts';
import { gateBounds } from '../stored/held.ts';
import { guardedReads } from './guarded-reads.ts';
import { picture, picturedId } from './picture.ts';
import { SiteStore } from './site-store.ts';
import { countedVisit } from './views/counted-visit.ts';
import { viewCounter } from './views/view-counter.ts';
import { type VisitedStage, visit } from './visit.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.sitesBucket]: z.string(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.edgeSeconds]: z.coerce.number(),
  [ENV.viewsTable]: z.string().optional(),
  [ENV.gate]: json(gateBounds).optional(),
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
const reads = guardedReads(store, env.EDGE_SECONDS, clock);
const stage: VisitedStage = { ...reads, clock, siteOrigin: env.SITE_ORIGIN, bounds: env.GATE };
const counter = viewCounter(db, env.VIEWS_TABLE, clock);

/** Serves deployed pages, and pictures of them, behind a distribution. */
export const handler = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
  const { headers, cookies = [] } = event;
  const rawPath = sentPath(event.rawPath);
  const {
    'if-none-match': ifNoneMatch,
    range,
    'if-range': ifRange,
    'accept-encoding': acceptEncoding,
    'accept-language': acceptLanguage,
    'sec-fetch-mode': fetchMode,
    [BASE_URL_HEADER]: baseUrl = '',
    // Until an update of the distribution ends, it sends the query itself.
    [QUERY_HEADER]: rawQuery = event.rawQueryString,
  } = headers;
  const conditions = { ifNoneMatch, range, ifRange };
  const navigation = headers[NAVIGATION_HEADER] === '1';
  const visitor = { cookies, acceptLanguage, baseUrl, secure: !env.SITE_ORIGIN?.startsWith('http:') };
  const request = { rawPath, rawQuery, navigation, fetchMode, conditions, acceptEncoding, visitor };
  const id = picturedId(rawPath);
  const { method } = event.requestContext.http;
  try {
    const response = await (id === undefined
      ? countedVisit(
          { method, rawPath, headers },
          (found) => visit(request, { ...stage, find: noting(found) }),
          counter,
          env.SITE_ORIGIN,
        )
      : picture({ id, rawQuery, conditions }, reads.findDeployment, reads.look, env.GATE));
    return encode(response);
  } catch (error) {
    // The error that opened the circuit is logged and counted.
    if (!(error instanceof CircuitOpen)) {
      log.error('failed', { path: rawPath, error });
      countFailedRequest(error);
    }
    return encode(unavailable());
  }
};

/** Returns a function that finds a deployment, and calls another one with it if there is one. */
function noting(found: (deployment: Deployment) => void): VisitedStage['find'] {
  return async (id, again) => {
    const pointer = await reads.find(id, again);
    if (pointer.deployment) found(pointer.deployment);
    return pointer;
  };
}

function encode({ status, headers: all, body }: SiteResponse): LambdaFunctionURLResult {
  const { 'Set-Cookie': cookie, ...headers } = all;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    statusCode: status,
    headers,
    ...(cookie === undefined ? {} : { cookies: [cookie] }),
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}
