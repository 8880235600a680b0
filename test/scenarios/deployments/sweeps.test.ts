import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import { saltOf } from '../../../lambda/stored/views.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';
import { NO_RATE_LIMIT, startVariant } from '../../support/cloud/variant.ts';
import { shiftClocks } from '../../support/cloud/wrong-clock.ts';
import { withinOneDay } from '../../support/one-day.ts';
import { expire, tableOf } from '../../support/tables.ts';

const FILES = [{ path: 'index.html', content: '<title>Kept</title>' }];

/** Sweeps run all the time; that of deployments leaves files as long as clocks may be apart. */
const edit = shiftClocks(CLOCKS_APART_MS, /^DeploymentsSweep/);
const running = closeAtEnd(await startVariant(NO_RATE_LIMIT, { scheduleSeconds: 0.5 }, edit));

it('an expired deployment is a 410 that says so, its objects are deleted, and a deploy restores it', async () => {
  const { send, post } = newCaller(running.baseUrl);
  const deploy = () => post('/api/v1/deploy', { files: FILES, projectId: 'short' });
  const { json, headers } = await deploy();
  const page = () => send(`/d/${json.id}/`);
  expect((await page()).status).toBe(200);
  await expire(json.id, running);
  expect(await page()).toMatchObject({ status: 410, text: expect.stringContaining('Expired') });
  expect((await send(`/d/${json.id}.zip`)).status).toBe(410);
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const resource = await send(`/api/v1/deployments/${json.id}`, { headers: token });
  expect([resource.status, resource.json.error]).toEqual([410, expect.stringContaining('expired')]);
  while ((await storedObjects(`sites/${json.id}/`, running)).length > 0) await sleep(100);
  expect((await page()).status).toBe(410);
  expect(await deploy()).toMatchObject({ status: 201, json: { id: json.id } });
  expect((await page()).status).toBe(200);
});

it('the salts of visitors of past days are deleted', async () => {
  await withinOneDay();
  const { db, table } = tableOf(/views/i, running);
  const today = new Date().toISOString().slice(0, 10);
  for (const day of ['2020-01-01', today]) await saltOf(db, table, day);
  const days = async () => {
    const { Items = [] } = await db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'page = :salts',
        ExpressionAttributeValues: { ':salts': '#salt' },
      }),
    );
    return Items.map(({ day }) => day);
  };
  while ((await days()).includes('2020-01-01')) await sleep(50);
  expect(await days()).toEqual([today]);
});

it('an item whose time is over is deleted, and with a deployment all of its data', async () => {
  const email = { type: 'string', format: 'email' };
  const schema = { type: 'object', required: ['email'], properties: { email } };
  const places = { create: 'visitor', count: 'visitor', unique: 'email', keepDays: 1, schema };
  const { send, post } = newCaller(running.baseUrl);
  const files = [...FILES, { path: '_data.json', content: JSON.stringify({ places }) }];
  const { json, headers } = await post('/api/v1/deploy', { files });
  const data = `/d/${json.id}/.data/places`;
  expect((await post(data, { email: 'a@example.org' })).status).toBe(201);
  const { db, table } = tableOf(/-DataTable[0-9A-F]{8}$/, running);
  const items = async (collection: string) => {
    const { Items = [] } = await db.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
    return Items.filter(({ site, key }) => site.startsWith(json.id) && key.startsWith(collection));
  };
  const [{ site, key } = {}] = await items('item#');
  const UpdateExpression = 'SET endsAt = :past';
  const ExpressionAttributeValues = { ':past': Date.now() - 1 };
  await db.send(
    new UpdateCommand({ TableName: table, Key: { site, key }, UpdateExpression, ExpressionAttributeValues }),
  );
  while ((await send(`${data}/count`)).json.count > 0) await sleep(50);
  expect((await post(data, { email: 'a@example.org' })).status).toBe(201);
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  await send(`/api/v1/deployments/${json.id}`, { method: 'DELETE', headers: token });
  while ((await items('')).length > 0) await sleep(50);
  db.destroy();
});
