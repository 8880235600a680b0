import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { main as keysMain } from '../../../cli/keys.ts';
import { allItems, restoredIn } from '../../../cli/restore/items.ts';
import { main } from '../../../cli/restore.ts';
import { openStage, type Stage } from '../../../cli/stage.ts';
import { main as takedownMain } from '../../../cli/takedown.ts';
import type { Cloud } from '../../../local/cloud/cloud.ts';
import { readAssembly } from '../../../local/cloud/template/template.ts';
import { runAssembly, type ServiceSettings, startService } from '../../../local/service.ts';
import { temporaryFolder } from '../../support/at-end.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { operate } from '../../support/cloud/keys.ts';
import { freePort } from '../../support/free-port.ts';
import { nextSecond } from '../../support/next-second.ts';
import { cookieOf, SITE_DOMAIN, visitorOf } from '../../support/private-pages.ts';

/** Waits for the next second, and returns it in the format of `--at`. */
async function nextRestoreTime(): Promise<string> {
  return (await nextSecond()).toISOString().replace('.000', '');
}

/** Deletes every item and object of the stack that a restore recovers. */
async function loseEverything(stateDir: string): Promise<void> {
  using stage = await openStage(undefined, { STATE_DIR: stateDir });
  const {
    ids: _,
    tokens: __,
    archives = '',
    'asset-files': files = '',
    ...tables
  } = restoredIn(await stage.resources(stage.stackName));
  for (const table of Object.values(tables)) await emptyTable(table, stage);
  for (const bucket of [archives, files]) await emptyBucket(bucket, stage);
}

async function emptyTable(TableName: string, { db }: Stage): Promise<void> {
  const { Table } = await db.send(new DescribeTableCommand({ TableName }));
  const names = Table?.KeySchema?.map(({ AttributeName = '' }) => AttributeName) ?? [];
  for await (const item of allItems(db, TableName)) {
    const Key = Object.fromEntries(names.map((name) => [name, item[name] ?? { NULL: true }]));
    await db.send(new DeleteItemCommand({ TableName, Key }));
  }
}

/** Deletes the objects of a bucket without deleting versions, as functions do. */
async function emptyBucket(Bucket: string, { s3 }: Stage, Prefix = ''): Promise<void> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
  if (Contents.length === 0) return;
  const Objects = Contents.map(({ Key }) => ({ Key }));
  await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
}

/** Copies the retained tables, buckets and secrets of a deleted stack into the state folder of another one. */
function leaveBehind(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const left = ['dynamodb', 'dynamodb-journal', 's3', 'secrets.json', 'account.json', 'operator.json'];
  for (const name of left)
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true });
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const PASSWORD = 'correct horse battery';
const ASSETS = '/api/v1/assets/user-assets/';

let settings: ServiceSettings;
let cloud: Cloud;
beforeAll(async () => {
  process.env.RESTORE_LAG_MS = '0';
  settings = await settingsIn('state');
  const look = { enabled: false };
  const config = { stage: 'test', siteDomain: SITE_DOMAIN, look, rateLimit: { anonymous: 1_000 } };
  writeFileSync(settings.configFile, JSON.stringify(config));
  cloud = await startService(settings, { log: () => {} });
});
afterAll(() => cloud?.close());
const folder = temporaryFolder();

async function settingsIn(name: string): Promise<ServiceSettings> {
  const [port, backendPort] = [await freePort(), await freePort()];
  const invalidationSeconds = { effect: [0, 0.05], completion: [0.1, 0.2] } as const;
  const configFile = join(folder, 'config.json');
  return { port, backendPort, stateDir: join(folder, name), configFile, invalidationSeconds };
}

const text = { type: 'string', maxLength: 100 };
const GUESTBOOK = {
  messages: {
    create: 'visitor',
    read: 'visitor',
    count: 'visitor',
    schema: { type: 'object', required: ['text'], properties: { text } },
  },
};

const filesOf = (text: string) => [
  { path: 'index.html', content: text },
  { path: 'data.json', content: JSON.stringify(text) },
];

