import { randomUUID } from 'node:crypto';
import diagnostics from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ArchiveStore } from '../lambda/deployments/archives.ts';
import { liveVersion } from '../lambda/deployments/deployment.ts';
import { DeploymentStore } from '../lambda/deployments/deployment-store.ts';
import { SiteCache } from '../lambda/deployments/site-cache.ts';
import { visit } from '../lambda/deployments/visit.ts';
import { CLIENT, documentClient } from '../lambda/platform/aws.ts';
import { percentile } from './figure.ts';

export interface Measured {
  readonly deployOverFloor: number;
  readonly s3Writes: number;
  readonly dynamoDBCalls: number;
  readonly siteOverGetItemMs: number;
  readonly s3ReadsPerVersion: number;
  readonly firstPageOverRead: number;
}

const ROUNDS = 15;

/** Text that looks like source code, different in each file. */
export function projectOf(count: number, bytesPerFile: number) {
  const line = (i: number, n: number) =>
    `export const value${n} = compute(${(i * 7919 + n * 104_729) % 99_991});\n`;
  const files = Array.from({ length: count }, (_, i) => {
    let content = '';
    for (let n = 0; content.length < bytesPerFile; n++) content += line(i, n);
    return { path: i === 0 ? 'index.html' : `src/file-${i}.js`, content: content.slice(0, bytesPerFile) };
  });
  return { files };
}

interface Calls {
  s3Writes: number;
  s3Reads: number;
  dynamoDB: number;
}

const calls: Calls = { s3Writes: 0, s3Reads: 0, dynamoDB: 0 };
const counted = async (perform: () => Promise<unknown>): Promise<Calls> => {
  Object.assign(calls, { s3Writes: 0, s3Reads: 0, dynamoDB: 0 });
  await perform();
  return { ...calls };
};
diagnostics.subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.getHeader('x-amz-target')) calls.dynamoDB++;
  else if (request.method === 'PUT') calls.s3Writes++;
  else if (request.method === 'GET') calls.s3Reads++;
});

const timed = async (perform: () => Promise<unknown>) => {
  const before = performance.now();
  await perform();
  return performance.now() - before;
};
const p50 = (samples: readonly number[]) => percentile(samples, 0.5);

const env = (name: string) => process.env[name] ?? '';

type Handler = (event: object, context: object) => Promise<{ statusCode: number; body: string }>;

async function deployHandler(): Promise<(event: object) => Promise<{ id: string }>> {
  console.info = () => {};
  const { handler } = (await import('../lambda/deployments/api.handler.ts')) as unknown as {
    handler: Handler;
  };
  return async (event) => {
    const { statusCode, body } = await handler(event, {});
    if (statusCode >= 300) throw new Error(`deploying was answered with ${statusCode} ${body}`);
    return JSON.parse(body) as { id: string };
  };
}

function event(method: string, path: string, body?: Buffer) {
  return {
    httpMethod: method,
    path,
    headers: { 'Content-Type': 'application/json' },
    body: body?.toString('base64') ?? null,
    isBase64Encoded: body !== undefined,
    requestContext: {
      requestId: randomUUID(),
      identity: { sourceIp: '192.0.2.1' },
      requestTimeEpoch: Date.now(),
    },
  };
}

async function speed(): Promise<Measured> {
  const s3 = new S3Client(CLIENT);
  const db = documentClient();
  const deploy = await deployHandler();
  const body = Buffer.from(JSON.stringify(projectOf(200, 52_428)));
  const put = (Key: string, Body: Buffer) =>
    s3.send(new PutObjectCommand({ Bucket: env('SITES_BUCKET'), Key, Body }));
  const floor = async () => {
    const { files } = JSON.parse(body.toString()) as ReturnType<typeof projectOf>;
    await put(`floor/${files.length}`, body);
  };
  const { id } = await deploy(event('POST', '/api/v1/deploy', body));
  await floor();
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const request = event('POST', '/api/v1/deploy', body);
    const own = await timed(() => deploy(request));
    ratios.push(own / (await timed(floor)));
  }
  const made = await counted(() => deploy(event('POST', '/api/v1/deploy', body)));

  const archives = new ArchiveStore(s3, env('SITES_BUCKET'));
  const deployments = new DeploymentStore(db, env('DEPLOYMENTS_TABLE'));
  const site = (cache: SiteCache) =>
    visit(
      { rawPath: `/d/${id}/src/file-7.js`, rawQuery: '', navigation: false, conditions: {} },
      {
        find: (wanted) => deployments.find(wanted),
        load: (wanted, version, base) => cache.load(wanted, version, base),
        clock: Date.now,
      },
    );
  const found = await deployments.find(id);
  const version = found && liveVersion(found)?.version;
  const bareRead = async () => {
    const Key = `sites/${id}/${version}.zip`;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: env('SITES_BUCKET'), Key }));
    await Body?.transformToByteArray();
  };
  const first: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const own = await timed(() => site(new SiteCache(archives)));
    first.push(own / (await timed(bareRead)));
  }
  const warm = new SiteCache(archives);
  const reads = await counted(async () => {
    for (let i = 0; i < 10; i++) await site(warm);
  });
  const getItem = () =>
    db.send(new GetCommand({ TableName: env('DEPLOYMENTS_TABLE'), Key: { id }, ConsistentRead: true }));
  const over: number[] = [];
  for (let i = 0; i < 300; i++) over.push((await timed(() => site(warm))) - (await timed(getItem)));
  return {
    deployOverFloor: p50(ratios),
    s3Writes: made.s3Writes,
    dynamoDBCalls: made.dynamoDB,
    siteOverGetItemMs: p50(over),
    s3ReadsPerVersion: reads.s3Reads,
    firstPageOverRead: p50(first),
  };
}

if (import.meta.main) console.log(JSON.stringify(await speed()));
