import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { OperatorFile } from '../../../local/cloud/cloud.ts';
import { newCaller, type TestResponse } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { keys, newKey } from '../../support/cloud/keys.ts';
import { storedObjects } from '../../support/cloud/stored-objects.ts';
import { noteIssued } from '../../support/cloud/tokens.ts';
import { testRows } from '../../support/rows.ts';
import { DEPLOY } from '../../support/stage/session.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

const STAGED = /^http:\/\/localhost:\d+\/api\/v1\/deploy\/staged\/[\w-]{65}$/;

/** The maximum body of a Lambda event, in bytes. */
const EVENT_BODY = 4_694_016;

/** API Gateway's limit for a body, in bytes. */
const GATEWAY_BODY = 10_485_760;

const FILE = { path: 'index.html', content: '<title>Staged</title>' };

/** Returns a request of exactly this many bytes, most of them in files. */
function bodyOf(bytes: number, projectId?: string): string {
  const files = Array.from({ length: Math.trunc(bytes / 1_000_000) }, (_, i) => ({
    path: i === 0 ? 'index.html' : `${i}.txt`,
    content: `<title>${bytes} bytes</title>${String(i).repeat(990_000)}`,
  }));
  const rest = JSON.stringify({ projectId, files, ignored: '' });
  return JSON.stringify({ projectId, files, ignored: '.'.repeat(bytes - rest.length) });
}

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
    expect((await caller.send(`/d/${id}/3.txt`)).text).toBe(
      `<title>${bytes} bytes</title>${'3'.repeat(990_000)}`,
    );
  });

  it('over the limit of API Gateway returns 413 and names gzip', async () => {
    const { status, headers, json } = await newCaller().post(DEPLOY, bodyOf(GATEWAY_BODY + 1), JSON_TYPE);
    expect(status).toBe(413);
    expect(headers['content-type']).toBe('application/json');
    expect(json).toEqual({ error: expect.stringMatching(/10485761 bytes.*Content-Encoding: gzip/) });
  });

  it('is rejected with a trailing slash in the path, whatever its size', async () => {
    const send = async (body: string) => (await newCaller().post(`${DEPLOY}/`, body, JSON_TYPE)).status;
    expect([await send('{}'), await send(bodyOf(EVENT_BODY + 1))]).toEqual([404, 413]);
  });

  it('of unknown length is staged, and deployed with the key by a client that follows redirects', async () => {
    const authorization = `Bearer ${await newKey()}`;
    const { body } = new Response(bodyOf(6_000_000));
    const headers = { ...JSON_TYPE, authorization };
    const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const answer = await fetch(`${cloud().baseUrl}${DEPLOY}`, sent);
    expect({ status: answer.status, token: answer.headers.get('x-deployment-token') }).toEqual({
      status: 201,
      token: null,
    });
    const { id } = (await answer.json()) as { id: string };
    const path = `/api/v1/deployments/${id}`;
    expect(await newCaller().send(path, { headers: { authorization } })).toMatchObject({
      status: 200,
      json: { owner: 'key', title: '6000000 bytes' },
    });
    expect((await newCaller().send(path)).status).toBe(401);
  });
});