/** Deploys the pages and assets that a drill restores. */
async function populate() {
  const { post, send } = newCaller(cloud.baseUrl);
  const key = (
    await operate(keysMain, ['create', '--name', 'drill', '--scopes', 'assets:write'], settings.stateDir)
  ).trimEnd();
  const withKey = { authorization: `Bearer ${key}` };
  const deploy = async (body: object, headers: Record<string, string> = {}) => {
    const response = await post('/api/v1/deploy', body, headers);
    expect(response.status).toBeLessThan(300);
    return { id: response.json.id as string, token: String(response.headers['x-deployment-token']) };
  };
  const open = await deploy({ files: filesOf('open'), projectId: 'open' });
  const versions = await deploy({ files: filesOf('one'), projectId: 'versions' }, withKey);
  await deploy({ files: filesOf('two'), projectId: 'versions' }, withKey);
  const closed = await deploy({ files: filesOf('closed'), access: 'password', password: PASSWORD });
  const claimed = await deploy({ files: filesOf('claimed') });
  const claim = { ...withKey, 'x-deployment-token': claimed.token };
  const { status } = await send(`/api/v1/deployments/${claimed.id}/claim`, {
    method: 'POST',
    headers: claim,
  });
  expect(status).toBe(200);
  const abuse = await deploy({ files: filesOf('abuse') });
  await operate(takedownMain, [abuse.id, '--reason', 'Phishing', '--yes'], settings.stateDir);
  const deleted = await deploy({ files: filesOf('deleted') }, withKey);
  await send(`/api/v1/deployments/${deleted.id}`, { method: 'DELETE', headers: withKey });
  const guests = await deploy({
    files: [...filesOf('guests'), { path: '_data.json', content: JSON.stringify(GUESTBOOK) }],
  });
  const sent = { method: 'POST', body: { text: 'hello' } };
  expect((await visitorOf(guests.id, cloud.baseUrl)('/.data/messages', sent)).status).toBe(201);
  const attributes = { name: 'me.png', type: 'image/png', size: PNG.length };
  const { json: asset } = await post(ASSETS, { attributes }, withKey);
  await fetch(asset.upload_url, { method: 'PUT', body: PNG, headers: asset.upload_headers });
  await send(`${ASSETS}${asset.asset_id}/`, { method: 'PATCH', body: {}, headers: withKey });
  return {
    open,
    versions,
    closed,
    claimed,
    abuse,
    deleted,
    guests,
    asset: asset.asset_id as string,
    withKey,
  };
}

type Pages = Awaited<ReturnType<typeof populate>>;

