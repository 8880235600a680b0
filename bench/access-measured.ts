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
import { percentile } from './figure.ts';
import { type Handler, handlerOf, type Invoke, invoker, type Sent } from './invoke.ts';

export interface Measured {
  readonly counted: Calls;
  readonly keyed: Calls;
  readonly overLimit: Calls;
  /** Of a read, which the limiter does not count. */
  readonly usage: { readonly atEndOfAnswer: Calls; readonly inAll: Calls };
  readonly accessMs: number;
  readonly updateItemMs: number;
  readonly unreachableMs: number;
}

const ROUNDS = 400;

/** No route's: the pipeline and nothing else. */
const toNothing = (key?: string): Sent => ({ path: '/api/v1/nothing', headers: bearer(key) });
const bearer = (key?: string): Record<string, string> =>
  key === undefined ? {} : { Authorization: `Bearer ${key}` };

async function answered(invoke: Invoke, sent: Sent, expected: number): Promise<void> {
  const { status } = await invoke(sent);
  if (status !== expected) throw new Error(`answered with ${status}, not ${expected}`);
}

const timed = async (perform: () => Promise<unknown>) => {
  const before = performance.now();
  await perform();
  return performance.now() - before;
};

async function calls(invoke: Invoke, key: string, limitedKey: string) {
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
  return { counted, keyed, overLimit, usage: { atEndOfAnswer, inAll } };
}

/** The same pipeline without the two middlewares that are measured. */
const withoutAccess = middy<ApiRequest, ApiResponse>({ executionMode })
  .use(proxyEvent())
  .use(accessLog(Date.now))
  .use(responseHeaders())
  .use(errorMapper('unavailable'))
  .handler(router([])) as unknown as Handler;

async function latency(invoke: Invoke, key: string, db: DynamoDBDocumentClient) {
  const bare = invoker(withoutAccess);
  const update = new UpdateCommand({
    TableName: process.env.RATE_LIMITS_TABLE,
    Key: { caller: 'address:192.0.2.1' },
    UpdateExpression: 'ADD #count :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':one': 1 },
  });
  const sent = toNothing(key);
  const over: number[] = [];
  const floor: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    over.push((await timed(() => invoke(sent))) - (await timed(() => bare(sent))));
    floor.push(await timed(() => db.send(update)));
  }
  return { accessMs: percentile(over, 0.5), updateItemMs: percentile(floor, 0.5) };
}

/** The longest that a caller waits, with and without a key, when the endpoint takes the connection and never answers. */
async function unreachable(key: string): Promise<number> {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const db = DynamoDBDocumentClient.from(new DynamoDBClient({ ...QUICK, endpoint }));
  const api = apiHandler([], apiPorts(db), { unreachable: 'unavailable' });
  const invoke = invoker(api as unknown as Handler);
  const times: number[] = [];
  for (const caller of [undefined, key, undefined, key])
    times.push(await timed(() => answered(invoke, toNothing(caller), 503)));
  db.destroy();
  silent.close();
  return Math.max(...times);
}

async function measured(): Promise<Measured> {
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
  return {
    ...(await calls(invoke, key, limitedKey)),
    ...(await latency(invoke, key, db)),
    unreachableMs: await unreachable(key),
  };
}

console.log(JSON.stringify(await measured()));
