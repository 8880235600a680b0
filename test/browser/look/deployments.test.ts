import { setTimeout as sleep } from 'node:timers/promises';
import { ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { DeploymentResource } from '../../../lambda/contract/deploy.ts';
import { inBucket } from '../../support/buckets.ts';
import { sourceProject } from '../../support/builds/projects.ts';
import { newCaller } from '../../support/cloud/client.ts';
import type { DeployedSite } from '../../support/site-cloud.ts';
import { looking } from '../clouds.ts';

const cloud = await looking();

const page = (title: string, script: string) => ({
  'index.html':
    `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
    `<link rel="icon" href="data:,"><main><h1>${title}</h1></main><script src="app.js"></script></html>`,
  'app.js': script,
});
const SOUND = "document.querySelector('h1').dataset.ready = 'yes';\n";
const THROWS = "\ndocument.querySelector('.loaf').textContent = 'Rye';\n";

async function read({ id, token }: DeployedSite): Promise<DeploymentResource> {
  const headers = { 'X-Deployment-Token': token };
  const { json } = await newCaller(cloud.baseUrl).send(`/api/v1/deployments/${id}`, { headers });
  return json;
}

/** Returns the deployment once its live version was looked at. */
async function looked(site: DeployedSite): Promise<DeploymentResource> {
  for (;;) {
    const resource = await read(site);
    if (resource.look.state !== 'looking') return resource;
    await sleep(200);
  }
}

const get = (path: string, headers = {}) => newCaller(cloud.baseUrl).send(path, { headers });

/** Returns the width of a PNG: the first field of its first chunk. https://www.w3.org/TR/png-3/#11IHDR */
async function widthOf(url: string | undefined): Promise<number> {
  const { status, headers, bytes } = await get(String(url));
  expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([200, 'image/png', 'nosniff']);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return bytes.readUInt32BE(16);
}

it('looks at each version once, after the response of its deploy', async () => {
  const site = await cloud.deploy(page('Bakery', THROWS), 'bakery');
  expect((await read(site)).look).toEqual({ state: 'looking' });
  const first = await looked(site);
  expect(first.look).toMatchObject({
    state: 'looked',
    problems: [{ kind: 'error', message: expect.stringContaining('null'), path: 'app.js', line: 2, blocking: true }],
  });
  const { screenshots } = first.look;
  expect([await widthOf(screenshots?.['390']), await widthOf(screenshots?.['1280'])]).toEqual([390, 1280]);
  expect(first.versions[0]?.look).toEqual(first.look);

  const second = await cloud.deploy(page('Bakery 2', SOUND), 'bakery').then(() => looked(site));
  expect(second.look).toMatchObject({ state: 'looked', problems: [] });
  expect(second.versions.map(({ look }) => look.problems?.length)).toEqual([0, 1]);
  const picture = `/d/${site.id}.png`;
  const [live, old] = await Promise.all([get(picture), get(`${picture}?version=${first.version}`)]);
  expect([live.status, old.status]).toEqual([200, 200]);
  expect(live.bytes.equals(old.bytes)).toBe(false);
  expect((await get(picture, { 'If-None-Match': String(live.headers.etag) })).status).toBe(304);

  const headers = { 'X-Deployment-Token': site.token };
  const caller = newCaller(cloud.baseUrl);
  const body = { version: first.version };
  const { json } = await caller.post(`/api/v1/deployments/${site.id}/rollback`, body, headers);
  expect(json.look).toEqual(first.look);
  expect((await get(picture)).bytes.equals(old.bytes)).toBe(true);

  await caller.send(`/api/v1/deployments/${site.id}`, { method: 'DELETE', headers });
  const gone = [picture, `${picture}?version=${first.version}`, String(screenshots?.['390'])];
  for (const url of gone) expect((await get(url)).status).toBe(410);
});

it('keeps no look of a page that is deleted while a browser looks at it', async () => {
  const listed = (bucket: string, Prefix: string) =>
    inBucket(bucket, cloud, (s3, Bucket) => s3.send(new ListObjectVersionsCommand({ Bucket, Prefix })));
  const looks = async () => (await listed('looksobjects', 'in/')).Versions?.length;
  const before = await looks();
  const { id, token } = await cloud.deploy(page('Short', SOUND));
  // From here on, the site is read and the browser starts.
  while ((await looks()) === before) await sleep(20);
  const headers = { 'X-Deployment-Token': token };
  await newCaller(cloud.baseUrl).send(`/api/v1/deployments/${id}`, { method: 'DELETE', headers });
  const isLook = ({ Key = '' }) => Key.endsWith('.look');
  for (;;) {
    const { Versions = [], DeleteMarkers = [] } = await listed('archives', `sites/${id}/`);
    if (Versions.some(isLook) && DeleteMarkers.some(isLook)) break;
    await sleep(50);
  }
});

it('looks at what was built of a source project, and finds the place in the source', async () => {
  const files = new Map([...sourceProject('react-ts')].map(([path, content]) => [path, Buffer.from(content)]));
  const main = String(files.get('src/main.tsx'));
  const throws = `${main}setTimeout(() => {\n  throw new Error('No bread');\n});\n`;
  const site = await cloud.deploy({ ...Object.fromEntries(files), 'src/main.tsx': throws });
  const { look, versions } = await looked(site);
  expect(versions[0]?.build).toBeDefined();
  expect(look).toMatchObject({
    state: 'looked',
    problems: expect.arrayContaining([
      expect.objectContaining({
        kind: 'error',
        message: expect.stringContaining('No bread'),
        path: 'src/main.tsx',
        line: main.split('\n').length + 1,
      }),
    ]),
  });
  expect(await widthOf(look.screenshots?.['390'])).toBe(390);
});