/** Expects the former state for visitors and owners. */
async function expectAll(pages: Pages): Promise<void> {
  const { open, versions, closed, claimed, asset, withKey } = pages;
  const { post, send } = newCaller(cloud.baseUrl);
  const statuses = {
    open: 200,
    versions: 200,
    closed: 403,
    claimed: 200,
    abuse: 451,
    deleted: 410,
    guests: 200,
  };
  expect(await statusesOf(pages)).toEqual(statuses);
  const texts = [open, versions, claimed].map(async ({ id }) => (await visitorOf(id, cloud.baseUrl)('/')).text);
  expect(await Promise.all(texts)).toEqual(['open', 'two', 'claimed']);
  const guestbook = visitorOf(pages.guests.id, cloud.baseUrl);
  const messages = await guestbook('/.data/messages');
  expect(messages.json.items.map(({ text }: { text: string }) => text)).toEqual(['hello']);
  expect((await guestbook('/.data/messages/count')).json).toEqual({ count: 1 });
  const unlocked = await send(`/api/v1/deployments/${closed.id}/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `password=${encodeURIComponent(PASSWORD)}`,
  });
  const visit = visitorOf(closed.id, cloud.baseUrl);
  const entered = await visit(String(unlocked.headers.location).replace(/^http:\/\/[^/]+/, ''));
  expect((await visit('/', { headers: cookieOf(entered) })).text).toBe('closed');
  const listed = await send('/api/v1/deployments', { headers: withKey });
  expect(listed.json.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(
    [versions.id, claimed.id].toSorted(),
  );
  const { json: shown } = await send(`${ASSETS}${asset}/`, { headers: withKey });
  const bytes = await (await fetch(shown.download_url)).arrayBuffer();
  expect(Buffer.from(bytes)).toEqual(PNG);
  // Ids, tokens and earlier versions work as before.
  const again = { files: filesOf('open'), projectId: 'open' };
  const redeployed = await post('/api/v1/deploy', again, { 'x-deployment-token': open.token });
  expect([redeployed.status, redeployed.json.id]).toEqual([200, open.id]);
  const { json: resource } = await send(`/api/v1/deployments/${versions.id}`, { headers: withKey });
  const rollBack = ({ version }: { version: string }) =>
    post(`/api/v1/deployments/${versions.id}/rollback`, { version }, withKey);
  expect((await rollBack(resource.versions[1])).status).toBe(200);
  expect((await visitorOf(versions.id, cloud.baseUrl)('/')).text).toBe('one');
  await rollBack(resource.versions[0]);
}

async function statusesOf(pages: Pages): Promise<Record<string, number>> {
  const { asset: _, withKey: __, ...deployments } = pages;
  const rows = Object.entries(deployments).map(async ([name, { id }]) => {
    const { status } = await visitorOf(id, cloud.baseUrl)('/');
    return [name, status] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

const restore = (...args: string[]) => operate(main, [...args, '--yes'], settings.stateDir);

it('recovers every page after all items and objects, or the stack, were deleted', async () => {
  const pages = await populate();
  await expectAll(pages);
  const at = await nextRestoreTime();
  // Later changes are not restored.
  await newCaller(cloud.baseUrl).post('/api/v1/deploy', { files: filesOf('late'), projectId: 'late' });
  await loseEverything(settings.stateDir);
  const lost = await statusesOf(pages);
  expect(new Set(Object.values(lost))).toEqual(new Set([404]));

  const said = await restore('--at', at);
  expect(said).toMatch(/^deployments: (?=.*\d copied)(?=.*[1-9]\d* objects)/m);
  expect(said).toMatch(/^No object of a deployment or asset is missing$/m);
  await expectAll(pages);
  // A second run reuses the temporary tables, and finds nothing missing.
  const again = await restore('--at', at);
  expect(again).toMatch(/^Reusing .*, which already exists$/m);
  expect(again).toMatch(/^deployments: \d+ kept$/m);
  expect(await restore('clean')).toMatch(/-at-\d{8}T\d{6}Z\n(?:.*\n)*Deleted/);
  expect(await restore('clean')).toBe('There are no temporary tables\n');

  const former = settings.stateDir;
  const assembly = readAssembly(join(former, 'cdk.out'));
  await cloud.close();
  settings = await settingsIn('next');
  leaveBehind(former, settings.stateDir);
  const next = { ...assembly, stackName: 'prompt-to-project-next' };
  cloud = await runAssembly(next, settings, () => {});
  expect(await statusesOf(pages)).toEqual(lost);
  const copied = await restore('--from-stack', assembly.stackName);
  expect(copied).toMatch(/^Copied the secrets/m);
  await expectAll(pages);

  await repairs(pages);
  await replaces(pages);
}, 300_000);

/** Deleted objects are recovered, and missing ones are listed. */
async function repairs({ open, versions }: Pages): Promise<void> {
  using stage = await openStage(undefined, { STATE_DIR: settings.stateDir });
  const bucket = stage.output('SitesBucket');
  await emptyBucket(bucket, stage, `sites/${open.id}/`);
  await expect(restore('check')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(`^These objects are missing:\n  sites/${open.id}/`),
    stderr: expect.stringMatching(/\d objects are missing/),
  });
  expect(await restore('check', '--repair')).toBe('No object of a deployment or asset is missing\n');
  expect((await visitorOf(open.id, cloud.baseUrl)('/?again')).text).toBe('open');
  expect(versions.id).not.toBe(open.id);
}

/** Later deploys are kept without `--overwrite`; decisions against a page are always kept. */
async function replaces({ open, claimed, withKey }: Pages): Promise<void> {
  const { post, send } = newCaller(cloud.baseUrl);
  const at = await nextRestoreTime();
  const change = { files: filesOf('defaced'), projectId: 'open' };
  await post('/api/v1/deploy', change, { 'x-deployment-token': open.token });
  await send(`/api/v1/deployments/${claimed.id}`, { method: 'DELETE', headers: withKey });
  const text = async (id: string) => (await visitorOf(id, cloud.baseUrl)('/')).text;
  await restore('--at', at);
  expect(await text(open.id)).toBe('defaced');
  expect(await restore('--at', at, '--only', claimed.id, '--overwrite')).toMatch(/^deployments: .*1 replaced$/m);
  expect([await text(open.id), await text(claimed.id)]).toEqual(['defaced', 'claimed']);
  await operate(takedownMain, [claimed.id, '--reason', 'x', '--yes'], settings.stateDir);
  await restore('--at', at, '--overwrite');
  expect(await text(open.id)).toBe('open');
  expect((await visitorOf(claimed.id, cloud.baseUrl)('/')).status).toBe(451);
}

it.each([
  [['--at', 'yesterday'], 'Invalid --at yesterday: expected a time such as 2026-11-24T03:00Z'],
  [['--at', '2999-01-01T00:00Z'], 'it is in the future'],
  [['--at', '2020-01-01T00:00Z'], 'An invalid restore time was specified'],
  [[], 'No source: pass --at, --from-stack or --from'],
  [['--from', 'pages=x'], 'Invalid --from pages=x: expected one of ids, tokens, keys'],
  [['--from-stack', 'none'], 'There is no stack none'],
])('explains a mistake in %j', async (args, message) => {
  await expect(restore(...args)).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
});
