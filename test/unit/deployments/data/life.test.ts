import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { deploy } from '../../../../lambda/deployments/deploy.ts';
import { newDeploymentNames } from '../../../../lambda/deployments/idempotency-store.ts';
import { deleteDeployment } from '../../../../lambda/deployments/manage.ts';
import { acceptSubmission } from '../../../../lambda/deployments/submission.ts';
import { sweep } from '../../../../lambda/deployments/sweep.ts';
import { siteOf } from '../../../../lambda/stored/data/site-data.ts';
import type { Deployment } from '../../../../lambda/stored/deployment.ts';
import { startDataTable } from '../../../support/data-table.ts';
import { senderOf, startWorld } from '../../../support/deployments.ts';

const HOUR = 3_600_000;
const DECLARATION = JSON.stringify({
  messages: {
    create: 'visitor',
    keepDays: 1,
    schema: { type: 'object', properties: { text: { type: 'string' } } },
  },
});

const world = await startWorld();
const table = await startDataTable();

const stage = () => ({
  ...world.stage,
  data: table.data,
  endData: (site: string, now: number) => table.data.endSite(site, now),
  siteOrigin: 'https://*.sites.example',
});

async function publish(projectId: string, more: object = {}): Promise<Deployment> {
  const files = [
    { path: 'index.html', content: '' },
    { path: '_data.json', content: DECLARATION },
  ];
  const { response } = await deploy(
    acceptSubmission({ files, projectId }),
    senderOf('key:a', more),
    newDeploymentNames(),
    stage(),
  );
  return find(response.id);
}

const find = async (id: string) => (await world.stage.pointers.find(id)) as Deployment;

async function sign(deployment: Deployment, id: string, endsAt?: number) {
  const item = {
    id,
    fields: {},
    createdAt: table.time.now,
    shown: true,
    bytes: 2,
    ...(endsAt && { endsAt }),
  };
  const created = await storeOf(deployment).create('messages', item);
  if (typeof created === 'string') throw new Error(created);
  return created;
}

const storeOf = ({ id, data }: Deployment) => table.data.store(id, data as never);

/** Returns the sort keys of what a site has. */
async function keysOf({ id, data }: Deployment): Promise<string[]> {
  const { Items = [] } = await table.db.send(
    new QueryCommand({
      TableName: table.table,
      KeyConditionExpression: 'site = :site',
      ExpressionAttributeValues: { ':site': siteOf(id, data as never) },
    }),
  );
  return Items.map(({ key }) => key as string);
}

/** Sweeps as the hourly function does. @param ended ids that the index of ends has */
function sweepAfter(hours: number, ended: readonly string[] = []) {
  table.time.now += hours * HOUR;
  world.now = table.time.now;
  return sweep({
    pointers: {
      ended: async (shard) => ended.filter((id) => id.startsWith(shard)),
      find,
      forget: (...args) => world.stage.pointers.forget(...args),
    },
    archives: world.stage.archives,
    deleteSalts: async () => 0,
    data: table.data,
    clock: () => table.time.now,
  });
}

beforeEach(() => {
  world.now = table.time.now;
});

test('the data of a deployment that was deleted is gone after the next sweep', async () => {
  const deployment = await publish('deleted');
  await sign(deployment, 'a');
  await deleteDeployment(deployment, undefined, stage(), undefined);
  expect(await keysOf(deployment)).not.toEqual([]);
  await sweepAfter(1);
  expect(await keysOf(deployment)).toEqual([]);
});

test('so is that of one that has expired, and of one that was deployed again before the sweep', async () => {
  const life = { settings: { expiresInSeconds: 60 } };
  const [expired, again] = [await publish('expired', life), await publish('again', life)];
  for (const deployment of [expired, again]) await sign(deployment, 'a');
  table.time.now += 120_000;
  world.now = table.time.now;
  const restored = await publish('again');
  await sign(restored, 'b');
  // Notes that the data has ended; the next sweep deletes it.
  await sweepAfter(0, [expired.id]);
  await sweepAfter(1);
  expect(await keysOf(expired)).toEqual([]);
  expect(await keysOf(again)).toEqual([]);
  expect((await storeOf(restored).list('messages', { limit: 9, shownOnly: true })).items).toHaveLength(1);
});

test('an item whose time has come is deleted, and no longer counted', async () => {
  const deployment = await publish('kept');
  const { id } = await sign(deployment, 'a', table.time.now + HOUR);
  await sign(deployment, 'b');
  await sweepAfter(2);
  expect(await storeOf(deployment).get('messages', id)).toBeUndefined();
  expect(await storeOf(deployment).state('messages')).toMatchObject({ items: 1 });
});
