import { VIEWER_ADDRESS_HEADER, VIEWER_HOST_HEADER } from '../../../lambda/access/viewer-address.ts';
import { RememberedSites } from '../../../lambda/data/remembered-sites.ts';
import { type DataStage, parseTarget, serveData } from '../../../lambda/data/serve.ts';
import { parseDeclaration } from '../../../lambda/sites/data/declaration.ts';
import { signOwner } from '../../../lambda/stored/data/site-data.ts';
import type { Deployment } from '../../../lambda/stored/deployment.ts';
import { signAccess } from '../../../lambda/stored/page-access.ts';
import { aDeployment, aVersion } from '../../support/a-deployment.ts';
import { startDataTable } from '../../support/data-table.ts';
import { logLines } from '../../support/log-lines.ts';

const ID = 'abcdefghijkl';
const KEY = Buffer.alloc(32, 7).toString('base64url');
const TEXT = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 100 } } };
const DECLARATION = parseDeclaration(
  JSON.stringify({
    open: { create: 'visitor', read: 'visitor', schema: TEXT },
    own: { create: 'visitor', read: 'author', schema: TEXT },
    secret: { schema: TEXT },
  }),
);
const PAGE = aDeployment({ id: ID, owner: 'key:1', data: { rules: 'hash', since: 1, key: KEY } });

/** Serves the data of a site with an origin of its own. @param page the deployment, as it differs from a public one */
async function startStage(page: Partial<Deployment> | null = {}, more: Partial<DataStage> = {}) {
  const { data, time, db } = await startDataTable();
  const reads: string[] = [];
  const noted = { notifications: 0, anonymous: 0 };
  const sites = new RememberedSites(
    async () => {
      reads.push('pointer');
      return page === null ? undefined : { ...PAGE, ...page };
    },
    (site) => {
      reads.push('state');
      return data.readState(site);
    },
  );
  const stage: DataStage = {
    sites,
    table: data,
    rules: async () => DECLARATION,
    limits: {
      count: async () => {},
      requireRoom: async () => {},
      countCreation: async (_, isAnonymous) => {
        if (isAnonymous) noted.anonymous++;
      },
    },
    notify: async () => void noted.notifications++,
    clock: () => time.now,
    baseUrl: 'https://ptp.example',
    siteOrigin: 'https://*.sites.example',
    ...more,
  };
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const [pathname = '', rawQuery = ''] = path.split('?');
    return serveData(
      {
        method,
        path: pathname.startsWith('/') ? pathname : `/data/own/${ID}/.data/${pathname}`,
        rawQuery,
        headers: {
          [VIEWER_ADDRESS_HEADER]: '192.0.2.1',
          [VIEWER_HOST_HEADER]: `${ID}.sites.example`,
          'sec-fetch-site': 'same-origin',
          'sec-fetch-mode': 'cors',
          'content-type': 'application/json',
          ...headers,
        },
        rawBody: () => Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      },
      stage,
    );
  };
  return { send, reads, noted, time, db };
}

const json = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString());
const cookieOf = ({ cookie = '' }: { cookie?: string }) => ({ cookie: cookie.split(';')[0] ?? '' });

test.each([
  [`/data/own/${ID}/.data/messages`, { id: ID, isOwn: true, folder: '', path: 'messages' }],
  [`/data/d/${ID}/en/a/.data/m/1`, { id: ID, isOwn: false, folder: 'en/a/', path: 'm/1' }],
  [`/data/own/${ID}/.data/`, { id: ID, isOwn: true, folder: '', path: '' }],
  [`/data/own/${ID}/.data/a/.data/b`, { id: ID, isOwn: true, folder: '', path: 'a/.data/b' }],
  ['/data/own/short/.data/m', undefined],
  [`/data/own/${ID}/data/m`, undefined],
  [`/data/${ID}/.data/m`, undefined],
])('finds what %s is for', (path, expected) => {
  const target = parseTarget(path);
  expect(target && { ...target, rest: undefined }).toEqual(expected && { ...expected, rest: undefined });
});

