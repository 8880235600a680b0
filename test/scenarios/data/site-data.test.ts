import { setTimeout as sleep } from 'node:timers/promises';
import { main as keys } from '../../../cli/keys.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { browserOf, DECLARATION, filesOf, originOf } from '../../support/data-site.ts';
import { cookieOf, visitorOf } from '../../support/private-pages.ts';
import { ownOrigins } from '../clouds.ts';

const cloud = await ownOrigins();

const deployed = async (declaration: object = DECLARATION, settings: object = {}) => {
  const files = Object.entries(filesOf(declaration)).map(([path, content]) => ({ path, content }));
  const { status, json, headers } = await newCaller(cloud.baseUrl).post('/api/v1/deploy', {
    files,
    ...settings,
  });
  expect([status, json.error]).toEqual([201, undefined]);
  const id = String(json.id);
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const origin = originOf(id, cloud.baseUrl);
  const api = (path: string, sent: object = {}) =>
    newCaller(cloud.baseUrl).send(`/api/v1/deployments/${id}${path}`, { headers: token, ...sent });
  return { id, origin, token, api, json, browser: () => browserOf(origin) };
};
const code = ({ status, json }: { status: number; json: { code?: string } }) => [status, json?.code];
const message = (text: string) => ({ body: { name: 'Ann', text } });

