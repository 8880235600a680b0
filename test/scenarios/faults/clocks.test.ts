import { main as keysMain } from '../../../cli/keys.ts';
import { CLOCKS_APART_MS } from '../../../lambda/platform/clock.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { openEvents } from '../../support/cloud/events.ts';
import { operate } from '../../support/cloud/keys.ts';
import { NO_RATE_LIMIT, startVariant, type Variant } from '../../support/cloud/variant.ts';
import { shiftClocks } from '../../support/cloud/wrong-clock.ts';
import { startVendor } from '../../support/vendors/index.ts';

const SOURCE = [
  { path: 'package.json', content: '{"name":"source","private":true}' },
  { path: 'index.html', content: '<title>Source</title><script type="module" src="/main.ts"></script>' },
  { path: 'main.ts', content: 'const built: string = "built";\ndocument.title = built;\n' },
];
const ASSETS = '/api/v1/assets/user-assets/';
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const ATTRIBUTES = { name: 'me.png', type: 'image/png', size: PNG.length };
/** Longer than a busy machine takes for the requests of a test. */
const WINDOW_SECONDS = 600;
const LIMIT = 40;

/** All functions, or those that note times for others: the APIs, and the one that settles attempts. */
const CLOCKS: [name: string, ms: number, functions: RegExp][] = [
  ['all functions are behind', -CLOCKS_APART_MS, /./],
  ['APIs and settling are ahead of other functions', CLOCKS_APART_MS, /Api|Settle/],
];

const vendor = closeAtEnd(await startVendor('openai-compatible', [{ status: 500 }]));

describe.each(CLOCKS)('while the clocks of %s by five minutes', (_, ms, functions) => {
  let variant: Variant;
  let key: Record<string, string>;
  beforeAll(async () => {
    const PROVIDERS = {
      'provider-a': { kind: 'openai-compatible', model: 'm', baseUrl: vendor.baseUrl },
      'provider-b': { kind: 'blueprint' },
    };
    const RATE_LIMIT = { ...NO_RATE_LIMIT.RATE_LIMIT, windowSeconds: WINDOW_SECONDS, anonymous: LIMIT };
    variant = await startVariant({ PROVIDERS, RATE_LIMIT }, {}, shiftClocks(ms, functions));
    const create = ['create', '--name', 'clocks', '--scopes', 'assets:write'];
    key = { 'x-api-key': (await operate(keysMain, create, variant.stateDir)).trimEnd() };
  });
  afterAll(() => variant?.close());

  it('a generation goes on to its next provider, and its caller waits for it', async () => {
    const { baseUrl } = variant;
    const caller = newCaller(baseUrl);
    const { status, headers, json } = await caller.post('/api/v1/generate', {
      prompt: 'a timer',
      duration: '5min',
    });
    expect([status, json.duration >= 0]).toEqual([200, true]);
    const path = `/api/v1/generations/${headers['x-generation-id']}`;
    const { attempts } = (await caller.send(path)).json;
    expect(attempts).toMatchObject([{ outcome: 'failed' }, { outcome: 'succeeded' }]);
    for (const attempt of attempts) expect(attempt.ms).toBeGreaterThanOrEqual(0);
    const stream = await openEvents(new URL(path, baseUrl), { localAddress: caller.address });
    await stream.ended;
    expect(stream.events.at(-1)?.event).toBe('done');
  });

  it('deploys and builds are shown at once, a repeated deploy is made once, and archives can be downloaded', async () => {
    const caller = newCaller(variant.baseUrl);
    const deploy = (title: string, headers = {}) => {
      const files = [{ path: 'index.html', content: `<title>${title}</title>` }];
      return caller.post('/api/v1/deploy', { files, projectId: 'clocks' }, headers);
    };
    const { json, headers } = await deploy('One', { 'idempotency-key': 'one' });
    expect((await deploy('One', { 'idempotency-key': 'one' })).json).toEqual(json);
    for (const title of ['Two', 'Three']) {
      expect((await deploy(title)).status).toBe(200);
      expect((await caller.send(`/d/${json.id}/`)).text).toBe(`<title>${title}</title>`);
    }
    const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
    const resource = `/api/v1/deployments/${json.id}`;
    expect((await caller.send(resource, { headers: token })).json.versions).toHaveLength(3);
    const archive = await caller.send(`${resource}/archive`, { headers: token });
    expect((await fetch(String(archive.headers.location))).status).toBe(200);

    const built = await caller.post('/api/v1/deploy', { files: SOURCE });
    expect(built.status).toBe(201);
    expect((await caller.send(`/d/${built.json.id}/`)).status).toBe(200);
  });

  it('an asset is uploaded and kept', async () => {
    const { send, post } = newCaller(variant.baseUrl);
    const { json } = await post(ASSETS, { attributes: ATTRIBUTES }, key);
    const { upload_url, upload_headers } = json;
    expect((await fetch(upload_url, { method: 'PUT', headers: upload_headers, body: PNG })).status).toBe(200);
    const path = `${ASSETS}${json.asset_id}/`;
    expect((await send(path, { method: 'PATCH', headers: key, body: {} })).status).toBe(204);
    const asset = await send(path, { headers: key });
    expect(asset.json.state).toBe('uploaded');
    expect(Buffer.from(await (await fetch(asset.json.download_url)).arrayBuffer())).toEqual(PNG);
  });

  it('tells a caller over its limit to wait for at most a window and the difference of the clocks', async () => {
    const { post } = newCaller(variant.baseUrl);
    // They are invalid, and counted by functions with either clock.
    for (let sent = 0; sent <= LIMIT; sent++) await post(sent % 2 === 0 ? '/api/v1/generate' : '/api/v1/reports', {});
    const { status, headers } = await post('/api/v1/generate', {});
    expect(status).toBe(429);
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(WINDOW_SECONDS + CLOCKS_APART_MS / 1_000);
  });
});
