import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod';
import { OriginSecrets } from '../access/origin-secrets.ts';
import { StageState } from '../access/stage-state.ts';
import { DATA_LIMITS, RATE_LIMIT } from '../contract/limits.ts';
import { toApiRequest } from '../http/proxy-event.ts';
import type { ApiRequest } from '../http/request.ts';
import { documentClient, QUICK } from '../platform/aws.ts';
import { ENV, json, readEnv } from '../platform/env.ts';
import { startExecution } from '../platform/executions.ts';
import { countFailedRequest, invocationCost, log, logAbout } from '../platform/log.ts';
import { CircuitBreaker, CircuitOpen, isUnreachable } from '../platform/unreachable.ts';
import { problemResponse } from '../sites/data/form-page.ts';
import { DataProblem, jsonResponse, privately } from '../sites/data/http.ts';
import { SiteDataTable } from '../stored/data/site-data-table.ts';
import { readDeployment } from '../stored/deployment.ts';
import { gateBounds } from '../stored/held.ts';
import { RequestLimits } from './limits.ts';
import { RememberedSites, rememberedRules } from './remembered-sites.ts';
import { type DataStage, type Served, serveData } from './serve.ts';

const env = readEnv({
  [ENV.deploymentsTable]: z.string(),
  [ENV.dataTable]: z.string(),
  [ENV.data]: json(
    z.object({
      writesPerMinute: z.number(),
      creationsPerDay: z.number(),
      anonymousCreationsPerDay: z.number(),
    }),
  ),
  [ENV.rateLimitsTable]: z.string(),
  [ENV.rateLimit]: json(z.object({ windowSeconds: z.number(), reads: z.number().default(RATE_LIMIT.reads) })),
  [ENV.originSecret]: z.string(),
  [ENV.baseUrl]: z.string(),
  [ENV.siteOrigin]: z.string().optional(),
  [ENV.gate]: json(gateBounds).optional(),
  [ENV.deliveriesArn]: z.string(),
});
const clock = Date.now;
const circuit = new CircuitBreaker(clock);
const db = guarded(documentClient(QUICK));
const state = new StageState(db, env.RATE_LIMITS_TABLE, clock);
const originSecrets = new OriginSecrets(env.ORIGIN_SECRET, state);
const { items, bytes } = DATA_LIMITS;
const table = new SiteDataTable(
  { db, table: env.DATA_TABLE, clock },
  { items, bytes, creationsPerDay: env.DATA.creationsPerDay },
);
const stage: DataStage = {
  sites: new RememberedSites(
    (id) => readDeployment(db, env.DEPLOYMENTS_TABLE, id, clock()),
    (site) => table.readState(site),
  ),
  table,
  rules: rememberedRules((site, hash) => table.rules(site, hash)),
  limits: new RequestLimits({ db, table: env.RATE_LIMITS_TABLE, clock }, env.RATE_LIMIT, env.DATA, state),
  notify: (delivery) => startExecution(env.DELIVERIES_ARN, delivery.id, delivery),
  clock,
  baseUrl: env.BASE_URL,
  siteOrigin: env.SITE_ORIGIN,
  bounds: env.GATE,
};

/** Serves the data that visitors of sites share, behind the distributions. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const request = { ...toApiRequest(event), rawQuery: rawQueryOf(event) };
  logAbout({ requestId: request.id });
  try {
    if (!(await originSecrets.areSentWith(request))) return encode(refused('This address is internal'));
    const served = await serveData(request, stage);
    const { method, receivedAt } = request;
    // Paths and queries name items, and have signatures.
    const ms = clock() - receivedAt;
    log.info('request', { operation: 'data', method, status: served.status, ms, ...invocationCost() });
    return encode(served);
  } catch (error) {
    // The error that opened the circuit is logged and counted.
    if (!(error instanceof CircuitOpen)) {
      log.error('failed', { error });
      countFailedRequest(error);
    }
    return encode(failure(error, request));
  }
};

/** Returns a client that does not call DynamoDB for a moment after it was unreachable. */
function guarded(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const send = client.send.bind(client) as (...args: unknown[]) => Promise<unknown>;
  return Object.assign(Object.create(client), {
    send: (...args: unknown[]) => circuit.call(() => send(...args)),
  });
}

function rawQueryOf({ multiValueQueryStringParameters: parameters }: APIGatewayProxyEvent): string {
  const pairs = Object.entries(parameters ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}

function refused(error: string): Served {
  return privately(jsonResponse(403, { error, code: 'forbidden' }));
}

function failure(error: unknown, request: Pick<ApiRequest, 'method' | 'headers'>): Served {
  if (!isUnreachable(error) && !(error instanceof CircuitOpen))
    return privately(jsonResponse(500, { error: 'Internal error', code: 'internal' }));
  const problem = new DataProblem('unavailable', 'Part of the service is unreachable: try again in a moment', {
    headers: { 'Retry-After': '2' },
  });
  return problemResponse(request, problem, '/');
}

function encode({ status, headers, body, cookie }: Served): APIGatewayProxyResult {
  return {
    statusCode: status,
    headers: { ...headers, ...(cookie !== undefined && { 'Set-Cookie': cookie }) },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}
