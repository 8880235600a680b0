import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import { executionModeStreamifyResponse as executionMode } from '@middy/core/StreamifyResponse';
import { issueKey } from '../lambda/access/api-key.ts';
import { KeyStore } from '../lambda/access/key-store.ts';
import { accessLog } from '../lambda/http/access-log.ts';
import { apiPorts } from '../lambda/http/api-ports.ts';
import { errorMapper } from '../lambda/http/error-mapper.ts';
import { apiHandler } from '../lambda/http/pipeline.ts';
import { proxyEvent } from '../lambda/http/proxy-event.ts';
import type { ApiRequest, ApiResponse } from '../lambda/http/request.ts';
import { responseHeaders } from '../lambda/http/response-headers.ts';
import { router } from '../lambda/http/router.ts';
import { documentClient, QUICK } from '../lambda/platform/aws.ts';
import { type Calls, callsOf } from './aws-calls.ts';
import { exactly, type Figure } from './figure.ts';
import { type Handler, handlerOf, type Invoke, invoker, type Sent } from './invoke.ts';
import { ratio, share, timed } from './ratio.ts';

/** No route's: the pipeline and nothing else. */
const toNothing = (key?: string): Sent => ({ path: '/api/v1/nothing', headers: bearer(key) });
const bearer = (key?: string): Record<string, string> =>
  key === undefined ? {} : { Authorization: `Bearer ${key}` };

async function answered(invoke: Invoke, sent: Sent, expected: number): Promise<void> {
  const { status } = await invoke(sent);
  if (status !== expected) throw new Error(`answered with ${status}, not ${expected}`);
}

async function calls(invoke: Invoke, key: string, limitedKey: string): Promise<Figure[]> {
  const costs = async (sent: Sent, expected: number): Promise<Calls> => {
    // Opens the window, and has the key looked up.
    await invoke(sent);
    return callsOf(() => answered(invoke, sent, expected));
  };
  const counted = await costs(toNothing(), 404);
  const keyed = await costs(toNothing(key), 404);
  await invoke(toNothing(limitedKey));
  const overLimit = await costs(toNothing(limitedKey), 429);
  let atEndOfAnswer: Calls | undefined;
  const inAll = await callsOf((soFar) =>
    invoke({ method: 'GET', path: '/api/v1/usage', headers: bearer(key) }, () => {
      atEndOfAnswer = soFar();
    }),
  );
  if (!atEndOfAnswer) throw new Error('the answer did not end');
  return [
    exactly('counted request, DynamoDB writes', counted.writes, 1),
    exactly('counted request, DynamoDB reads', counted.reads, 0),
    exactly('request over the limit, DynamoDB calls', overLimit.writes + overLimit.reads, 0),
    exactly('counted request with a key, writes', keyed.writes, 1),
    exactly('counted request with a key in a warm function, reads', keyed.reads, 0),
    exactly('usage of a call, writes before its answer has ended', atEndOfAnswer.writes, 0),
    exactly('usage of a call, writes', inAll.writes, 1),
  ];
}

/** The same pipeline without the two middlewares that are measured. */
const withoutAccess = middy<ApiRequest, ApiResponse>({ executionMode })
  .use(proxyEvent())
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

/** Measures what both add to a handler without them: one write that counts. */
function latency(invoke: Invoke, key: string, db: DynamoDBDocumentClient): Promise<Figure> {
  const bare = invoker(withoutAccess);
  const sent = toNothing(key);
  return ratio(
    'identity and limiter / a bare UpdateItem',
    { atMost: 2 },
    async () => (await timed(() => invoke(sent))) - (await timed(() => bare(sent))),
    () => timed(() => db.send(updateItem())),
    { rounds: 200 },
  );
}

/**
 * Measures how long a caller waits, with and without a key, when the endpoint accepts the connection and never answers,
 * against one call that gives up: the timeouts of identity and limiter must not add up.
 */
async function unreachable(key: string): Promise<Figure> {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const db = DynamoDBDocumentClient.from(new DynamoDBClient({ ...QUICK, endpoint }));
  const api = apiHandler([], apiPorts(db), { unreachable: 'unavailable' });
  const invoke = invoker(api as unknown as Handler);
  const refused = (caller?: string) => () => answered(invoke, toNothing(caller), 503);
  const givenUp = () => db.send(updateItem()).then(neverHere, () => {});
  // Side by side, since waiting takes no processor.
  const [own, other] = await Promise.all([
    Promise.all([undefined, key].map((caller) => timed(refused(caller)))),
    timed(givenUp),
  ]);
  db.destroy();
  silent.close();
  return share(
    'answer without DynamoDB / a call that gives up',
    { atMost: 1.15 },
    Math.max(...own),
    other,
    'ms',
  );
}

const neverHere = () => {
  throw new Error('a silent endpoint answered');
};

async function measured(): Promise<Figure[]> {
  const db = documentClient(QUICK);
  const keys = new KeyStore(db, process.env.API_KEYS_TABLE ?? '');
  const newKey = async (limit?: number) => {
    const { key, record } = issueKey({ name: 'bench', scopes: [], ...(limit && { limit }) }, Date.now());
    await keys.add(record);
    return key;
  };
  const key = await newKey();
  const limitedKey = await newKey(1);
  const invoke = await handlerOf(process.env.BUNDLE ?? '');
  return [...(await calls(invoke, key, limitedKey)), await latency(invoke, key, db), await unreachable(key)];
}

console.log(JSON.stringify(await measured()));