it('has a guestbook that two visitors share', async () => {
  const site = await deployed();
  const [ann, bob] = [site.browser(), site.browser()];
  const first = await ann('POST', 'messages', message('first'));
  expect([first.status, first.json]).toEqual([
    201,
    expect.objectContaining({ name: 'Ann', text: 'first', mine: true }),
  ]);
  expect(first.headers['set-cookie']?.[0]).toMatch(
    /^ptp-visitor=[\w-]{22}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
  );
  await bob('POST', 'messages', message('second'));
  const listed = await bob('GET', 'messages');
  expect(listed.json.items.map(({ text, mine }: { text: string; mine?: true }) => [text, mine])).toEqual([
    ['second', true],
    ['first', undefined],
  ]);
  expect((await ann('GET', 'messages?mine=true')).json.items.map(({ text }: { text: string }) => text)).toEqual([
    'first',
  ]);
  const etag = String(listed.headers.etag);
  expect((await bob('GET', 'messages', { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(code(await bob('DELETE', `messages/${first.json.id}`))).toEqual([403, 'forbidden']);
  expect((await ann('PATCH', `messages/${first.json.id}`, { body: { text: 'better' } })).json.text).toBe('better');
  expect((await ann('DELETE', `messages/${first.json.id}`)).status).toBe(204);
  const later = await bob('GET', 'messages', { headers: { 'if-none-match': etag } });
  expect([later.status, later.json.items.length]).toEqual([200, 1]);
  // The same collection from a page in a folder.
  expect((await browserOf(site.origin, '/en/about/')('GET', 'messages')).json.items).toHaveLength(1);
  expect((await ann('GET', 'client.js')).headers['content-type']).toContain('javascript');
});

it('has three places for 12 at once, one for each address', async () => {
  const site = await deployed();
  const results = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      site.browser()('POST', 'registrations', { body: { email: `${i}@example.org` } }),
    ),
  );
  expect(results.map(code).filter(([status]) => status === 201)).toHaveLength(3);
  expect(results.map(code).filter(([, name]) => name === 'full')).toHaveLength(9);
  expect((await site.browser()('GET', 'registrations/count')).json).toEqual({ count: 3 });
  expect(code(await site.browser()('GET', 'registrations'))).toEqual([403, 'forbidden']);
  const one = await deployed();
  await one.browser()('POST', 'registrations', { body: { email: 'Ann@Example.org' } });
  const again = await one.browser()('POST', 'registrations', { body: { email: 'ann@example.org' } });
  expect([...code(again), again.json.field]).toEqual([409, 'duplicate', 'email']);
  const { json } = await one.api('/data/registrations');
  await one.api(`/data/registrations/${json.items[0].id}`, { method: 'DELETE' });
  const free = await one.browser()('POST', 'registrations', { body: { email: 'ann@example.org' } });
  expect(free.status).toBe(201);
});

it('counts one vote of a visitor', async () => {
  const site = await deployed();
  const ann = site.browser();
  expect((await ann('POST', 'votes', { body: { choice: 'tea' } })).status).toBe(201);
  expect(code(await ann('POST', 'votes', { body: { choice: 'coffee' } }))).toEqual([409, 'duplicate']);
  await site.browser()('POST', 'votes', { body: { choice: 'coffee' } });
  expect((await ann('GET', 'votes/tally')).json).toEqual({ tally: { tea: 1, coffee: 1 } });
});

it('creates one item for an Idempotency-Key', async () => {
  const site = await deployed();
  const ann = site.browser();
  await ann('POST', 'messages', message('before'));
  const headers = { 'idempotency-key': 'a-key' };
  const sent = await Promise.all([1, 2, 3].map(() => ann('POST', 'messages', { ...message('once'), headers })));
  const ids = sent.flatMap(({ status, json }) => (status === 201 ? [json.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect((await ann('POST', 'messages', { ...message('once'), headers })).json.id).toBe(ids[0]);
  expect(code(await ann('POST', 'messages', { ...message('other'), headers }))).toEqual([422, 'idempotency_mismatch']);
  const { json } = await ann('GET', 'messages');
  expect(json.items.map(({ text }: { text: string }) => text)).toEqual(['once', 'before']);
});

it('takes no form of another site, and answers one without a script with a page', async () => {
  const site = await deployed();
  const form = (headers: Record<string, string>) =>
    newCaller(site.origin).send('/.data/messages', {
      method: 'POST',
      body: 'name=Ann&text=hello',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-mode': 'navigate',
        accept: 'text/html',
        'accept-language': 'de',
        'user-agent': 'Mozilla/5.0',
        ...headers,
      },
    });
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ])
    expect((await form(headers)).status).toBe(403);
  const sent = await form({ 'sec-fetch-site': 'same-origin' });
  expect([sent.status, sent.headers['content-type'], sent.headers['content-language']]).toEqual([
    200,
    expect.stringContaining('text/html'),
    'de',
  ]);
  expect((await form({ origin: site.origin })).status).toBe(200);
  expect((await site.browser()('GET', 'messages')).json.items).toHaveLength(2);
});

it('makes a browser the owner’s with a link, for pages of the same site only', async () => {
  const site = await deployed();
  const stranger = site.browser();
  await stranger('POST', 'registrations', { body: { email: 'a@example.org' } });
  const { json } = await site.api('/data/link', { method: 'POST' });
  const url = new URL(json.url);
  const visit = (search: string, headers = {}) => visitorOf(site.id, cloud.baseUrl)(url.pathname + search, { headers });
  for (const [to, location] of [
    ['', '/'],
    ['/list.html?a=1', '/list.html?a=1'],
    ['//evil.example/x', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
  ]) {
    const { status, headers } = await visit(`${url.search}&to=${encodeURIComponent(String(to))}`);
    expect([status, headers.location]).toEqual([303, location]);
  }
  const { headers } = await visit(url.search);
  expect(headers['set-cookie']?.[0]).toMatch(/^ptp-owner=.*; HttpOnly; SameSite=Lax$/);
  const owner = { headers: { ...cookieOf({ headers } as never), 'sec-fetch-site': 'same-origin' } };
  const read = await newCaller(site.origin).send('/.data/registrations', owner);
  expect(read.json.items.map(({ email }: { email: string }) => email)).toEqual(['a@example.org']);
  expect((await newCaller(site.origin).send('/.data/', owner)).json.owner).toBe(true);
  expect((await stranger('GET', 'registrations')).status).toBe(403);
  expect((await visit(url.search.replace(/key=\d/, 'key=9'))).status).toBe(403);
  // It is worthless on another site.
  const other = await deployed();
  expect((await newCaller(other.origin).send('/.data/registrations', owner)).status).toBe(403);
});

it('is what its page is: private, deleted, or not there', async () => {
  const site = await deployed(DECLARATION, { access: 'link' });
  const ann = site.browser();
  expect(code(await ann('GET', 'messages'))).toEqual([403, 'forbidden']);
  const entered = await visitorOf(site.id, cloud.baseUrl)(String(site.json.link.url).replace(/^http:\/\/[^/]+/, ''));
  const admitted = { headers: cookieOf(entered) };
  expect((await ann('GET', 'messages', admitted)).status).toBe(200);
  const { json: link } = await site.api('/data/link', { method: 'POST' });
  const { pathname, search } = new URL(link.url);
  expect((await visitorOf(site.id, cloud.baseUrl)(pathname + search)).status).toBe(303);
  expect((await site.api('', { method: 'DELETE' })).status).toBeLessThan(300);
  expect(code(await ann('GET', 'messages', admitted))).toEqual([410, 'gone']);
  expect(code(await ann('POST', 'messages', message('late')))).toEqual([410, 'gone']);
  const missing = browserOf(originOf('zzzzzzzzzzzz', cloud.baseUrl));
  expect(code(await missing('GET', 'messages'))).toEqual([404, 'not_found']);
});

it('leads from the base URL to the site’s own origin', async () => {
  const site = await deployed();
  const { status, headers } = await newCaller(cloud.baseUrl).send(`/d/${site.id}/en/.data/messages?limit=1`);
  expect([status, headers.location]).toEqual([307, `${site.origin}/en/.data/messages?limit=1`]);
});

it('serves no file and no rule in place of the data, and does not cache', async () => {
  const files = { ...filesOf(DECLARATION), _redirects: '/* /index.html 200', _headers: '/*\n  X-Own: 1' };
  const { id } = await cloud.deploy(files);
  const { status, headers } = await browserOf(originOf(id, cloud.baseUrl))('GET', 'messages');
  expect([status, headers['x-own'], headers['x-cache']]).toEqual([200, undefined, 'Miss from cloudfront']);
  expect(headers['cache-control']).toContain('no-store');
});

it('refuses a body that is too large, and what is no item', async () => {
  const site = await deployed();
  const ann = site.browser();
  const large = await ann('POST', 'messages', message('x'.repeat(70_000)));
  expect(code(large)).toEqual([413, 'too_large']);
  const wrong = await ann('POST', 'messages', { body: { name: '', text: 'a' } });
  expect([...code(wrong), wrong.json.field]).toEqual([400, 'invalid', 'name']);
});

it('works on the domain of a caller, with cookies of its own', async () => {
  const key = (await operate(keys, ['create', '--name', 'data'], cloud.stateDir)).trimEnd();
  const headers = { authorization: `Bearer ${key}` };
  const api = newCaller(cloud.baseUrl);
  const files = Object.entries(filesOf(DECLARATION)).map(([path, content]) => ({ path, content }));
  const { json } = await api.post('/api/v1/deploy', { files }, headers);
  const path = `/api/v1/deployments/${json.id}`;
  await api.send(`${path}/domains/data.localhost`, { method: 'PUT', headers });
  while ((await api.send(path, { headers })).json.domains[0].state !== 'active') await sleep(200);

  const origin = `http://data.localhost:${new URL(cloud.baseUrl).port}`;
  const ann = browserOf(origin);
  const created = await ann('POST', 'messages', message('on a domain'));
  expect([created.status, created.json.mine]).toEqual([201, true]);
  expect((await browserOf(originOf(json.id, cloud.baseUrl))('GET', 'messages')).json.items).toHaveLength(1);
  expect((await ann('DELETE', `messages/${created.json.id}`)).status).toBe(204);
});

it('is part of what a generation deploys', async () => {
  const { json } = await newCaller(cloud.baseUrl).post('/api/v1/generate', {
    prompt: 'a guestbook for our wedding',
    provider: 'provider-a',
    deploy: true,
  });
  const id = String(json.deployment.id);
  const { json: described } = await browserOf(originOf(id, cloud.baseUrl))('GET', '');
  expect(Object.keys(described.collections)).not.toEqual([]);
});

it('takes no other page from who knows only the projectId, once a browser is the owner’s', async () => {
  const projectId = crypto.randomUUID();
  const files = Object.entries(filesOf(DECLARATION)).map(([path, content]) => ({ path, content }));
  const deploy = (headers = {}) => newCaller(cloud.baseUrl).post('/api/v1/deploy', { projectId, files }, headers);
  const { json, headers } = await deploy();
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  expect((await deploy()).status).toBe(200);
  const link = `/api/v1/deployments/${json.id}/data/link`;
  expect((await newCaller(cloud.baseUrl).send(link, { method: 'POST', headers: token })).status).toBe(200);
  expect((await deploy()).status).toBe(401);
  expect((await deploy(token)).status).toBe(200);
});