describe('a staged body', () => {
  /** Stages a small body by its path. */
  const store = (headers: Record<string, string>, body: object = { files: [FILE] }) =>
    newCaller().post(`${DEPLOY}/staged`, JSON.stringify(body), { ...JSON_TYPE, ...headers });
  const get = (stored: TestResponse, headers: Record<string, string> = {}) =>
    newCaller().send(locationOf(stored), { headers });

  it('is available only to the key that sent it, in either header', async () => {
    const key = await newKey();
    const stored = await store({ authorization: `Bearer ${key}` });
    const other = await newKey();
    for (const headers of [{}, { 'x-api-key': other }, { 'x-deployment-token': 'ptd_x' }])
      expect(await get(stored, headers)).toMatchObject({
        status: 404,
        json: { error: expect.stringContaining('no such body') },
      });
    expect((await get(stored, { 'x-api-key': `${key.slice(0, -1)}?` })).status).toBe(401);
    const deployed = await get(stored, { 'x-api-key': key });
    expect(parts(deployed)).toMatchObject({ status: 201, token: undefined });
    const path = `/api/v1/deployments/${deployed.json.id}`;
    expect(await newCaller().send(path, { headers: { 'x-api-key': key } })).toMatchObject({
      status: 200,
      json: { owner: 'key' },
    });
    // The same holds after the deploy.
    for (const headers of [{}, { 'x-api-key': other }]) expect((await get(stored, headers)).status).toBe(404);
    expect(parts(await get(stored, { 'x-api-key': key }))).toEqual(parts(deployed));
  });

  it('has a Location on the host of the request, so that clients keep their credentials', async () => {
    const host = new URL(cloud().baseUrl).host.replace('localhost', '127.0.0.1');
    const { headers } = await store({ host });
    expect(headers.location).toMatch(`http://${host}${DEPLOY}/staged/`);
  });

  it('is available to a rotated key of the same owner', async () => {
    const key = await newKey();
    const stored = await store({ 'x-api-key': key });
    const rotated = noteIssued((await keys('rotate', key.split('_')[1] ?? '', '--grace', '1h')).trim());
    expect((await get(stored, { 'x-api-key': rotated })).status).toBe(201);
  });

  it('without credentials is available to anyone with its URL, and remains anonymous', async () => {
    const key = { 'x-api-key': await newKey() };
    const stored = await store({});
    const deployed = await get(stored, key);
    expect(parts(deployed)).toMatchObject({ status: 201, token: expect.stringMatching(/^ptd_/) });
    expect(parts(await get(stored))).toEqual(parts(deployed));
  });

  it('with a deployment token is deployed only with that token', async () => {
    const projectId = `staged-${randomUUID()}`;
    const deploy = { projectId, files: [FILE] };
    const first = parts(await newCaller().post(DEPLOY, deploy));
    expect(parts(await get(await store({}, deploy)))).toEqual({
      ...first,
      status: 200,
      token: undefined,
      etag: expect.any(String),
      location: undefined,
    });
    const token = { 'x-deployment-token': String(first.token) };
    const stored = await store(token, deploy);
    expect((await get(stored)).status).toBe(404);
    expect(parts(await get(stored, token))).toMatchObject({ status: 200, token: first.token });
    // From now on, the projectId requires its token.
    expect((await get(await store({}, deploy))).status).toBe(401);
    const wrong = { 'x-deployment-token': 'ptd_x' };
    expect((await get(await store(wrong, deploy), wrong)).status).toBe(403);
  });

  testRows([randomUUID(), 'nope', '..%2fsites', `${'a'.repeat(43)}-${'b'.repeat(21)}`])(
    'with an unknown id is a 404',
    async (id) => {
      expect(await newCaller().send(`${DEPLOY}/staged/${id}`)).toMatchObject({
        status: 404,
        json: { error: expect.stringMatching(/no such body|There is no GET/) },
      });
    },
  );

  it('that is not JSON returns 400 every time', async () => {
    const caller = newCaller();
    const stored = await caller.post(DEPLOY, bodyOf(EVENT_BODY + 2).slice(1), JSON_TYPE);
    for (const _ of [1, 2])
      expect(await caller.send(locationOf(stored))).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining('not valid JSON') },
      });
  });

  it('with another content type returns 415', async () => {
    const text = { 'content-type': 'text/plain' };
    expect((await stage(newCaller(), bodyOf(EVENT_BODY + 1), text)).status).toBe(415);
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

  it('preserves the Idempotency-Key of its request', async () => {
    const caller = newCaller();
    const key = { 'idempotency-key': 'large' };
    const body = bodyOf(EVENT_BODY + 1);
    const first = await stage(caller, body, key);
    expect(first.status).toBe(201);
    expect(parts(await stage(caller, body, key))).toEqual(parts(first));
    expect((await stage(caller, bodyOf(EVENT_BODY + 2), key)).status).toBe(422);
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
    for (let used = 1; used <= 9; used++) {
      const { status, headers } = await caller.post(STAGED_DEPLOY, '{}', { ...JSON_TYPE, ...FORGED });
      expect([status, headers['x-ratelimit-remaining']]).toEqual([303, String(10 - used)]);
    }
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

  it('counts for the key of the request', async () => {
    const authorization = `Bearer ${await newKey('--limit', '2')}`;
    const send = () => newCaller().post(STAGED_DEPLOY, '{}', { ...JSON_TYPE, authorization });
    const answers = [await send(), await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['2', '2', '2']);
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
