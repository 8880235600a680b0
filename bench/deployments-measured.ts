import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT, documentClient } from '../lambda/platform/aws.ts';
import { liveVersion } from '../lambda/sites/deployment.ts';
import { Pointers } from '../lambda/visits/pointers.ts';
import { SiteCache } from '../lambda/visits/site-cache.ts';
import { SiteStore } from '../lambda/visits/site-store.ts';
import { visit } from '../lambda/visits/visit.ts';
import { callsOf } from './aws-calls.ts';
import { atMost, type Figure } from './figure.ts';
import { handlerOf } from './invoke.ts';
import { projectOf } from './project.ts';
import { ratio, timed } from './ratio.ts';

const env = (name: string) => process.env[name] ?? '';
const Bucket = env('SITES_BUCKET');
const s3 = new S3Client(CLIENT);
const db = documentClient();
const project = Buffer.from(JSON.stringify(projectOf(200, 52_428)));

async function deployer(): Promise<() => Promise<string>> {
  const invoke = await handlerOf(env('DEPLOY_BUNDLE'));
  const body = project.toString('base64');
  return async () => {
    const answer = await invoke({ path: '/api/v1/deploy', body });
    if (answer.status >= 300) throw new Error(`the deploy failed: ${answer.status} ${answer.body}`);
    return (JSON.parse(answer.body) as { id: string }).id;
  };
}

async function deploying(deploy: () => Promise<string>): Promise<Figure[]> {
  const parseAndPut = async () => {
    const { files } = JSON.parse(project.toString()) as ReturnType<typeof projectOf>;
    await s3.send(new PutObjectCommand({ Bucket, Key: `floor/${files.length}`, Body: project }));
  };
  const calls = await callsOf(deploy);
  return [
    await ratio(
      'deploy of 10 MB / parse and one put',
      { atMost: 1.4 },
      () => timed(deploy),
      () => timed(parseAndPut),
      { seconds: 20 },
    ),
    atMost('deploy of 10 MB, S3 writes', calls.s3Writes, 1),
    atMost('deploy of 10 MB, DynamoDB calls', calls.reads + calls.writes, 3),
  ];
}

async function serving(id: string): Promise<Figure[]> {
  const store = new SiteStore({ db, table: env('DEPLOYMENTS_TABLE'), s3, bucket: Bucket });
  const pointers = new Pointers((wanted) => store.find(wanted), 0, Date.now);
  const page = (cache: SiteCache) =>
    visit(
      { rawPath: `/d/${id}/src/file-7.js`, rawQuery: '', navigation: false, conditions: {} },
      {
        find: (wanted) => pointers.find(wanted),
        load: (wanted, version, base) => cache.load(wanted, version, base),
      },
    );
  const found = await store.find(id);
  const Key = `sites/${id}/${found && liveVersion(found)?.version}.zip`;
  const bareRead = async () => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    await Body?.transformToByteArray();
  };
  const getItem = () =>
    db.send(new GetCommand({ TableName: env('DEPLOYMENTS_TABLE'), Key: { id }, ConsistentRead: true }));
  const warm = new SiteCache(store);
  const reads = await callsOf(async () => {
    for (let i = 0; i < 10; i++) await page(warm);
  });
  return [
    await ratio(
      'page of 50 KB in a warm site function / a bare GetItem',
      { atMost: 1.5 },
      () => timed(() => page(warm)),
      () => timed(getItem),
      { rounds: 200 },
    ),
    atMost('site function, S3 reads per version', reads.s3Reads, 1),
    await ratio(
      'first page of a 10 MB site / a bare read of its object',
      { atMost: 3 },
      () => timed(() => page(new SiteCache(store))),
      () => timed(bareRead),
    ),
  ];
}

const deploy = await deployer();
console.log(JSON.stringify([...(await deploying(deploy)), ...(await serving(await deploy()))]));
