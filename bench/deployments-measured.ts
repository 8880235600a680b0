import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT, documentClient } from '../lambda/platform/aws.ts';
import { ACCESS_COOKIES } from '../lambda/sites/edge.ts';
import type { Conditions } from '../lambda/sites/serving/respond.ts';
import { liveVersion } from '../lambda/stored/deployment.ts';
import { type Access, newAccessKey, signAccess } from '../lambda/stored/page-access.ts';
import { RememberedPointers } from '../lambda/visits/remembered-pointers.ts';
import { SiteCache } from '../lambda/visits/site-cache.ts';
import { SiteStore } from '../lambda/visits/site-store.ts';
import { visit } from '../lambda/visits/visit.ts';
import { callsOf } from './aws-calls.ts';
import { atMost, exactly, type Figure } from './figure.ts';
import { incrementalCosts } from './incremental.ts';
import { handlerOf, type Invoke } from './invoke.ts';
import { costs, type Measurements } from './prices.ts';
import { projectOf } from './project.ts';
import { measureMs, ratio } from './ratio.ts';

const env = (name: string) => process.env[name] ?? '';
const Bucket = env('SITES_BUCKET');
const s3 = new S3Client(CLIENT);
const db = documentClient();
const project = Buffer.from(JSON.stringify(projectOf(200, 52_428)));

interface Api {
  /** Deploys the large project and returns its id. */
  readonly deploy: () => Promise<string>;
  /** Deploys five small files under one projectId. */
  readonly redeploy: () => Promise<BenchSite>;
  readonly rollBack: (site: BenchSite) => Promise<void>;
}

interface BenchSite {
  readonly id: string;
  readonly version: string;
  readonly token: string;
}

function deployer(invoke: Invoke): Api {
  /** @param body in base64, as in an event */
  const post = async (path: string, body: string, headers = {}) => {
    const response = await invoke({ path, body, headers });
    if (response.status >= 300) throw new Error(`${path} failed: ${response.status} ${response.body}`);
    return response;
  };
  const large = project.toString('base64');
  const small = Buffer.from(JSON.stringify({ ...projectOf(5, 4_096), projectId: 'bench' })).toString(
    'base64',
  );
  let token = '';
  return {
    deploy: async () => JSON.parse((await post('/api/v1/deploy', large)).body).id,
    redeploy: async () => {
      const { body, headers } = await post('/api/v1/deploy', small);
      token = headers['X-Deployment-Token'] ?? token;
      return { id: JSON.parse(body).id, version: JSON.parse(headers.ETag ?? ''), token };
    },
    rollBack: async ({ id, version, token }) => {
      const body = Buffer.from(JSON.stringify({ version })).toString('base64');
      await post(`/api/v1/deployments/${id}/rollback`, body, { 'X-Deployment-Token': token });
    },
  };
}

async function deploying({ deploy }: Api): Promise<Figure[]> {
  const parseAndPut = async () => {
    const { files } = JSON.parse(project.toString()) as ReturnType<typeof projectOf>;
    await s3.send(new PutObjectCommand({ Bucket, Key: `floor/${files.length}`, Body: project }));
  };
  const calls = await callsOf(deploy);
  return [
    await ratio(
      'deploy of 10 MB / parse and one put',
      { atMost: 1.4 },
      () => measureMs(deploy),
      () => measureMs(parseAndPut),
      { seconds: 20 },
    ),
    atMost('deploy of 10 MB, S3 writes', calls.s3Writes, 1),
    // Besides, four writes count: the request, its bytes for the caller and for all callers, and who deployed what.
    atMost('deploy of 10 MB, DynamoDB calls', calls.reads + calls.writes - 4, 3),
  ];
}

/** Counts calls to AWS. One that is not to DynamoDB and not a read, such as an invalidation, counts as an S3 write. */
async function changing({
  redeploy,
  rollBack,
}: Api): Promise<{ figures: Figure[]; redeploying: Measurements }> {
  const first = await redeploy();
  const ms = await measureMs(redeploy);
  const replaced = await callsOf(redeploy);
  const rolledBack = await callsOf(() => rollBack(first));
  // Each request also counts its caller, and a deploy notes who sent it: one write each.
  const figures = [
    exactly('redeploy, S3 writes', replaced.s3Writes, 1),
    exactly('redeploy, DynamoDB writes', replaced.writes - 2, 2),
    atMost('redeploy, DynamoDB reads', replaced.reads, 1),
    exactly('rollback, DynamoDB writes', rolledBack.writes - 1, 1),
    exactly('rollback, DynamoDB reads', rolledBack.reads, 1),
    exactly('rollback, other calls', rolledBack.s3Reads + rolledBack.s3Writes, 0),
  ];
  return { figures, redeploying: { calls: replaced, ms } };
}

