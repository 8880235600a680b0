import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewsResponse } from '../../lambda/contract/queries.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { newKey } from '../support/cloud/keys.ts';
import { withinOneDay } from '../support/one-day.ts';
import { check, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';
import type { Session } from '../support/stage/session.ts';

/** As a browser that is not known as a program. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const REFERRER = 'smoke-test.example';

/** The views of a page wait for the next visit that reaches their instance. */
const ROUNDS = 20;

const PAUSE_MS = 500;

onStage({
  name: 'views',
  title: 'A view of a page is counted, with the site that it came from',
  means: 'The site function does not get the headers of visitors, or cannot write to its table.',
  lookAt:
    'CloudFront > Policies > Origin request: *-SitesRequest-* must forward User-Agent and Referer; ' +
    'the log group *-DeploymentsSiteLogs* for "views not written"',
  run: async (session) => {
    const before = await viewsOf(session);
    if (!before.counted) throw new SkippedError(before.reason ?? 'views are not counted');
    const headers = { accept: 'text/html', 'user-agent': BROWSER, referer: `https://${REFERRER}/` };
    expectStatus(await session.visit('', { headers }), 200);
    for (let round = 0; round < ROUNDS; round++) {
      const { totals, referrers } = await viewsOf(session);
      if (totals.views > before.totals.views) {
        const named = referrers.map(({ host }) => host).join(', ');
        check(named.includes(REFERRER), `The view came from ${REFERRER}, not from "${named}"`);
        return undefined;
      }
      check(totals.bots === before.totals.bots, 'The view was counted as one by a program');
      await session.visit('style.css');
      await sleep(PAUSE_MS);
    }
    throw new Error(`The view was not counted within ${(ROUNDS * PAUSE_MS) / 1_000} s`);
  },
});

async function viewsOf(session: Session): Promise<ViewsResponse> {
  const { id } = await session.site();
  const response = await session.api('GET', `/api/v1/deployments/${id}/views`, {
    headers: session.ownership,
  });
  expectStatus(response, 200);
  return response.json<ViewsResponse>();
}

const FILES = {
  'index.html': '<title>Home</title><script src="app.js"></script>',
  'about.html': '<title>About</title>',
  '404.html': '<title>Nothing here</title>',
  'app.js': '1',
};

const today = () => new Date().toISOString().slice(0, 10);

/** Opens pages as the browser of a new visitor does. */
function newVisitor(id: string, baseUrl = cloud().baseUrl) {
  const { send } = newCaller(baseUrl);
  return (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(`/d/${id}/${path}`, { method, headers: { accept: 'text/html', 'user-agent': BROWSER, ...headers } });
}

async function deploy(headers: Record<string, string> = {}) {
  const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
  const response = await newCaller().post('/api/v1/deploy', { files }, headers);
  return {
    id: response.json.id as string,
    path: `/api/v1/deployments/${response.json.id}/views`,
    token: { 'x-deployment-token': String(response.headers['x-deployment-token'] ?? '') },
  };
}

const report = async (path: string, headers: Record<string, string>, query = '') =>
  newCaller().send(path + query, { headers });

beforeEach(withinOneDay);

test('shows views, with bots apart', async () => {
  const { id, path, token } = await deploy();
  const first = newVisitor(id);
  await first('', { referer: 'https://www.news.example/item?q=1' });
  const json = await until(path, token, ({ totals }) => totals.views === 1, first);
  expect(json).toMatchObject({
    counted: true,
    totals: { views: 1, visitors: 1, bots: 0 },
    paths: [{ path: '/', views: 1 }],
    referrers: [{ host: 'news.example', views: 1 }],
    other: { paths: 0, referrers: 0 },
    statuses: { 200: 1 },
  });
  expect(json.days).toHaveLength(30);
  expect(json.days.at(-1)).toEqual({ date: today(), views: 1, visitors: 1, bots: 0 });

  await first('about', { referer: `${cloud().baseUrl}/d/${id}/` });
  await newVisitor(id)('');
  await newVisitor(id)('nope');
  await newVisitor(id)('', {
    'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  });
  // None of these is a view.
  await first('app.js', { accept: '*/*' });
  await first('', {}, 'HEAD');
  await first('', { 'sec-purpose': 'prefetch' });
  const all = await until(path, token, ({ totals }) => totals.views + totals.bots === 5, first);
  expect(all).toMatchObject({ totals: { views: 4, visitors: 3, bots: 1 }, statuses: { 200: 3, 404: 1 } });
  expect(all.paths).toEqual(
    expect.arrayContaining([
      { path: '/', views: 2 },
      { path: '/about', views: 1 },
      { path: '/nope', views: 1 },
    ]),
  );
  expect(all.referrers).toEqual([{ host: 'news.example', views: 1 }]);
});

/** Visits at the same time, which reach several instances. */
const AT_ONCE = 4;

/**
 * Waits until a report has what was counted: a visit waits for the write of its view for a moment only, and later views of a page
 * wait for the next visit that reaches their instance.
 */
async function until(
  path: string,
  token: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: the body of a report
  isComplete: (body: any) => boolean,
  visit: ReturnType<typeof newVisitor>,
) {
  for (;;) {
    const { status, json } = await report(path, token);
    expect(status).toBe(200);
    if (isComplete(json)) return json;
    await Promise.all(Array.from({ length: AT_ONCE }, () => visit('app.js', { accept: '*/*' })));
    await sleep(100);
  }
}

test('shows views to the owner only, and not after a deletion', async () => {
  const anonymous = await deploy();
  const key = { authorization: `Bearer ${await newKey()}` };
  const owned = await deploy(key);
  const visit = newVisitor(owned.id);
  await visit('');
  await until(owned.path, key, ({ totals }) => totals.views === 1, visit);
  expect((await report(anonymous.path, {})).status).toBe(401);
  expect((await report(anonymous.path, key)).status).toBe(401);
  expect(
    (await report(anonymous.path, { 'x-deployment-token': `${anonymous.token['x-deployment-token']}x` })).status,
  ).toBe(403);
  expect((await report(owned.path, {})).status).toBe(401);
  expect((await report(owned.path, { authorization: `Bearer ${await newKey()}` })).status).toBe(403);
  expect((await report('/api/v1/deployments/zzzzzzzzzzzz/views', key)).status).toBe(404);
  await newCaller().send(owned.path.replace('/views', ''), { method: 'DELETE', headers: key });
  expect((await report(owned.path, key)).status).toBe(410);
});

test('reports periods of at most 90 days', async () => {
  const { path, token } = await deploy();
  const { json } = await report(path, token, '?from=2026-01-01&to=2026-01-03');
  expect(json.days.map(({ date }: { date: string }) => date)).toEqual(['2026-01-01', '2026-01-02', '2026-01-03']);
  for (const query of ['?from=2026-01-02&to=2026-01-01', '?from=2026-01-01&to=2026-04-01', '?from=today'])
    expect((await report(path, token, query)).status).toBe(400);
});
