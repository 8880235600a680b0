import { DynamoDB, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { RateLimiterDynamo } from 'rate-limiter-flexible';
import { RateLimiter } from '../lambda/access/rate-limiter.ts';
import { callsOf } from './aws-calls.ts';
import { percentile } from './figure.ts';

/** Medians of what a burst costs and does. */
export interface Burst {
  /** Requests that got in, of the round that is furthest from what is right. */
  readonly letIn: number;
  readonly writesPerRequest: number;
  readonly requestsPerSecond: number;
}
export type Measured = Record<Situation, { readonly ours: Burst; readonly theirs: Burst }>;

const SITUATIONS = ['new callers', 'live windows', 'ended windows'] as const;
type Situation = (typeof SITUATIONS)[number];

const ADDRESSES = 50;
const ALLOWED = 10;
const SENT = 20;
const WINDOW_SECONDS = 60;
const ROUNDS = 5;

/** A limiter in a process that has just started, as every round has one. */
interface Limiter {
  start(): (caller: string) => Promise<boolean>;
  /** Leaves the window of `caller` used up and over since `at` (Unix milliseconds). */
  end(caller: string, at: number): Promise<unknown>;
}

// Neither is to be cut short by a timeout: a thousand requests wait for their turn here.
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
      ...{ storeClient, tableName, tableCreated: true, ttlSet: true, keyPrefix: '' },
      ...{ points: ALLOWED, duration: WINDOW_SECONDS, inMemoryBlockOnConsumed: ALLOWED },
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

/** 1,000 requests at once, 20 from each of 50 addresses that no burst had before. */
async function burst(limiter: Limiter, situation: Situation): Promise<Burst> {
  const prefix = `address:${++bursts}`;
  const callers = Array.from({ length: ADDRESSES }, (_, i) => `${prefix}.${i}`);
  const allowed = limiter.start();
  let letIn = 0;
  const count = async (caller: string) => {
    if (await allowed(caller)) letIn++;
  };
  if (situation === 'live windows') for (const caller of callers) await count(caller);
  if (situation === 'ended windows') for (const caller of callers) await limiter.end(caller, Date.now());
  const requests = Array.from({ length: ADDRESSES * SENT }, (_, i) => `${prefix}.${i % ADDRESSES}`);
  const before = performance.now();
  const { writes } = await callsOf(() => Promise.all(requests.map(count)));
  const seconds = (performance.now() - before) / 1_000;
  return {
    letIn,
    writesPerRequest: writes / requests.length,
    requestsPerSecond: requests.length / seconds,
  };
}

function summary(rounds: readonly Burst[]): Burst {
  const median = (of: keyof Burst) =>
    percentile(
      rounds.map((round) => round[of]),
      0.5,
    );
  const error = (letIn: number) => Math.abs(letIn - ADDRESSES * ALLOWED);
  return {
    letIn: rounds.reduce(
      (worst, { letIn }) => (error(letIn) > error(worst) ? letIn : worst),
      ADDRESSES * ALLOWED,
    ),
    writesPerRequest: median('writesPerRequest'),
    requestsPerSecond: median('requestsPerSecond'),
  };
}

/** Both limiters in turns, so that the machine's moods meet both. */
async function sideBySide(situation: Situation) {
  const rounds = { ours: [] as Burst[], theirs: [] as Burst[] };
  for (let i = 0; i < ROUNDS; i++) {
    rounds.ours.push(await burst(ours, situation));
    rounds.theirs.push(await burst(theirs, situation));
  }
  return { ours: summary(rounds.ours), theirs: summary(rounds.theirs) };
}

const measured: Partial<Measured> = {};
for (const situation of SITUATIONS) measured[situation] = await sideBySide(situation);
console.log(JSON.stringify(measured));
