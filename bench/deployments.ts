import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ANONYMOUS } from '../lambda/deployments/owner.ts';
import { newStagedId } from '../lambda/deployments/staged-ids.ts';
import { bundle } from '../lib/platform/bundle.ts';
import type { Account } from '../local/cloud/account.ts';
import type { OperatorFile } from '../local/cloud/cloud.ts';
import { startService } from '../local/service.ts';
import { type Measured, projectOf } from './deployments-measured.ts';
import { atMost, type Figure, percentile } from './figure.ts';

const run = promisify(execFile);
const SMALL_DEPLOYS = 60;

/** What deploying and serving cost: each figure beside its floor, against the endpoints of one local cloud. */
export async function deploymentsBench(): Promise<Figure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'ptp-bench-'));
  const configFile = join(dir, 'config.json');
  writeFileSync(configFile, JSON.stringify({ stage: 'test', rateLimit: { anonymous: 1_000_000 } }));
  const settings = { port: 3190, backendPort: 3199, stateDir: join(dir, 'state'), configFile };
  const cloud = await startService(settings, { log: () => {} });
  try {
    const env = functionEnvironment(settings.stateDir, cloud.baseUrl);
    const small = await smallDeploys(cloud.baseUrl);
    const speed = await inProcess<Measured>('bench/deployments-measured.ts', env);
    const { peakMB } = await inProcess<{ peakMB: number }>(bundled('bench/deploy-memory.ts'), {
      ...env,
      STAGED: await stageBodies(5, env),
    });
    return [
      atMost('deploy of 10 MB / parse and one put', speed.deployOverFloor, 1.5, ''),
      atMost('deploy of 10 MB, S3 writes', speed.s3Writes, 1, ''),
      atMost('deploy of 10 MB, DynamoDB calls', speed.dynamoDBCalls, 3, ''),
      atMost('deploy of 10 MB, peak memory', peakMB, 256, 'MB'),
      atMost('deploy of 5 files over HTTP, p50', percentile(small, 0.5), 60, 'ms'),
      atMost('site function over a bare GetItem, 50 KB, p50', speed.siteOverGetItemMs, 1, 'ms'),
      atMost('site function, S3 reads per version', speed.s3ReadsPerVersion, 1, ''),
      atMost('first page of a 10 MB site / bare read of its object', speed.firstPageOverRead, 3, ''),
    ];
  } finally {
    await cloud.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function smallDeploys(baseUrl: string): Promise<number[]> {
  const body = JSON.stringify(projectOf(5, 4_096));
  const times: number[] = [];
  for (let i = 0; i < SMALL_DEPLOYS; i++) {
    const before = performance.now();
    const response = await fetch(`${baseUrl}/api/v1/deploy`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.json();
    if (response.status !== 201) throw new Error(`a deploy was answered with ${response.status}`);
    if (i >= 10) times.push(performance.now() - before);
  }
  return times;
}

const bundled = (entry: string) => join(bundle(entry, []), 'index.mjs');

/** Bodies of 10 MB where API Gateway would have written them; their ids. */
async function stageBodies(count: number, env: Record<string, string>): Promise<string> {
  const s3 = new S3Client({
    endpoint: env.AWS_ENDPOINT_URL_S3 ?? '',
    region: env.AWS_REGION ?? '',
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
    },
    forcePathStyle: true,
  });
  const Body = JSON.stringify(projectOf(200, 50_000));
  const ids = Array.from({ length: count }, () => newStagedId({ owner: ANONYMOUS, token: undefined }));
  for (const id of ids) {
    const Key = `staged/${id}`;
    const ContentType = 'application/json';
    await s3.send(new PutObjectCommand({ Bucket: env.SITES_BUCKET, Key, Body, ContentType }));
  }
  s3.destroy();
  return ids.join(',');
}

/** In a process of its own, as a function has it: what is measured is not this process with its cloud. */
async function inProcess<Result>(script: string, env: Record<string, string>): Promise<Result> {
  const { stdout } = await run(process.execPath, [script], { env: { ...process.env, ...env } });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Result;
}

function functionEnvironment(stateDir: string, baseUrl: string): Record<string, string> {
  const read = <T>(name: string) => JSON.parse(readFileSync(join(stateDir, name), 'utf8')) as T;
  const { accessKeyId, secretAccessKey, region, endpoint, controlEndpoint } =
    read<OperatorFile>('operator.json');
  const { tables, buckets } = read<Account>('account.json');
  const named = (list: readonly { name: string }[], part: string) =>
    list.find(({ name }) => name.toLowerCase().includes(part))?.name ?? '';
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ENDPOINT_URL_CLOUDFRONT: controlEndpoint,
    DEPLOYMENTS_TABLE: named(tables, 'deployments'),
    RATE_LIMITS_TABLE: named(tables, 'ratelimits'),
    API_KEYS_TABLE: named(tables, 'apikeys'),
    USAGE_TABLE: named(tables, 'usage'),
    OAUTH: '{"issuer":"https://issuer.example","audience":["bench"]}',
    SITES_BUCKET: named(buckets, 'archives'),
    ID_SECRET: 'secret',
    ORIGIN_SECRET: 'secret',
    DISTRIBUTION_ID: 'none',
    BASE_URL: baseUrl,
    DEPLOY_BUNDLE: bundled('lambda/deployments/api.handler.ts'),
    RATE_LIMIT: '{"windowSeconds":3600,"anonymous":1000000,"key":1000000}',
  };
}
