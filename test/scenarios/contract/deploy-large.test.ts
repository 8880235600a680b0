import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';
import { bodyOf, EVENT_BODY, GATEWAY_BODY } from '../../support/large-body.ts';
import { testRows } from '../../support/rows.ts';
import { DEPLOY } from '../../support/stage/session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const STAGED = /^http:\/\/localhost:\d+\/api\/v1\/deploy\/staged\/[\w-]{65}$/;

const FILE = { path: 'index.html', content: '<title>Staged</title>' };

/** Returns whether a request for a staged body has a record. */
async function isRecorded(path: string): Promise<boolean> {
  const { endpoint, region, outputs, ...credentials } = JSON.parse(
    readFileSync(join(cloud().stateDir, 'operator.json'), 'utf8'),
  ) as OperatorFile;
  const key = JSON.stringify(['staged', path.split('/').at(-1)]);
  const id = `once:${createHash('sha256').update(key).digest('base64url')}`;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const read = new GetItemCommand({ TableName: outputs.DeploymentsTable, Key: { id: { S: id } } });
  const { Item } = await client.send(read);
  client.destroy();
  return Item !== undefined;
}

const locationOf = ({ headers }: TestResponse) => new URL(headers.location ?? '').pathname;

const parts = ({ status, headers, text }: TestResponse) => ({
  status,
  text,
  etag: headers.etag,
  location: headers.location,
  token: headers['x-deployment-token'],
});

/** Posts a body and follows the redirect that deploys it. */
async function stage(
  caller: ReturnType<typeof newCaller>,
  body: string | Buffer,
  headers: Record<string, string> = {},
  gettingHeaders: Record<string, string> = {},
) {
  const stored = await caller.post(DEPLOY, body, { ...JSON_TYPE, ...headers });
  expect({ status: stored.status, location: stored.headers.location, text: stored.text }).toEqual({
    status: 303,
    location: expect.stringMatching(STAGED),
    text: expect.any(String),
  });
  return caller.send(locationOf(stored), { headers: gettingHeaders });
}

describe('an uncompressed body', () => {
  testRows([
    ['of the maximum size of an event', {}],
    ['with the maximum of headers', { 'x-many': 'h'.repeat(8_000) }],
  ])('that fits into an event is deployed without staging', async (_, headers) => {
    const { status, text } = await newCaller().post(DEPLOY, bodyOf(EVENT_BODY), { ...JSON_TYPE, ...headers });
    expect({ status, text }).toEqual({ status: 201, text: expect.stringContaining(`${EVENT_BODY} bytes`) });
  });

  it.each([EVENT_BODY + 1, GATEWAY_BODY])('of %i bytes is stored, and deployed once', async (bytes) => {
    const caller = newCaller();
    const stored = await caller.post(DEPLOY, bodyOf(bytes), JSON_TYPE);
    expect(stored).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(STAGED), 'access-control-allow-origin': '*' },
    });
    expect(stored.json).toEqual({ message: expect.stringContaining('not deployed yet') });
    const get = () => caller.send(locationOf(stored));
    // `curl -X POST -L` follows redirects like this.
    const post = () => caller.send(locationOf(stored), { method: 'POST' });
    const [first, ...others] = (await Promise.all([get(), get(), post()])).map(parts);
    expect(first).toMatchObject({ status: 201, token: expect.stringMatching(/^ptd_/) });
    const { id, title, url } = JSON.parse(first?.text ?? '');
    expect({ title, location: first?.location }).toEqual({ title: `${bytes} bytes`, location: url });
    expect([...others, parts(await get())]).toEqual([first, first, first]);
    expect(await storedObjects(`sites/${id}/`)).toHaveLength(1);
    expect((await caller.send(`/d/${id}/3.txt`)).text).toBe(`<title>${bytes} bytes</title>${'3'.repeat(990_000)}`);
  });
});

describe('a staged body', () => {
  /** Stages a small body by its path. */
  const store = (headers: Record<string, string>) =>
    newCaller().post(`${DEPLOY}/staged`, JSON.stringify({ files: [FILE] }), { ...JSON_TYPE, ...headers });

  it('has a Location on the host of the request, so that clients keep their credentials', async () => {
    const host = new URL(cloud().baseUrl).host.replace('localhost', '127.0.0.1');
    const { headers } = await store({ host });
    expect(headers.location).toMatch(`http://${host}${DEPLOY}/staged/`);
  });

  it('preserves the If-Match of its request', async () => {
    const caller = newCaller();
    const projectId = `staged-${randomUUID()}`;
    const files = [{ path: 'index.html', content: 'small' }];
    const first = await caller.post(DEPLOY, { projectId, files });
    const second = await caller.post(DEPLOY, { projectId, files });
    const body = bodyOf(EVENT_BODY + 1, projectId);
    const ifMatch = ({ headers }: TestResponse) => ({ 'if-match': String(headers.etag) });
    expect(await stage(caller, body, ifMatch(first))).toMatchObject({
      status: 412,
      json: { error: expect.stringContaining(String(second.headers.etag)) },
    });
    expect((await stage(caller, body, ifMatch(second))).status).toBe(200);
  });
});

