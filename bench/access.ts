import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../lib/platform/bundle.ts';
import { BackendProcess } from '../local/backend-process.ts';
import type { Account, Table } from '../local/cloud/account.ts';
import type { Measured } from './access-measured.ts';
import { atMost, type Figure } from './figure.ts';
import type { Measured as Limiters } from './limiters-measured.ts';

const run = promisify(execFile);
const REGION = 'us-east-1';
const BACKEND_PORT = 3199;

const ENVIRONMENT = {
  AWS_REGION: REGION,
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${BACKEND_PORT}`,
  RATE_LIMITS_TABLE: 'rate-limits',
  API_KEYS_TABLE: 'api-keys',
  USAGE_TABLE: 'usage',
  THEIR_TABLE: 'rate-limiter-flexible',
  ORIGIN_SECRET: 'secret',
  BASE_URL: 'https://ptp.example.com',
  RATE_LIMIT: '{"windowSeconds":3600,"anonymous":1000000,"key":1000000}',
  OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
};

const table = (name: string, ...keys: string[]): Table => ({
  name,
  keySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
  attributes: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
});

/** The tables behind the pipeline, and that of the limiter it is compared with, on one endpoint. */
const ACCOUNT: Account = {
  accountId: '000000000000',
  region: REGION,
  buckets: [],
  tables: [
    table(ENVIRONMENT.RATE_LIMITS_TABLE, 'caller'),
    table(ENVIRONMENT.API_KEYS_TABLE, 'id'),
    table(ENVIRONMENT.USAGE_TABLE, 'caller', 'dayOperation'),
    table(ENVIRONMENT.THEIR_TABLE, 'key'),
  ],
  principals: {
    [ENVIRONMENT.AWS_ACCESS_KEY_ID]: {
      name: 'bench',
      arn: 'arn:aws:iam::000000000000:user/bench',
      secretAccessKey: ENVIRONMENT.AWS_SECRET_ACCESS_KEY,
      statements: [{ Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
    },
  },
};

/** What it costs to know and to count who calls, against the local cloud's DynamoDB. */
export async function accessBench(): Promise<Figure[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  writeFileSync(join(stateDir, 'account.json'), JSON.stringify(ACCOUNT));
  const settings = { port: 3190, backendPort: BACKEND_PORT, stateDir, configFile: '' };
  const backend = await BackendProcess.start(settings, REGION, () => {});
  try {
    const handler = await inProcess<Measured>('bench/access-measured.ts');
    return [...handlerFigures(handler), ...limiterFigures(await inProcess('bench/limiters-measured.ts'))];
  } finally {
    await backend.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

function handlerFigures({ counted, keyed, overLimit, usage, ...times }: Measured): Figure[] {
  return [
    exactly('counted request, DynamoDB writes', counted.writes, 1),
    exactly('counted request, DynamoDB reads', counted.reads, 0),
    exactly('request over the limit, DynamoDB calls', overLimit.writes + overLimit.reads, 0),
    exactly('counted request with a key, writes', keyed.writes, 1),
    exactly('counted request with a key in a warm function, reads', keyed.reads, 0),
    exactly('usage of a call, writes before its answer has ended', usage.atEndOfAnswer.writes, 0),
    exactly('usage of a call, writes', usage.inAll.writes, 1),
    atMost('identity and limiter over a handler without them, p50', times.accessMs, 3, 'ms'),
    // What it costs is one write; this says so on a slow machine as well.
    atMost('identity and limiter / a bare UpdateItem, p50', times.accessMs / times.updateItemMs, 2, ''),
    atMost('an unreachable limiter is told after', times.unreachableMs, 3_000, 'ms'),
  ];
}

function limiterFigures(measured: Limiters): Figure[] {
  return Object.entries(measured).flatMap(([situation, { ours, theirs }]) => {
    const name = (what: string) => `1,000 at once, ${situation}: ${what}`;
    const speed = ours.requestsPerSecond / theirs.requestsPerSecond;
    const letIn = [
      exactly(name('let in'), ours.letIn, 500),
      known(name('let in by rate-limiter-flexible'), theirs.letIn, ''),
    ];
    // Once per caller and window: the price of one write, and no failed one, for every request that follows.
    if (situation === 'ended windows')
      return [
        ...letIn,
        known(name('writes per request'), ours.writesPerRequest, ''),
        known(name('writes per request of theirs'), theirs.writesPerRequest, ''),
        known(name('speed / theirs'), speed, ''),
      ];
    return [
      ...letIn,
      atMost(name('writes per request'), ours.writesPerRequest, theirs.writesPerRequest, ''),
      { name: name('speed / theirs'), value: speed, unit: '', bound: '≥ 1', ok: speed >= 1 },
    ];
  });
}

function exactly(name: string, value: number, right: number): Figure {
  return { name, value, unit: '', bound: `= ${right}`, ok: value === right };
}

/** What stands beside a figure so that it can be judged. */
function known(name: string, value: number, unit: string): Figure {
  return { name, value, unit, bound: '-', ok: true };
}

/** In a process of its own, as a function has it. */
async function inProcess<Result>(script: string): Promise<Result> {
  const env = { ...process.env, ...ENVIRONMENT };
  const BUNDLE = join(bundle('lambda/usage/api.handler.ts', []), 'index.mjs');
  const { stdout } = await run(process.execPath, [script], { env: { ...env, BUNDLE } });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
}
