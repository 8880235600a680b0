import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { CLIENT, documentClient } from '../lambda/platform/aws.ts';
import { ACCESS_COOKIES } from '../lambda/sites/edge.ts';
import type { Conditions } from '../lambda/sites/serving/respond.ts';
import { liveVersion } from '../lambda/stored/deployment.ts';
import { type Access, newAccessKey, signAccess } from '../lambda/stored/page-access.ts';
import { RememberedPointers } from '../lambda/visits/remembered-pointers.ts';
import { SiteCache, SiteStore } from '../lambda/visits/site-store.ts';
import { visit } from '../lambda/visits/visit.ts';
import { exactly, type Figure, measureMs, ratio } from './figure.ts';
import { callsOf, deployLarge, handlerOf } from './invoke.ts';

const env = (name: string) => process.env[name] ?? '';
const Bucket = env('SITES_BUCKET');
const s3 = new S3Client(CLIENT);
const db = documentClient();

const VISITOR = { cookies: [], baseUrl: '', secure: true };

/** The access of a private page, and the cookie of a visitor who may see it. */
const KEY = newAccessKey();
const COOKIE = `${ACCESS_COOKIES.https}=${signAccess(KEY, 'cookie', Math.floor(Date.now() / 1_000) + 3_600)}`;

async function serving(id: string): Promise<Figure[]> {
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
  const calls = await callsOf(revalidate);
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
  ];
}

const invoke = await handlerOf('DeploymentsApi');
console.log(JSON.stringify(await serving(await deployLarge(invoke))));
