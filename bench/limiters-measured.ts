import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { RateLimiterDynamo } from 'rate-limiter-flexible';
import { RateLimiter } from '../lambda/access/rate-limiter.ts';
import { callsOf } from './aws-calls.ts';
import { exactly, type Figure, median, withoutBound } from './figure.ts';
import { ratio, share } from './ratio.ts';

interface Burst {
  /** Number of requests that were within the limit. */
  readonly admitted: number;
  readonly writesPerRequest: number;
  readonly ms: number;
}

const SITUATIONS = ['new callers', 'live windows', 'ended windows'] as const;
type Situation = (typeof SITUATIONS)[number];

const ADDRESSES = 50;
const ALLOWED = 10;
const SENT = 20;
const WINDOW_SECONDS = 60;

/** Creates a limiter without any cached state for each round. */
interface Limiter {
  start(): (caller: string) => Promise<boolean>;
  /** Stores a used-up window of `caller` that ended at `at`, in Unix milliseconds. */
  end(caller: string, at: number): Promise<unknown>;
}

// No timeouts: a thousand requests are queued here.
const client = new DynamoDBClient({});
const db = DynamoDBDocumentClient.from(client);
const { RATE_LIMITS_TABLE: table = '', THEIR_TABLE: tableName = '' } = process.env;

const ours: Limiter = {
  start: () => {
    const limiter = new RateLimiter({ db, table, clock: Date.now, windowSeconds: WINDOW_SECONDS });
    return async (caller) => (await limiter.count(caller, ALLOWED)).allowed;
  },
  end: (caller, at) => {
    const Item = { caller, start: at - WINDOW_SECONDS * 1_000, count: SENT };
    return db.send(new PutCommand({ TableName: table, Item }));
  },
};

const storeClient = new DynamoDB({});
const theirs: Limiter = {
  start: () => {
    const limiter = new RateLimiterDynamo({
      storeClient,
      tableName,
      tableCreated: true,
      ttlSet: true,
      keyPrefix: '',
      points: ALLOWED,
      duration: WINDOW_SECONDS,
      inMemoryBlockOnConsumed: ALLOWED,
    });
    const refused = (reason: unknown) => {
      if (reason instanceof Error) throw reason;
      return false;
    };
    return (caller) => limiter.consume(caller).then(() => true, refused);
  },
  end: (key, at) =>
    db.send(new PutCommand({ TableName: tableName, Item: { key, expire: at / 1_000, points: SENT } })),
};

let bursts = 0;

/** Sends 1,000 concurrent requests, 20 from each of 50 new addresses. */
async function burst(limiter: Limiter, situation: Situation): Promise<Burst> {
  const prefix = `address:${++bursts}`;
  const callers = Array.from({ length: ADDRESSES }, (_, i) => `${prefix}.${i}`);
  const allowed = limiter.start();
  let admitted = 0;
  const count = async (caller: string) => {
    if (await allowed(caller)) admitted++;
  };
  if (situation === 'live windows') for (const caller of callers) await count(caller);
  if (situation === 'ended windows') for (const caller of callers) await limiter.end(caller, Date.now());
  const requests = Array.from({ length: ADDRESSES * SENT }, (_, i) => `${prefix}.${i % ADDRESSES}`);
  const before = performance.now();
  const { writes } = await callsOf(() => Promise.all(requests.map(count)));
  const ms = performance.now() - before;
  return { admitted, writesPerRequest: writes / requests.length, ms };
}

/** Returns the number of admitted requests that is furthest from the right one. */
function worst(bursts: readonly Burst[]): number {
  const right = ADDRESSES * ALLOWED;
  const error = (admitted: number) => Math.abs(admitted - right);
  return bursts.reduce((found, { admitted }) => (error(admitted) > error(found) ? admitted : found), right);
}

async function sideBySide(situation: Situation): Promise<Figure[]> {
  const name = (what: string) => `1,000 concurrent, ${situation}: ${what}`;
  const own: Burst[] = [];
  const other: Burst[] = [];
  const sample = (limiter: Limiter, bursts: Burst[]) => async () => {
    const done = await burst(limiter, situation);
    bursts.push(done);
    return done.ms;
  };
  // Ours costs one more write in ended windows, once per caller, and in return only one in all other requests.
  const bound = situation === 'ended windows' ? 'none' : ({ atMost: 1 } as const);
  const time = await ratio(
    name('time / rate-limiter-flexible'),
    bound,
    sample(ours, own),
    sample(theirs, other),
    { rounds: 5, seconds: 12 },
  );
  const writes = (bursts: readonly Burst[]) => median(bursts.map((one) => one.writesPerRequest));
  return [
    exactly(name('admitted'), worst(own), ADDRESSES * ALLOWED),
    withoutBound(name('admitted by rate-limiter-flexible'), worst(other)),
    share(name('writes / rate-limiter-flexible'), bound, writes(own), writes(other), 'a request'),
    time,
  ];
}

const figures: Figure[] = [];
for (const situation of SITUATIONS) figures.push(...(await sideBySide(situation)));
console.log(JSON.stringify(figures));
