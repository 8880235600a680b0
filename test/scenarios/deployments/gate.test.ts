import { setTimeout as sleep } from 'node:timers/promises';
import { storePictureOfVersion } from '../../support/buckets.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { untilCached } from '../../support/cloud/sites.ts';
import { page } from '../../support/gate/sample.ts';

const KIT = page(
  'PayPal: log in',
  '<form action="https://a.example/"><input type="password" name="p"></form><script src="assets/index-BkC3x9aZ.js"></script>',
);
const CLEAN = page('Soup', '<h1>Soup</h1><script src="assets/index-BkC3x9aZ.js"></script>');
const HASHED = 'assets/index-BkC3x9aZ.js';
const PNG = Buffer.from('a picture');

const site = (content: string, projectId?: string) => ({
  files: [
    { path: 'index.html', content },
    { path: HASHED, content: 'document.body' },
  ],
  projectId,
});

type Caller = ReturnType<typeof newCaller>;

/** Returns the statuses of everything that a visitor can ask for. */
async function seen(caller: Caller, id: string): Promise<Record<string, number>> {
  const paths = ['', '/', '/index.html', `/${HASHED}`, '/missing', '.zip', '.png?width=390'];
  const statuses = await Promise.all(
    paths.map(async (path) => [path, (await caller.send(`/d/${id}${path}`)).status] as const),
  );
  return Object.fromEntries(statuses);
}

const HELD = {
  '': 403,
  '/': 403,
  '/index.html': 403,
  [`/${HASHED}`]: 403,
  '/missing': 403,
  '.zip': 403,
  '.png?width=390': 403,
};
const PUBLIC = {
  ...HELD,
  '': 308,
  '/': 200,
  '/index.html': 200,
  [`/${HASHED}`]: 200,
  '/missing': 404,
  '.zip': 200,
  '.png?width=390': 200,
};

const tokenOf = ({ headers }: Awaited<ReturnType<Caller['post']>>) => ({
  'x-deployment-token': String(headers['x-deployment-token']),
});

it('shows nobody a page that looks like phishing, and its owner why', async () => {
  const caller = newCaller();
  const deployed = await caller.post('/api/v1/deploy', site(KIT));
  const { id } = deployed.json;
  expect(deployed.status).toBe(201);
  expect(deployed.headers['x-deployment-warning']).toContain('The page is held for review');
  await storePictureOfVersion(id, JSON.parse(String(deployed.headers.etag)), PNG, cloud());
  expect(await seen(caller, id)).toEqual(HELD);
  const shown = await caller.send(`/d/${id}/`);
  expect(shown.headers['cache-control']).toBe('no-store');
  expect(shown.text).toContain('It asks for secrets in the name of PayPal');
  expect(shown.text).not.toContain('<form');
  const resource = await caller.send(`/api/v1/deployments/${id}`, { headers: tokenOf(deployed) });
  expect(resource.json).toMatchObject({
    status: 'live',
    review: {
      state: 'held',
      points: 85,
      reasons: expect.arrayContaining([
        { kind: 'fields', reason: 'It asks for a password', path: 'index.html', points: 10 },
      ]),
    },
  });
  const screenshot = await caller.send(`/api/v1/deployments/${id}/screenshot?width=390`, {
    headers: tokenOf(deployed),
  });
  expect(screenshot.bytes).toEqual(PNG);
});

it('shows the page once other files are deployed, and nothing of it once it is held again', async () => {
  const caller = newCaller();
  const projectId = `gate-${Math.random()}`;
  const first = await caller.post('/api/v1/deploy', site(KIT, projectId));
  const { id } = first.json;
  const clean = await caller.post('/api/v1/deploy', site(CLEAN, projectId));
  expect(clean.headers['x-deployment-warning']).toBe(undefined);
  await storePictureOfVersion(id, JSON.parse(String(clean.headers.etag)), PNG, cloud());
  expect(await seen(caller, id)).toEqual(PUBLIC);
  const held = JSON.parse(String(first.headers.etag));
  expect((await caller.send(`/d/${id}.png?version=${held}`)).status).toBe(404);
  const review = async () => (await caller.send(`/api/v1/deployments/${id}`, { headers: tokenOf(first) })).json.review;
  expect(await review()).toBe(undefined);
  // The edge has the file with a hashed name, and does not ask for a day.
  await untilCached(() => caller.send(`/d/${id}/${HASHED}`));
  await caller.post('/api/v1/deploy', site(KIT, projectId));
  expect(await review()).toMatchObject({ state: 'held' });
  await untilHeld(caller, id);
  expect(await seen(caller, id)).toEqual(HELD);
  const rolled = await caller.post(
    `/api/v1/deployments/${id}/rollback`,
    { version: JSON.parse(String(clean.headers.etag)) },
    tokenOf(first),
  );
  expect(rolled.json.review).toBe(undefined);
  expect((await caller.send(`/d/${id}/`)).status).toBe(200);
  const back = await caller.post(`/api/v1/deployments/${id}/rollback`, { version: held }, tokenOf(first));
  expect(back.json.review).toMatchObject({ state: 'held', points: 85 });
  await untilHeld(caller, id);
  expect(await seen(caller, id)).toEqual(HELD);
});

/** Waits until the edge has no copy of a file of a page that is held, which takes some seconds. */
async function untilHeld(caller: Caller, id: string): Promise<void> {
  while ((await caller.send(`/d/${id}/${HASHED}`)).status !== 403) await sleep(100);
}
