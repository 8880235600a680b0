import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError, Client, type GenerationEvent } from '../../../client/client.ts';
import { startProxy } from '../../support/cloud/breaking-proxy.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';

// Without a key, the client calls through a proxy, which gives each test an address and a rate limit of its own.
let proxy: Awaited<ReturnType<typeof startProxy>>;
let client: Client;
beforeEach(async () => {
  proxy = await startProxy(cloud().baseUrl, newCaller().address);
  client = new Client({ baseUrl: proxy.url });
});
afterEach(() => proxy.close());

const keyed = async (...args: string[]) =>
  new Client({ baseUrl: cloud().baseUrl, key: await newKey(...args) });
const page = (files: Record<string, string | Uint8Array>) =>
  Object.entries(files).map(([path, content]) => ({ path, content }));
const visit = async (url: string) => (await fetch(url)).text();

describe('a generation', () => {
  it('is awaited and iterated over', async () => {
    const generation = client.generate({ prompt: 'a pomodoro timer', model: 'provider-a' });
    const events: GenerationEvent[] = [];
    for await (const event of generation) events.push(event);
    const project = await generation;
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'done', data: { files: project.files } });
    expect(project).toMatchObject({ status: 'succeeded', matched: 'timer', model: 'provider-a/blueprint' });
    expect(await client.generations.result(project.id)).toEqual(project);
    const { content } = project.files.find(({ path }) => path === 'index.html') ?? {};
    const { url, created } = await client.deploy(project);
    expect(created).toBe(true);
    expect(await visit(`${url}/`)).toBe(content);
  });

  it('survives a stream that ends early', async () => {
    let cuts = 0;
    proxy.break({
      response: (response) => {
        if (!String(response.headers['content-type']).includes('event-stream') || cuts++ > 0) return;
        response.body = response.body.subarray(0, response.body.indexOf('event: file') + 40);
      },
    });
    try {
      const waits: number[] = [];
      const patient = new Client({ baseUrl: proxy.url, sleep: async (ms) => void waits.push(ms) });
      const generation = patient.generate({ prompt: 'a kanban board', model: 'provider-a' });
      const ids: number[] = [];
      for await (const { id } of generation) ids.push(id);
      expect((await generation).status).toBe('succeeded');
      expect(ids).toEqual(ids.map((_, i) => i + 1));
      expect(waits).toEqual([1_000]);
    } finally {
      proxy.break({});
    }
  });

  it('that is canceled is a conflict', async () => {
    const generation = client.generate({ prompt: 'a page', model: 'provider-b' });
    const canceled = await client.generations.cancel(await generation.id);
    expect(canceled.status).toBe('canceled');
    await expect(generation).rejects.toMatchObject({ name: 'ApiError', status: 409, code: 'conflict' });
  });
});

describe('a deployment', () => {
  it('is deployed again, rolled back and deleted', async () => {
    const projectId = randomUUID();
    const files = { 'index.html': '<title>One</title>', 'dot.png': Uint8Array.of(137, 80, 78, 71, 0) };
    const first = await client.deploy({ projectId, files: page(files) });
    expect(first).toMatchObject({ created: true, title: 'One', fileCount: 2 });
    const { id, token } = first;
    const second = await client.deploy(
      { projectId, files: page({ 'index.html': '<title>Two</title>' }) },
      { token, ifMatch: first.version },
    );
    expect(second).toMatchObject({ id, token, created: false, title: 'Two' });
    const stale = client.deploy({ projectId, files: page(files) }, { token, ifMatch: first.version });
    await expect(stale).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
    const options = { token, version: first.version, ifMatch: second.version };
    expect(await client.deployments.rollback(id, options)).toMatchObject({
      version: first.version,
      title: 'One',
    });
    expect(Buffer.from(await (await fetch(`${first.url}/dot.png`)).arrayBuffer()).toString('hex')).toBe(
      '89504e4700',
    );
    expect((await client.deployments.get(id, { token })).versions).toHaveLength(2);
    expect(await client.deployments.delete(id, { token })).toMatchObject({ id, status: 'deleted' });
    await expect(client.deployments.get(id, { token })).rejects.toMatchObject({ status: 410, code: 'gone' });
  });

  it('can be larger than what a function receives', async () => {
    const client = await keyed();
    const files = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [`${i}.bin`, randomBytes(1_000_000)]),
    );
    const deployed = await client.deploy({ files: page({ ...files, 'index.html': '<title>Large</title>' }) });
    expect(deployed).toMatchObject({ fileCount: 8, created: true, title: 'Large' });
    const { owner, version } = await client.deployments.get(deployed.id);
    expect([owner, version]).toEqual(['key', deployed.version]);
    const bytes = Buffer.from(await (await fetch(`${deployed.url}/6.bin`)).arrayBuffer());
    expect(bytes.equals(files['6.bin'] ?? Buffer.of())).toBe(true);
  });
});

it('uploads an asset, shows it and deletes it', async () => {
  const client = await keyed();
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const file = new File([bytes], 'me.png', { type: 'image/png' });
  const asset = await client.assets.upload(file, { entityType: 'USER_AVATAR' });
  expect(asset).toMatchObject({
    state: 'uploaded',
    entity_type: 'USER_AVATAR',
    attributes: { name: 'me.png', type: 'image/png', size: bytes.length },
  });
  const downloaded = await fetch(String(asset.download_url));
  expect(Buffer.from(await downloaded.arrayBuffer()).equals(bytes)).toBe(true);
  await client.assets.delete(asset.asset_id);
  await expect(client.assets.get(asset.asset_id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

it('returns the usage of a key', async () => {
  const client = await keyed();
  await client.deploy({ files: page({ 'index.html': '<title>Counted</title>' }) });
  const { totals, days } = await client.usage();
  expect(totals).toMatchObject({ statuses: { 201: 1 }, files: 1, bytes: 22 });
  expect(days[0]?.operations.deploy?.calls).toBe(1);
  await expect(new Client({ baseUrl: proxy.url }).usage()).rejects.toMatchObject({ code: 'unauthorized' });
});

it('waits as long as a rate limit asks for', async () => {
  const waits: number[] = [];
  const key = await newKey('--limit', '1');
  const client = new Client({
    baseUrl: cloud().baseUrl,
    key,
    sleep: async (ms) => void waits.push(ms / 1_000),
  });
  await client.deploy({ files: page({ 'index.html': '' }) });
  const error = await client.deploy({ files: page({ 'index.html': '' }) }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 429, code: 'rate_limited', requestId: expect.any(String) });
  expect(waits).toHaveLength(3);
  expect(Math.min(...waits)).toBeGreaterThan(4);
});

it('may read every header that it uses in browsers', async () => {
  const { headers } = await fetch(`${proxy.url}/api/v1/usage`);
  const exposed = String(headers.get('access-control-expose-headers')).split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining([
      'ETag',
      'Link',
      'Retry-After',
      'X-Deployment-Token',
      'X-Deployment-Warning',
      'X-Generation-Id',
      'X-Request-Id',
    ]),
  );
});
