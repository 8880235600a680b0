import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT, documentClient } from '../lambda/platform/aws.ts';
import { liveVersion } from '../lambda/sites/deployment.ts';
import { SiteCache } from '../lambda/visits/site-cache.ts';
import { SiteStore } from '../lambda/visits/site-store.ts';
import { visit } from '../lambda/visits/visit.ts';
import { callsOf } from './aws-calls.ts';
import { percentile } from './figure.ts';
import { handlerOf } from './invoke.ts';

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

const timed = async (perform: () => Promise<unknown>) => {
  const before = performance.now();
  await perform();
  return performance.now() - before;
};
const p50 = (samples: readonly number[]) => percentile(samples, 0.5);

const env = (name: string) => process.env[name] ?? '';

async function deployer(): Promise<(body: Buffer) => Promise<{ id: string }>> {
  const invoke = await handlerOf('../lambda/deployments/api.handler.ts');
  return async (body) => {
    const answer = await invoke({ path: '/api/v1/deploy', body });
    if (answer.status >= 300) throw new Error(`deploying was answered with ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as { id: string };
  };
}

async function speed(): Promise<Measured> {
  const s3 = new S3Client(CLIENT);
  const db = documentClient();
  const deploy = await deployer();
  const body = Buffer.from(JSON.stringify(projectOf(200, 52_428)));
  const put = (Key: string, Body: Buffer) =>
    s3.send(new PutObjectCommand({ Bucket: env('SITES_BUCKET'), Key, Body }));
  const floor = async () => {
    const { files } = JSON.parse(body.toString()) as ReturnType<typeof projectOf>;
    await put(`floor/${files.length}`, body);
  };
  const { id } = await deploy(body);
  await floor();
  const ratios: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const own = await timed(() => deploy(body));
    ratios.push(own / (await timed(floor)));
  }
  const made = await callsOf(() => deploy(body));

  const tables = { db, table: env('DEPLOYMENTS_TABLE') };
  const store = new SiteStore({ ...tables, s3, bucket: env('SITES_BUCKET') });
  const site = (cache: SiteCache) =>
    visit(
      { rawPath: `/d/${id}/src/file-7.js`, rawQuery: '', navigation: false, conditions: {} },
      {
        find: (wanted) => store.find(wanted),
        load: (wanted, version, base) => cache.load(wanted, version, base),
        clock: Date.now,
      },
    );
  const found = await store.find(id);
  const version = found && liveVersion(found)?.version;
  const bareRead = async () => {
    const Key = `sites/${id}/${version}.zip`;
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: env('SITES_BUCKET'), Key }));
    await Body?.transformToByteArray();
  };
  const first: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const own = await timed(() => site(new SiteCache(store)));
    first.push(own / (await timed(bareRead)));
  }
  const warm = new SiteCache(store);
  const reads = await callsOf(async () => {
    for (let i = 0; i < 10; i++) await site(warm);
  });
  const getItem = () =>
    db.send(new GetCommand({ TableName: env('DEPLOYMENTS_TABLE'), Key: { id }, ConsistentRead: true }));
  const over: number[] = [];
  for (let i = 0; i < 300; i++) over.push((await timed(() => site(warm))) - (await timed(getItem)));
  return {
    deployOverFloor: p50(ratios),
    s3Writes: made.s3Writes,
    dynamoDBCalls: made.reads + made.writes,
    siteOverGetItemMs: p50(over),
    s3ReadsPerVersion: reads.s3Reads,
    firstPageOverRead: p50(first),
  };
}

if (import.meta.main) console.log(JSON.stringify(await speed()));
