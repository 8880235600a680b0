import { setTimeout as sleep } from 'node:timers/promises';
import { main as keys } from '../../../cli/keys.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { browserOf, DECLARATION, filesOf, originOf } from '../../support/data-site.ts';
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

it('serves no file and no rule in place of the data, and does not cache', async () => {
  const files = { ...filesOf(DECLARATION), _redirects: '/* /index.html 200', _headers: '/*\n  X-Own: 1' };
  const { id } = await cloud.deploy(files);
  const { status, headers } = await browserOf(originOf(id, cloud.baseUrl))('GET', 'messages');
  expect([status, headers['x-own'], headers['x-cache']]).toEqual([200, undefined, 'Miss from cloudfront']);
  expect(headers['cache-control']).toContain('no-store');
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
