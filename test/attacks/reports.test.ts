/*
 * A stranger with a script and a week reports pages: to fill the table, to bury the report of a real page, or to have an operator take a
 * competitor's page down.
 *
 * Without bounds: ten reports a minute and address are 14,400 a day, each an item of up to 5 KB in a list that nobody can read; 10,000
 * addresses 700 GB a day.
 * Now: an address reports 20 pages a day, which exist, and which weigh together what four people do. A page has one item of less than
 * 60 KB, whatever is reported, and at most 50 of its reports are written in a day. API Gateway lets 5 a second through: at most
 * 432,000 writes a day of up to 60 units, $16, and $1.50 of API Gateway. Pages of other sites cannot use the addresses of their visitors.
 */
import { GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { main } from '../../cli/review.ts';
import { openStage } from '../../cli/stage.ts';
import { newCaller } from '../support/cloud/client.ts';
import { operate } from '../support/cloud/keys.ts';
import { withinOneDay } from '../support/one-day.ts';
import { LIMITS, limitedCloud } from './limited.ts';

const { reports: OF_A_DAY } = LIMITS;

await withinOneDay();
const running = await limitedCloud();

const address = () => newCaller(running.baseUrl);

async function page(title: string): Promise<string> {
  const { json } = await address().post('/api/v1/deploy', {
    files: [{ path: 'index.html', content: title }],
  });
  return json.id;
}
const report = (deploymentId: string, caller = address(), more: object = {}) =>
  caller.post('/api/v1/reports', { deploymentId, reason: 'phishing', ...more });

async function reported(): Promise<Record<string, unknown>[]> {
  using stage = await openStage(undefined, { STATE_DIR: running.stateDir });
  const found: Record<string, unknown>[] = [];
  const table = { TableName: stage.output('DeploymentsTable') };
  for await (const { Items = [] } of paginateScan({ client: stage.db }, table))
    found.push(...Items.filter(({ id }) => id.startsWith('report:')));
  return found;
}

async function itemOf(deploymentId: string): Promise<Record<string, unknown> | undefined> {
  using stage = await openStage(undefined, { STATE_DIR: running.stateDir });
  const Key = { id: `report:${deploymentId}` };
  const { Item } = await stage.db.send(new GetCommand({ TableName: stage.output('DeploymentsTable'), Key }));
  return Item;
}

it('an address reports its pages of the day, and nothing that does not exist', async () => {
  const script = address();
  const before = (await reported()).length;
  for (let i = 0; i < 20; i++) expect((await report(`unknown${String(i).padStart(5, '0')}`, script)).status).toBe(404);
  expect(await reported()).toHaveLength(before);
  const pages = await Promise.all(Array.from({ length: OF_A_DAY + 1 }, (_, i) => page(`page ${i}`)));
  for (const id of pages.slice(0, OF_A_DAY)) expect((await report(id, script)).status).toBe(202);
  // Repeated, in a loop: nothing is counted and nothing is written.
  const [first = ''] = pages;
  const written = await itemOf(first);
  for (let i = 0; i < 30; i++) expect((await report(first, script, { details: `again ${i}` })).status).toBe(202);
  expect(await itemOf(first)).toEqual(written);

  const { status, headers, json } = await report(pages.at(-1) ?? '', script);
  const retryAfter = Number(headers['retry-after']);
  expect({ status, json }).toEqual({
    status: 429,
    json: {
      error: expect.stringContaining(`More than ${OF_A_DAY} pages were reported from this address in a day`),
      retryAfter,
      docs: '/docs#rate-limits',
    },
  });
  const midnight = Date.now() + retryAfter * 1_000;
  expect(Math.abs(midnight - Math.round(midnight / 86_400_000) * 86_400_000)).toBeLessThan(60_000);
  expect(await itemOf(pages.at(-1) ?? '')).toBeUndefined();
});

it('many addresses leave one small item of a page, with texts of few of them', async () => {
  const id = await page('flooded');
  const text = '😀'.repeat(1_000);
  // More at once would lose races for the item, which are a 503.
  for (let sent = 0; sent < 80; sent += 4) {
    const four = Array.from({ length: 4 }, () => report(id, address(), { details: text, contact: text.slice(0, 400) }));
    for (const { status } of await Promise.all(four)) expect(status).toBe(202);
  }
  const item = await itemOf(id);
  expect(item).toMatchObject({ reasons: { phishing: 50 } });
  expect(item?.details).toHaveLength(4);
  expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(60_000);
});

it('reports of a script do not bury that of a person', async () => {
  const script = address();
  const junk = await Promise.all(Array.from({ length: OF_A_DAY }, (_, i) => page(`junk ${i}`)));
  for (const id of junk) await report(id, script);
  const real = await page('a bank');
  await report(real, address(), { details: 'It asks for my PIN' });
  type Entry = { readonly id: string; readonly urgency: number };
  let list: Entry[] = [];
  while (!list.some(({ id }) => id === real))
    list = JSON.parse(await operate(main, ['--json'], running.stateDir)) as Entry[];
  const ahead = list.filter(({ id }) => junk.includes(id)).map(({ urgency }) => urgency);
  const urgency = list.find(({ id }) => id === real)?.urgency ?? 0;
  // The script's first report of the day weighs as much, and no other one.
  expect(ahead.filter((one) => one >= urgency).length).toBeLessThanOrEqual(1);
});
