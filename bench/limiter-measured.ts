import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import { issueKey } from '../lambda/access/api-key.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { RateLimiter } from '../lambda/access/rate-limiter.ts';
import { apiAccess } from '../lambda/http/api-access.ts';
import { errorMapper } from '../lambda/http/error-responses.ts';
import { accessLog, apiHandler, responseHeaders } from '../lambda/http/pipeline.ts';
import { bufferedBody, proxyEvent } from '../lambda/http/proxy-event.ts';
import type { ApiRequest, ApiResponse } from '../lambda/http/request.ts';
import { router } from '../lambda/http/router.ts';
import { documentClient, QUICK } from '../lambda/platform/aws.ts';
import { atMost, exactly, type Figure, measureMs, ratio, share } from './figure.ts';
import { type Calls, callsOf, type Handler, handlerOf, type Invoke, invoker, type Sent } from './invoke.ts';

/** A request that no route matches, so that only the pipeline runs. */
const toNothing = (key?: string): Sent => ({ path: '/api/v1/nothing', headers: bearer(key) });
const bearer = (key?: string): Record<string, string> => (key === undefined ? {} : { Authorization: `Bearer ${key}` });

async function expectStatus(invoke: Invoke, sent: Sent, expected: number): Promise<void> {
  const { status } = await invoke(sent);
  if (status !== expected) throw new Error(`expected status ${expected}, got ${status}`);
}

async function calls(invoke: Invoke, key: string, limitedKey: string): Promise<Figure[]> {
  const costs = async (sent: Sent, expected: number): Promise<Calls> => {
    // Opens the window and caches the key.
    await invoke(sent);
    return callsOf(() => expectStatus(invoke, sent, expected));
  };
  const counted = await costs(toNothing(), 404);
  const keyed = await costs(toNothing(key), 404);
  await invoke(toNothing(limitedKey));
  const overLimit = await costs(toNothing(limitedKey), 429);
  const recorded = await callsOf(() => invoke({ method: 'GET', path: '/api/v1/usage', headers: bearer(key) }));
  return [
    exactly('counted request, DynamoDB writes', counted.writes, 1),
    exactly('counted request, DynamoDB reads', counted.reads, 0),
    exactly('request over the limit, DynamoDB calls', overLimit.writes + overLimit.reads, 0),
    exactly('counted request with a key, writes', keyed.writes, 1),
    exactly('counted request with a key in a warm function, reads', keyed.reads, 0),
    exactly('usage of a call, writes', recorded.writes, 1),
  ];
}

/** The pipeline without the two measured middlewares. */
const withoutAccess = middy<ApiRequest, ApiResponse>()
  .use(proxyEvent(bufferedBody, async () => {}))
  .use(accessLog(Date.now))
  .use(responseHeaders())
  .use(errorMapper('unavailable'))
  .handler(router([])) as unknown as Handler;

const updateItem = () =>
  new UpdateCommand({
    TableName: process.env.RATE_LIMITS_TABLE,
    Key: { caller: 'address:192.0.2.1' },
    UpdateExpression: 'ADD #count :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':one': 1 },
  });

/** Measures the time that both middlewares add to a handler: one write that counts the request. */
function latency(invoke: Invoke, key: string, db: DynamoDBDocumentClient): Promise<Figure> {
  const bare = invoker(withoutAccess);
  const sent = toNothing(key);
  return ratio(
    'identity and limiter / a bare UpdateItem',
    { atMost: 2 },
    async () => (await measureMs(() => invoke(sent))) - (await measureMs(() => bare(sent))),
    () => measureMs(() => db.send(updateItem())),
    { rounds: 200 },
  );
}

/**
 * Measures how long a caller waits, with and without a key, for an endpoint that accepts connections and never responds,
 * against one call that times out: the timeouts of identity and limiter must not add up.
 */
async function unreachable(key: string): Promise<Figure> {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const db = DynamoDBDocumentClient.from(new DynamoDBClient({ ...QUICK, endpoint }));
  const api = apiHandler([], apiAccess(db), { unreachable: 'unavailable' });
  const invoke = invoker(api as unknown as Handler);
  const refused = (caller?: string) => () => expectStatus(invoke, toNothing(caller), 503);
  const timedOut = () => db.send(updateItem()).then(failOnResponse, () => {});
  // Concurrently, since waiting takes no processor time.
  const [own, other] = await Promise.all([
    Promise.all([undefined, key].map((caller) => measureMs(refused(caller)))),
    measureMs(timedOut),
  ]);
  db.destroy();
  silent.close();
  return share('response without DynamoDB / a call that times out', { atMost: 1.15 }, Math.max(...own), other, 'ms');
}

const failOnResponse = () => {
  throw new Error('a silent endpoint responded');
};

const ADDRESSES = 50;
const ALLOWED = 10;
const SENT = 20;

/** Counts 1,000 concurrent requests, 20 from each of 50 addresses, which may send 10. Windows last for two seconds. */
async function burst(): Promise<Figure[]> {
  // No timeouts: a thousand requests are queued here.
  const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const table = process.env.RATE_LIMITS_TABLE ?? '';
  const send = async (name: string, most: number, now: number) => {
    const limiter = new RateLimiter({ db, table, clock: () => now }, { windowSeconds: 2 });
    const requests = Array.from({ length: ADDRESSES * SENT }, (_, i) => `burst:${i % ADDRESSES}`);
    let admitted = 0;
    const count = async (caller: string) => {
      if ((await limiter.count(caller, ALLOWED)).allowed) admitted++;
    };
    const { writes } = await callsOf(() => Promise.all(requests.map(count)));
    return [
      exactly(`1,000 concurrent, ${name}: admitted`, admitted, ADDRESSES * ALLOWED),
      atMost(`1,000 concurrent, ${name}: writes per request`, writes / requests.length, most),
    ];
  };
  const now = Date.now();
  const figures = [
    ...(await send('new callers', 1, now)),
    // At the same time, each request tries the ended window, and all but one the new one.
    ...(await send('ended windows', 3, now + 60_000)),
  ];
  db.destroy();
  return figures;
}

async function measureAll(): Promise<Figure[]> {
  const db = documentClient(QUICK);
  const keys = new KeyStore(db, process.env.API_KEYS_TABLE ?? '');
  const newKey = async (limit?: number) => {
    const { key, record } = issueKey({ name: 'bench', scopes: [], ...(limit && { limit }) }, Date.now());
    await keys.add(record);
    return key;
  };
  const key = await newKey();
  const limitedKey = await newKey(1);
  const invoke = await handlerOf('UsageApi');
  return [
    ...(await calls(invoke, key, limitedKey)),
    ...(await burst()),
    await latency(invoke, key, db),
    await unreachable(key),
  ];
}

console.log(JSON.stringify(await measureAll()));
