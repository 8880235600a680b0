import { setTimeout as sleep } from 'node:timers/promises';
import { main as keys } from '../../../cli/keys.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { untilCached } from '../../support/cloud/sites.ts';
import { ownOrigins } from '../clouds.ts';

const DOMAIN = 'private.localhost';
const HASHED = 'app-BkC3x9aZ.js';
const EDGES = [0, 1, 2, 3, 4];

const cloud = await ownOrigins();

it('a page that becomes private is private on its own domain, at every edge, and opens there', async () => {
  const key = (await operate(keys, ['create', '--name', 'private'], cloud.stateDir)).trimEnd();
  const headers = { authorization: `Bearer ${key}` };
  const api = newCaller(cloud.baseUrl);
  const files = [
    { path: 'index.html', content: 'secret page' },
    { path: HASHED, content: 'secret script' },
  ];
  const { json } = await api.post('/api/v1/deploy', { files }, headers);
  const path = `/api/v1/deployments/${json.id}`;
  await api.send(`${path}/domains/${DOMAIN}`, { method: 'PUT', headers });
  const resource = async () => (await api.send(path, { headers })).json;
  while ((await resource()).domains[0].state !== 'active') await sleep(200);

  const origin = `http://${DOMAIN}:${new URL(cloud.baseUrl).port}`;
  const visitor = newCaller(origin);
  const at = (edge: number, sent: Record<string, string> = {}) =>
    visitor.send(`/${HASHED}`, { headers: { 'x-local-edge': String(edge), ...sent } });
  for (const edge of EDGES) {
    expect((await at(edge)).text).toBe('secret script');
    await untilCached(() => at(edge));
  }

  const change = { access: 'password', password: 'correct horse' };
  expect((await api.send(path, { method: 'PATCH', body: change, headers })).status).toBe(200);
  const closed = {
    status: 403,
    text: expect.not.stringContaining('secret'),
    headers: { 'cache-control': 'private, no-store, stale-if-error=0' },
  };
  for (const edge of EDGES) {
    while ((await at(edge)).status === 200) await sleep(50);
    expect(await at(edge)).toMatchObject(closed);
  }

  const unlocked = await api.post(`${path}/unlock`, { password: 'correct horse', to: `/${HASHED}` }, { origin });
  expect(unlocked).toMatchObject({
    status: 303,
    headers: { location: expect.stringContaining(`${origin}/`) },
  });
  const { pathname, search } = new URL(unlocked.headers.location ?? '');
  const opened = await visitor.send(pathname + search);
  const [cookie = ''] = opened.headers['set-cookie'] ?? [];
  expect((await at(2, { cookie: cookie.split(';')[0] ?? '' })).text).toBe('secret script');
  expect(await at(2)).toMatchObject(closed);
});
