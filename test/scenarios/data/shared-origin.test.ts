import { setTimeout as sleep } from 'node:timers/promises';
import { main as limits } from '../../../cli/limits.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { runMain } from '../../support/command.ts';
import { browserOf, filesOf, originOf, SHARED_DECLARATION } from '../../support/data-site.ts';
import { withinOneDay } from '../../support/one-day.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';

await withinOneDay();
const cloud = await startSiteCloud(undefined, {
  data: { writesPerMinute: 12, creationsPerDay: 24, anonymousCreationsPerDay: 29 },
  rateLimit: { windowSeconds: 3_600, anonymous: 1_000, reads: 60 },
});
afterAll(() => cloud.close());

const code = ({ status, json }: { status: number; json: { code?: string } }) => [status, json?.code];
const message = { body: { name: 'Ann', text: 'hello' } };
const pageOf = (id: string) => () => browserOf(cloud.baseUrl, `/d/${id}/`);

it('shares data without cookies, within its limits, until the operator closes it', async () => {
  const { id } = await cloud.deploy(filesOf(SHARED_DECLARATION));
  const browser = pageOf(id);
  const ann = browser();
  const first = await ann('POST', 'messages', message);
  expect([first.status, first.json.mine, first.headers['set-cookie']]).toEqual([201, undefined, undefined]);
  expect((await browser()('GET', 'messages')).json.items).toHaveLength(1);
  expect(code(await ann('GET', 'messages?mine=true'))).toEqual([403, 'forbidden']);
  expect(code(await ann('GET', 'owner?key=1.a'))).toEqual([403, 'forbidden']);
  // Another page of the origin is the same site for a browser; the declaration decides.
  expect(code(await ann('DELETE', `messages/${first.json.id}`))).toEqual([403, 'forbidden']);

  // Of an address in a minute and in a day, of a site in a day, and of all sites without an owner in a day.
  const several = async (count: number, page = browser()) => {
    const statuses = [];
    for (let i = 0; i < count; i++) statuses.push(code(await page('POST', 'messages', message)).join(' '));
    return statuses;
  };
  const many = await several(14);
  const made = many.filter((one) => one === '201 ').length;
  // One more if a minute ends meanwhile: then the limit of a day ends it.
  expect([12, 13]).toContain(made);
  expect(many.at(-1)).toBe('429 too_many');
  expect((await several(23 - made)).at(-1)).toBe('201 ');
  expect(await several(1)).toEqual(['429 too_many']);
  const other = pageOf((await cloud.deploy(filesOf(SHARED_DECLARATION))).id);
  expect((await several(7, other())).filter((one) => one === '201 ')).toHaveLength(6);
  const reads = () => Promise.all(Array.from({ length: 70 }, () => ann('GET', 'messages/count')));
  // Each instance counts some of them before it shares the count.
  while (!(await reads()).some((read) => code(read).join() === '429,too_many'));

  const { code: exitCode } = await runMain(limits, ['close', 'data'], { STATE_DIR: cloud.stateDir });
  expect(exitCode).toBe(0);
  const change = async () => code(await browser()('DELETE', 'messages/x'));
  let refused = await change();
  for (; refused[0] !== 503; refused = await change()) await sleep(100);
  expect(refused).toEqual([503, 'unavailable']);
  expect((await browser()('GET', 'messages')).status).toBe(200);
});

it('refuses requests that do not come through CloudFront', async () => {
  const { id } = await cloud.deploy(filesOf(SHARED_DECLARATION));
  expect((await newCaller(cloud.baseUrl).send(`/data/d/${id}/.data/messages`)).status).toBe(404);
  const own = await newCaller(originOf(id, cloud.baseUrl)).send('/.data/messages');
  expect(own.status).not.toBe(200);
});
