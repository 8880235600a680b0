import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackendProcess } from '../local/backend-process.ts';
import type { Account, Table } from '../local/cloud/account.ts';
import type { Figure } from './figure.ts';
import { bundleFile, inProcess } from './in-process.ts';

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
  ORIGIN_SECRET: 'secret',
  BASE_URL: 'https://bench.example',
  RATE_LIMIT: '{"windowSeconds":3600,"anonymous":1000000,"key":1000000,"reads":1000000}',
  BYTES_PER_DAY: '{"anonymous":1e15,"anonymousTogether":1e15,"key":1e15}',
  API_GATEWAY_DOOR: 'true',
  OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
};

const table = (name: string, ...keys: string[]): Table => ({
  name,
  keySchema: keys.map((key, i) => ({ AttributeName: key, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
  attributes: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
});

/** The tables of the pipeline. */
const ACCOUNT: Account = {
  accountId: '000000000000',
  region: REGION,
  buckets: [],
  tables: [
    table(ENVIRONMENT.RATE_LIMITS_TABLE, 'caller'),
    table(ENVIRONMENT.API_KEYS_TABLE, 'id'),
    table(ENVIRONMENT.USAGE_TABLE, 'caller', 'dayOperation'),
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

/** Measures the cost of identifying and counting callers, on the local cloud's DynamoDB. */
export async function limiterBench(): Promise<Figure[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  writeFileSync(join(stateDir, 'account.json'), JSON.stringify(ACCOUNT));
  const settings = { port: 3190, backendPort: BACKEND_PORT, stateDir, configFile: '' };
  const backend = await BackendProcess.start(settings, REGION, () => {});
  try {
    const env = { ...ENVIRONMENT, BUNDLE: bundleFile('lambda/usage/api.handler.ts') };
    return await inProcess<Figure[]>('bench/limiter-measured.ts', env);
  } finally {
    await backend.stop();
    rmSync(stateDir, { recursive: true, force: true });
  }
}
