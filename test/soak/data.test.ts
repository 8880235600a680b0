import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteData } from '../../lambda/stored/data/site-data.ts';
import { SiteDataTable } from '../../lambda/stored/data/site-data-table.ts';
import { readDeployment } from '../../lambda/stored/deployment.ts';
import { newCaller } from '../support/cloud/client.ts';
import { NO_RATE_LIMIT, startVariant } from '../support/cloud/variant.ts';
import { createAll, creationsOf, DECLARATION, expectExact } from '../support/creations.ts';
import { tableOf } from '../support/tables.ts';

/** `creations.test.ts` has five times as many, without HTTP and processes. */
const CREATIONS = 2_000;
const AT_ONCE = 200;
const CRASHES = 6;

const running = await startVariant({
  ...NO_RATE_LIMIT,
  DATA: { writesPerMinute: 1e6, creationsPerDay: 1e6, anonymousCreationsPerDay: 1e6 },
});
afterAll(() => running.close());

it(`${CREATIONS} creations, ${AT_ONCE} at once, are exact although functions and the backend die`, async () => {
  const files = [
    { path: 'index.html', content: '<!doctype html><title>Places</title>' },
    { path: '_data.json', content: JSON.stringify(DECLARATION) },
  ];
  const { json } = await newCaller(running.baseUrl).post('/api/v1/deploy', { files });
  const creations = creationsOf(CREATIONS);
  let sent = 0;
  const caller = newCaller(running.baseUrl);
  const done = createAll(
    creations,
    AT_ONCE,
    ({ collection, fields, key }, at) => {
      sent = Math.max(sent, at);
      return (
        caller
          .post(`/d/${json.id}/.data/${collection}`, fields, { 'idempotency-key': key })
          // An answer that breaks off is as good as a 502: nobody has read it.
          .catch(() => undefined)
      );
    },
    (repeat) => sleep(50 * repeat),
  );
  for (let crash = 1; crash <= CRASHES; crash++) {
    while (sent < (crash * CREATIONS) / (CRASHES + 1)) await sleep(5);
    if (crash % 3 === 0) {
      await running.killBackend();
      await running.startBackend();
    } else await running.crash('DataApi');
  }
  const { outcomes, cutOff } = await done;
  expect(cutOff).toBeGreaterThan(CRASHES);

  const { db, table } = tableOf(/-DataTable[0-9A-F]{8}$/, running);
  const deployments = tableOf(/-Deployments[0-9A-F]{8}$/, running);
  const deployment = await readDeployment(deployments.db, deployments.table, json.id, Date.now());
  const clock = () => Date.now() + 61_000;
  const bounds = { items: 1e6, bytes: 1e9, creationsPerDay: 1e6 };
  const data = new SiteDataTable({ db, table, clock }, bounds);
  await expectExact(creations, outcomes, json.id, deployment?.data as SiteData, { db, table, data, clock });
  db.destroy();
  deployments.db.destroy();
}, 1_800_000);