describe('staging a body', () => {
  /** Stages bodies of any size. */
  const STAGED_DEPLOY = `${DEPLOY}/staged`;
  /** Returns headers that no other test sends, and counts bodies stored with them: other tests stage bodies at the same time. */
  const newSender = async (caller: ReturnType<typeof newCaller>) => {
    const headers = { ...JSON_TYPE, 'x-deployment-token': `ptd_${randomUUID()}` };
    const stored = await caller.post(STAGED_DEPLOY, '{}', headers);
    const prefix = locationOf(stored).replace(`${STAGED_DEPLOY}/`, 'staged/').slice(0, -21);
    return { headers, count: async () => (await storedObjects(prefix)).length };
  };
  const FORGED = {
    'x-forwarded-for': '198.51.100.9',
    'x-ptp-viewer-address': '198.51.100.9',
    'x-ptp-origin-secret': 'guess',
  };

  it('counts for the caller when it is stored, and whenever it is requested', async () => {
    const caller = newCaller();
    const before = Date.now() / 1000;
    const stored = await caller.post(DEPLOY, bodyOf(EVENT_BODY + 1), JSON_TYPE);
    expect(stored).toMatchObject({
      status: 303,
      headers: {
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '9',
        ratelimit: expect.stringMatching(/^"default";r=9;t=\d+$/),
        'ratelimit-policy': '"default";q=10;w=60',
        'access-control-expose-headers': '*',
      },
    });
    expect(Number(stored.headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(before + 60);
    for (const remaining of ['8', '7'])
      expect(await caller.send(locationOf(stored))).toMatchObject({
        status: 201,
        headers: { 'x-ratelimit-remaining': remaining },
      });
    const { headers } = await caller.post(DEPLOY, {});
    expect(headers['x-ratelimit-remaining']).toBe('6');
  });

  it('costs no write unless it exists', async () => {
    const caller = newCaller();
    const known = locationOf(await caller.post(STAGED_DEPLOY, JSON.stringify({ files: [FILE] }), JSON_TYPE));
    const unknown = known.replace(/.{21}$/, 'A'.repeat(21));
    expect((await caller.send(unknown)).status).toBe(404);
    expect((await caller.send(known)).status).toBe(201);
    expect([await isRecorded(known), await isRecorded(unknown)]).toEqual([true, false]);
  });

  it('returns the 429 of all other calls once the window is used up, whatever headers are forged', async () => {
    const caller = newCaller();
    const stored = await Promise.all(
      Array.from({ length: 9 }, () => caller.post(STAGED_DEPLOY, '{}', { ...JSON_TYPE, ...FORGED })),
    );
    expect(stored.map(({ status }) => status)).toEqual(Array(9).fill(303));
    const left = stored.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const sender = await newSender(caller);
    const refusals = [
      await caller.post(STAGED_DEPLOY, '{}', sender.headers),
      await caller.post(STAGED_DEPLOY, '{}', { ...sender.headers, ...FORGED }),
      await caller.post(DEPLOY, '{}', sender.headers),
    ];
    for (const { status, headers, json } of refusals) {
      const retryAfter = Number(headers['retry-after']);
      expect(status).toBe(429);
      expect(retryAfter).toBeGreaterThan(0);
      expect(json).toEqual({
        error: expect.stringMatching(/^Rate limit exceeded: more than 10 requests in 60 seconds/),
        retryAfter,
        docs: '/docs#rate-limits',
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
        ratelimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
        'ratelimit-policy': '"default";q=10;w=60',
      });
    }
    expect(new Set(refusals.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1);
    expect(await sender.count()).toBe(1);
  });

  testRows([
    { authorization: 'Bearer ptp_wrong' },
    { authorization: 'Bearer a.b.c' },
    { authorization: 'Basic dXNlcjpwYXNz' },
    { 'x-api-key': '' },
  ])('is rejected with an invalid credential, and counts for the address', async (credential) => {
    const caller = newCaller();
    const sender = await newSender(caller);
    const body = bodyOf(EVENT_BODY + 1);
    const { status, headers, json } = await caller.post(DEPLOY, body, {
      ...sender.headers,
      ...(credential as Record<string, string>),
    });
    expect({ status, json }).toEqual({
      status: 401,
      json: { error: expect.stringMatching(/mistyped, unknown, revoked or expired/) },
    });
    expect(headers).toMatchObject({
      'www-authenticate': expect.stringMatching(/^Bearer realm=.*error="invalid_token"/),
      'access-control-allow-origin': '*',
      'x-ratelimit-limit': '10',
      'ratelimit-policy': '"default";q=10;w=60',
    });
    expect(await sender.count()).toBe(1);
    expect((await caller.post(DEPLOY, {})).headers['x-ratelimit-remaining']).toBe('7');
  });
});