test('reads the pointer and the state for a 304, and nothing else', async () => {
  const { send, reads } = await startStage();
  await send('POST', 'open', {}, { text: 'hello' });
  const { headers } = await send('GET', 'open');
  reads.length = 0;
  const { status } = await send('GET', 'open', { 'if-none-match': String(headers.ETag) });
  // The state is read before the pointer is there: an instance remembers where it is.
  expect([status, reads]).toEqual([304, ['state', 'pointer']]);
});

test.each([
  ['not there', null, 404, 'not_found'],
  ['deleted', { deletedAt: 2 }, 410, 'gone'],
  ['expired', { deletedAt: 2, expired: true as const }, 410, 'gone'],
  ['taken down', { takenDown: { at: 2 } }, 451, 'taken_down'],
  ['held', { versions: [aVersion('v1', { gate: { points: 200, reasons: [] } })] }, 403, 'forbidden'],
  ['private', { access: { type: 'link' as const, key: KEY } }, 403, 'forbidden'],
  ['without data', { data: undefined as never }, 404, 'not_found'],
])('has no data of a page that is %s', async (_, page, status, code) => {
  const bounds = { anonymousPoints: 50, keyPoints: 100 };
  const { send } = await startStage(page as Partial<Deployment> | null, { bounds });
  for (const response of [await send('GET', 'open'), await send('POST', 'open', {}, { text: 'a' })]) {
    expect([response.status, json(response).code]).toEqual([status, code]);
    expect(response.headers['Cache-Control']).toContain('no-store');
  }
});

test('admits to the data of a private page with the cookie of the page', async () => {
  const { send, time } = await startStage({ access: { type: 'link', key: KEY } });
  const cookie = (purpose: 'cookie' | 'link') => `__Host-ptp-access=${signAccess(KEY, purpose, time.now / 1_000 + 60)}`;
  expect((await send('GET', 'open', { cookie: cookie('link') })).status).toBe(403);
  expect((await send('GET', 'open', { cookie: `a=b; ${cookie('cookie')}` })).status).toBe(200);
});

test('sets a cookie for the visitor only where a rule needs one, and recognizes the visitor', async () => {
  const { send } = await startStage();
  expect((await send('POST', 'open', {}, { text: 'a' })).cookie).toBeUndefined();
  expect((await send('GET', 'own')).cookie).toBeUndefined();
  const created = await send('POST', 'own', {}, { text: 'a' });
  expect(created.cookie).toMatch(
    /^__Host-ptp-visitor=[\w-]{22}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  );
  const again = await send('POST', 'own', cookieOf(created), { text: 'b' });
  expect(again.cookie).toBeUndefined();
  expect(json(await send('GET', 'own', cookieOf(created))).items).toHaveLength(2);
  expect(json(await send('GET', 'own')).items).toEqual([]);
});

test('takes the repeat of a first request whose response was lost for the same visitor', async () => {
  const { send } = await startStage();
  const post = (key: string, text: string) => send('POST', 'own', { 'idempotency-key': key }, { text });
  const uuid = crypto.randomUUID();
  const lost = await post(uuid, 'a');
  const repeated = await post(uuid, 'a');
  expect(json(repeated)).toEqual({ ...json(lost), mine: true });
  expect(repeated.cookie).toBe(lost.cookie);
  // A page may send one key for all of its visitors, and others may guess one that is not random.
  const others = [await post(uuid, 'b'), await post('signup', 'a'), await post('signup', 'a')];
  expect(new Set([lost, ...others].map(({ cookie }) => cookie)).size).toBe(4);
});