const VISITOR = { cookies: [], baseUrl: '', secure: true };

/** The access of a private page, and the cookie of a visitor who may see it. */
const KEY = newAccessKey();
const COOKIE = `${ACCESS_COOKIES.https}=${signAccess(KEY, 'cookie', Math.floor(Date.now() / 1_000) + 3_600)}`;

async function serving(id: string, redeploying: Measurements): Promise<Figure[]> {
  const store = new SiteStore({ db, table: env('DEPLOYMENTS_TABLE'), s3, bucket: Bucket, clock: Date.now });
  const pointers = new RememberedPointers((wanted) => store.find(wanted), 0, Date.now);
  const page = (cache: SiteCache, conditions: Conditions = {}) =>
    visit(
      { rawPath: `/d/${id}/src/file-7.js`, rawQuery: '', navigation: false, visitor: VISITOR, conditions },
      {
        find: (wanted) => pointers.find(wanted),
        load: (wanted, version, base) => cache.load(wanted, version, base),
        loadWith: (path, wanted, version, base) => cache.loadWith(path, wanted, version, base),
        clock: Date.now,
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
  /** A visit of the page on its own origin, as a private one or as a public one. */
  const own = (access?: Access) =>
    measureMs(() =>
      visit(
        {
          rawPath: `/own/${id}/src/file-7.js`,
          rawQuery: '',
          navigation: false,
          conditions: {},
          visitor: { ...VISITOR, cookies: [COOKIE] },
        },
        {
          find: async (wanted) => {
            const pointer = await pointers.find(wanted);
            return access && pointer.deployment
              ? { ...pointer, deployment: { ...pointer.deployment, access } }
              : pointer;
          },
          load: (wanted, version, base) => warm.load(wanted, version, base),
          loadWith: async () => undefined,
          clock: Date.now,
        },
      ),
    );
  const { headers } = await page(warm);
  const revalidate = async () => {
    const { status } = await page(warm, { ifNoneMatch: headers.ETag });
    if (status !== 304) throw new Error(`expected status 304, got ${status}`);
  };
  const ten = async () => {
    for (let i = 0; i < 10; i++) await revalidate();
  };
  const calls = await callsOf(revalidate);
  const revalidation = { calls, ms: (await measureMs(ten)) / 10 };
  const response = (cached: SiteCache) => measureMs(() => page(cached));
  return [
    await ratio(
      'a 304 in a warm site function / a bare GetItem',
      { atMost: 1.3 },
      () => measureMs(revalidate),
      () => measureMs(getItem),
      { rounds: 200 },
    ),
    await ratio(
      'page of 50 KB in a warm site function / a bare GetItem',
      { atMost: 1.5 },
      () => response(warm),
      () => measureMs(getItem),
      { rounds: 200 },
    ),
    await ratio(
      'a visit of a private page in a warm site function / of a public one',
      { atMost: 1.3 },
      () => own({ type: 'link', key: KEY }),
      () => own(),
      { rounds: 200 },
    ),
    exactly('revalidation, DynamoDB reads', calls.reads, 1),
    exactly('revalidation, other calls', calls.writes + calls.s3Reads + calls.s3Writes, 0),
    await ratio(
      'first page of a 10 MB site / a bare read of its object',
      { atMost: 3 },
      () => response(new SiteCache(store)),
      () => measureMs(bareRead),
    ),
    ...costs(revalidation, redeploying),
  ];
}

const invoke = await handlerOf(env('DEPLOY_BUNDLE'));
const api = deployer(invoke);
const large = [...(await deploying(api)), ...(await incrementalCosts(invoke))];
const { figures, redeploying } = await changing(api);
console.log(JSON.stringify([...large, ...figures, ...(await serving(await api.deploy(), redeploying))]));
