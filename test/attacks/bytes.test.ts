/*
 * Callers deploy and upload as many bytes as they can. S3 keeps them for $0.023 per GB and month, and pages and zips of them are egress.
 *
 * Before: an address could deploy 10 MB ten times a minute: 144 GB a day, $3.31 a month for each day; 10,000 addresses 1.4 PB,
 * $33,000 a month. A key could upload 25 MB a hundred times a minute, 3.6 TB a day, and up to 5 GiB each without a size.
 * Now: 200 MB for an address and 20 GB for all of them, $0.46 a month for each day, whatever their number; 5 GB for a key. Files that
 * a deploy names by their hash, and projects that a generation begins with, count whenever they are stored.
 * An instance counts a thousandth of the 20 GB before it shares it: with 50 instances (`concurrency.deployments`) at most 5 % more.
 */
import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { main } from '../../cli/keys.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { newCaller } from '../support/cloud/client.ts';
import { operate } from '../support/cloud/keys.ts';
import { storedObjects } from '../support/cloud/stored-objects.ts';
import { startVariant } from '../support/cloud/variant.ts';
import { withinOneDay } from '../support/one-day.ts';

const DEPLOY = '/api/v1/deploy';
const GENERATE = '/api/v1/generate';
const STAGED = `${DEPLOY}/staged`;
const ASSETS = '/api/v1/assets/user-assets/';
const JSON_TYPE = { 'content-type': 'application/json' };
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' };

const BYTES_PER_DAY = { anonymous: 3_000_000, anonymousTogether: 15_000_000, key: 4_000_000 };
const FILE = 900_000;

/** Returns the body of a deploy of 900 KB. */
const body = (content = 'x'.repeat(FILE)) => JSON.stringify({ files: [{ path: 'index.html', content }] });
const random = () => randomBytes(FILE / 2).toString('hex');

/** The bytes that addresses have deployed. */
let deployed = 0;
const RATE_LIMIT = { windowSeconds: 60, anonymous: 1_000, key: 1_000 };
await withinOneDay();
const running = closeAtEnd(await startVariant({ BYTES_PER_DAY, RATE_LIMIT }));
const address = () => newCaller(running.baseUrl);

/** Expects a 429 until midnight UTC. */
function expectRefused(
  { status, headers, json }: Awaited<ReturnType<ReturnType<typeof newCaller>['send']>>,
  text: RegExp,
) {
  const retryAfter = Number(headers['retry-after']);
  expect({ status, json }).toEqual({
    status: 429,
    json: { error: expect.stringMatching(text), retryAfter, docs: '/docs#rate-limits' },
  });
  const midnight = Date.now() + retryAfter * 1000;
  expect(Math.abs(midnight - Math.round(midnight / 86_400_000) * 86_400_000)).toBeLessThan(60_000);
}

it('an address deploys its bytes of the day, compressed or not, and nothing more is stored', async () => {
  const caller = address();
  for (const sent of [body(), body(random())]) expect((await caller.post(DEPLOY, sent, JSON_TYPE)).status).toBe(201);
  // A few KB that decompress to 900 KB count as those.
  expect((await caller.post(DEPLOY, gzipSync(body()), GZIP)).status).toBe(201);
  const stored = await storedObjects('', running);
  expectRefused(await caller.post(DEPLOY, gzipSync(body()), GZIP), /^Rate limit exceeded: more than 3,000,000 bytes/);
  expectRefused(await caller.post(DEPLOY, body(), JSON_TYPE), /3,000,000 bytes in a day/);
  expectRefused(await caller.post(STAGED, '{}', JSON_TYPE), /3,000,000 bytes in a day/);
  expect(await storedObjects('', running)).toEqual(stored);
  expect((await caller.send('/api/v1/generations/none')).status).toBe(404);
  expect((await address().post(DEPLOY, body(), JSON_TYPE)).status).toBe(201);
  deployed = 4 * FILE;
});

it('a file that is named by its hash counts at each path, in each version', async () => {
  const caller = address();
  const content = 'x'.repeat(FILE / 3);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const start = { path: 'index.html', content };
  const first = await caller.post(DEPLOY, { files: [start], projectId: 'hashes' });
  expect(first.status).toBe(201);
  deployed += FILE / 3;
  const files = Array.from({ length: 5 }, (_, i) => ({ path: `${i}.html`, sha256 }));
  expect((await caller.post(DEPLOY, { files, projectId: 'hashes' })).status).toBe(200);
  deployed += (5 * FILE) / 3;
  expectRefused(await caller.post(DEPLOY, { files, projectId: 'hashes' }), /3,000,000 bytes in a day/);
});

it('a project counts when a generation begins with it, and again for its deploy', async () => {
  const caller = address();
  const files = [{ path: 'index.html', content: 'x'.repeat(FILE) }];
  const generate = (deploy: boolean) =>
    caller.post(GENERATE, { prompt: 'Add a title', files, deploy }, { prefer: 'respond-async' });
  expect((await generate(true)).status).toBe(202);
  deployed += 2 * FILE;
  expectRefused(await generate(false), /3,000,000 bytes in a day/);
});

it('a compressed body cannot claim to be shorter than it is', async () => {
  const twice = Buffer.concat([gzipSync(body()), gzipSync(' ')]);
  expect(await address().post(DEPLOY, twice, GZIP)).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('more than one member') },
  });
});

it('a body of unknown length counts as the most possible, before it is stored', async () => {
  expectRefused(await address().post(STAGED, body(), JSON_TYPE), /3,000,000 bytes in a day/);
  expect(await storedObjects('staged/', running)).toEqual([]);
});

it('a leaked key uploads and deploys its bytes of the day, and an upload has the size that was counted', async () => {
  const headers = { 'x-api-key': await newKey() };
  const create = (size?: number) => address().post(ASSETS, { attributes: { type: 'image/png', size } }, headers);
  expect((await create()).status).toBe(400);
  const { json } = await create(2_000_000);
  const upload = (bytes: number) =>
    fetch(json.upload_url, { method: 'PUT', headers: json.upload_headers, body: Buffer.alloc(bytes) });
  expect((await upload(2_000_001)).status).toBe(403);
  expect((await upload(2_000_000)).status).toBe(200);
  expect((await create(1_500_000)).status).toBe(201);
  // What is refused for another reason does not count.
  expect((await create(26_214_401)).status).toBe(413);
  expect((await address().post(DEPLOY, body('x'.repeat(100_000)), { ...JSON_TYPE, ...headers })).status).toBe(201);
  expectRefused(await create(1_500_000), /4,000,000 bytes in a day/);
  expectRefused(await address().post(DEPLOY, body(), { ...JSON_TYPE, ...headers }), /4,000,000 bytes in a day/);
});

it('many addresses together have a limit, and keys do not share it', async () => {
  for (let refused = false; !refused; ) {
    const sent = await address().post(DEPLOY, body(), JSON_TYPE);
    refused = sent.status === 429;
    if (refused) expectRefused(sent, /all callers without an API key have deployed too many bytes/);
    else deployed += FILE;
    expect(deployed).toBeLessThan(2 * BYTES_PER_DAY.anonymousTogether);
  }
  expect(deployed).toBeGreaterThanOrEqual(BYTES_PER_DAY.anonymousTogether - 2 * FILE);
  const authorization = `Bearer ${await newKey()}`;
  expect((await address().post(DEPLOY, body(), { ...JSON_TYPE, authorization })).status).toBe(201);
});

async function newKey(): Promise<string> {
  const create = ['create', '--name', 'leaked', '--scopes', 'assets:write'];
  return (await operate(main, create, running.stateDir)).trim();
}