test('makes a browser the owner’s for 30 days, until the page has another owner', async () => {
  const owner = { owner: PAGE.owner, data: PAGE.data as NonNullable<Deployment['data']> };
  const { send, time } = await startStage({ access: { type: 'password', key: KEY } });
  const link = signOwner(owner, 'link', time.now / 1_000 + 60);
  const entered = await send('GET', `owner?key=${link}&to=/list.html`);
  expect([entered.status, entered.headers.Location]).toEqual([303, '/list.html']);
  for (const [to, location] of [
    ['', '/'],
    ['/list.html?a=1', '/list.html?a=1'],
    ['//evil.example/x', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
    ['blob:https://site.invalid/list.html', '/'],
    ['/.//evil.example', '/evil.example'],
  ] as const) {
    const { headers } = await send('GET', `owner?key=${link}&to=${encodeURIComponent(to)}`);
    expect([to, headers.Location]).toEqual([to, location]);
  }
  expect(entered.cookie).toMatch(/^__Host-ptp-owner=.*; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
  expect((await send('GET', 'secret', cookieOf(entered))).status).toBe(200);
  expect((await send('DELETE', 'owner', { 'sec-fetch-site': 'cross-site' })).cookie).toBeUndefined();
  const left = await send('DELETE', 'owner', cookieOf(entered));
  expect([left.status, left.cookie]).toEqual([
    204,
    '__Host-ptp-owner=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ]);
  const claimed = await startStage({ owner: 'key:2' });
  expect((await claimed.send('GET', 'secret', cookieOf(entered))).status).toBe(403);
  expect((await claimed.send('GET', `owner?key=${link}`)).status).toBe(403);
  const other = await startStage({ data: { ...owner.data, key: Buffer.alloc(32, 8).toString('base64url') } });
  expect((await other.send('GET', 'secret', cookieOf(entered))).status).toBe(403);
  // A link is no cookie, and ends.
  expect((await claimed.send('GET', 'secret', { cookie: `__Host-ptp-owner=${link}` })).status).toBe(403);
  time.now += 61_000;
  expect((await send('GET', `owner?key=${link}`)).status).toBe(403);
  expect((await send('GET', 'secret', cookieOf(entered))).status).toBe(200);
  time.now += 30 * 86_400_000;
  expect((await send('GET', 'secret', cookieOf(entered))).status).toBe(403);
});

test('has neither owner nor visitors on a shared origin, which leads to the page’s own where there is one', async () => {
  const owner = { owner: PAGE.owner, data: PAGE.data as NonNullable<Deployment['data']> };
  const { send, time } = await startStage({}, { siteOrigin: undefined });
  const end = time.now / 1_000 + 60;
  const cookie = `__Host-ptp-owner=${signOwner(owner, 'cookie', end)}`;
  const shared = `/data/d/${ID}/.data`;
  expect((await send('GET', `${shared}/secret`, { cookie })).status).toBe(403);
  expect((await send('GET', `${shared}/owner?key=${signOwner(owner, 'link', end)}`)).status).toBe(403);
  expect((await send('POST', `${shared}/open`, {}, { text: 'a' })).status).toBe(201);
  const own = await startStage();
  const { status, headers } = await own.send('POST', `${shared}/open?a=1`, {}, { text: 'a' });
  expect([status, headers.Location, own.reads]).toEqual([307, `https://${ID}.sites.example/.data/open?a=1`, []]);
});

test('tells the owner of a new item, and counts those of sites without an owner', async () => {
  const owned = await startStage({ dataWebhook: 'https://example.com/' });
  expect((await owned.send('POST', 'open', {}, { text: 'a' })).status).toBe(201);
  expect(owned.noted).toEqual({ notifications: 1, anonymous: 0 });
  await owned.send('POST', 'open', {}, { text: 1 });
  expect(owned.noted.notifications).toBe(1);
  const anonymous = await startStage({ owner: 'anonymous' });
  for (const _ of ['first', 'repeat']) {
    await anonymous.send('POST', 'open', { 'idempotency-key': 'k' }, { text: 'a' });
    anonymous.time.now++;
  }
  expect(anonymous.noted).toEqual({ notifications: 0, anonymous: 1 });
});

test('logs neither texts nor visitors nor keys', async () => {
  const { send } = await startStage(
    { dataWebhook: 'https://example.com/' },
    {
      notify: async () => {
        throw new Error('not started');
      },
    },
  );
  const created = await send('POST', 'own', {}, { text: 'a private text' });
  const visitor = cookieOf(created).cookie.split('=')[1] ?? '';
  expect(logLines.length).toBeGreaterThan(0);
  for (const secret of ['a private text', visitor, KEY]) expect(logLines.join('\n')).not.toContain(secret);
});
