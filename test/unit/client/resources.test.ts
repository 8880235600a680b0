import type { Deployments, ListedDeployment, ShownAsset } from '../../../client/client.ts';
import { testRows } from '../../support/rows.ts';
import { failure, json, type Received, type Reply, reset, startService } from './scripted-service.ts';

const KEY = 'ptp_secret';
const TOKEN = { 'x-deployment-token': 't' };

describe('a list', () => {
  const page = (ids: string[], nextCursor: string | null) =>
    json(200, { items: ids.map((id) => ({ id })), nextCursor });

  it('has pages', async () => {
    const { client, received } = await startService([page(['b', 'a'], 'next'), page([], null)]);
    expect(await client.generations.list({ limit: 2 })).toEqual({
      items: [{ id: 'b' }, { id: 'a' }],
      nextCursor: 'next',
    });
    expect(await client.assets.list({ cursor: 'next' })).toEqual({ items: [], nextCursor: null });
    expect(received.map(({ path }) => path)).toEqual([
      '/api/v1/generations?limit=2',
      '/api/v1/assets/user-assets/?cursor=next',
    ]);
  });

  it('is iterated over page by page, as far as the caller reads, or to the last one', async () => {
    const { client, received } = await startService([page(['c'], '1'), page([], '2'), page(['b', 'a'], null)]);
    const items: ListedDeployment[] = [];
    for await (const item of client.deployments.all({ limit: 1 })) {
      items.push(item);
      if (items.length === 1) break;
    }
    expect(received).toHaveLength(1);
    for await (const item of client.deployments.all({ cursor: '1' })) items.push(item);
    expect(items.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(received.map(({ path }) => path)).toEqual([
      '/api/v1/deployments?limit=1',
      '/api/v1/deployments?limit=100&cursor=1',
      '/api/v1/deployments?limit=100&cursor=2',
    ]);
  });
});

describe('a rollback with ifMatch whose first response was lost', () => {
  const refused = json(412, { error: 'If-Match does not name the live version' });
  const rollback = async (...replies: Reply[]) => {
    const { client, received } = await startService(replies);
    const options = { version: 'v1', ifMatch: 'v2', token: 't' };
    return {
      outcome: await client.deployments.rollback('a', options).catch((error: unknown) => error),
      received,
    };
  };

  it('succeeds if the version is live', async () => {
    const { outcome, received } = await rollback(reset, refused, json(200, { id: 'a', version: 'v1' }));
    expect(outcome).toEqual({ id: 'a', version: 'v1' });
    expect(received[2]).toMatchObject({ method: 'GET', headers: { 'x-deployment-token': 't' } });
  });

  it('fails if another version is live', async () => {
    const { outcome } = await rollback(reset, refused, json(200, { id: 'a', version: 'v3' }));
    expect(outcome).toMatchObject({ status: 412, code: 'precondition_failed' });
  });

  it('fails without asking if nothing was lost', async () => {
    const { outcome, received } = await rollback(refused, json(200, { id: 'a', version: 'v1' }));
    expect(outcome).toMatchObject({ status: 412 });
    expect(received).toHaveLength(1);
  });
});

const SETTINGS = { access: 'password', password: 'correct horse', expiresInSeconds: null } as const;

testRows<[call: (of: Deployments) => Promise<unknown>, method: string, path: string, sent: Partial<Received>]>([
  [(of) => of.addDomain('a/b', 'www.example.com'), 'PUT', '/domains/www.example.com', {}],
  [(of) => of.removeDomain('a/b', 'x/y'), 'DELETE', '/domains/x%2Fy', {}],
  [(of) => of.change('a/b', { ...SETTINGS, token: 't' }), 'PATCH', '', { headers: TOKEN, json: SETTINGS }],
  [(of) => of.claim('a/b', { token: 't' }), 'POST', '/claim', { headers: TOKEN }],
  [(of) => of.views('a/b', { from: '2026-11-01', token: 't' }), 'GET', '/views?from=2026-11-01', { headers: TOKEN }],
])('sends a call of a deployment again after a lost response', async (call, method, path, sent) => {
  const { client, received } = await startService([reset, json(200, { id: 'a/b' })], { key: KEY });
  expect(await call(client.deployments)).toEqual({ id: 'a/b' });
  const request = { method, path: `/api/v1/deployments/a%2Fb${path}`, ...sent };
  expect(received).toMatchObject([request, request]);
  for (const { headers } of received) expect(headers.authorization).toBe(`Bearer ${KEY}`);
});

describe('what the API has of private pages', () => {
  const sending =
    (type: string): Reply =>
    (response) =>
      response.writeHead(200, { 'content-type': type }).end(Buffer.from([0xff, 0]));
  const bytes = new Uint8Array([0xff, 0]);

  it('is a zip, at the storage that the service redirects to', async () => {
    const storage = await startService([sending('application/zip')]);
    const redirect: Reply = (response) => response.writeHead(303, { location: `${storage.baseUrl}/a.zip` }).end();
    const { client, received } = await startService([redirect], { key: KEY });
    expect(await client.deployments.archive('a/b')).toEqual(bytes);
    expect(received).toMatchObject([{ method: 'GET', path: '/api/v1/deployments/a%2Fb/archive' }]);
    // S3 accepts one kind of credential, and the URL is signed.
    expect(storage.received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is a picture, after a retry of a lost connection', async () => {
    const { client, received } = await startService([reset, sending('image/png')]);
    const options = { width: 390, version: 'v', token: 't' } as const;
    expect(await client.deployments.screenshot('a/b', options)).toEqual(bytes);
    expect(await client.screenshot('a/b', { width: 390, attempt: 2 })).toEqual(bytes);
    const path = '/api/v1/deployments/a%2Fb/screenshot?width=390&version=v';
    const own = '/api/v1/generations/a%2Fb/screenshot?width=390&attempt=2';
    expect(received).toMatchObject([{ path }, { path, headers: TOKEN }, { path: own }]);
  });

  it('is an error if something else answers', async () => {
    const { client } = await startService([sending('text/html')]);
    expect(await failure(client.deployments.archive('a'))).toMatchObject({ code: 'invalid_response' });
    for (const part of [client, client.deployments])
      expect(await failure(part.screenshot('a'))).toMatchObject({ code: 'invalid_response' });
  });
});

describe('an upload', () => {
  const ASSET: Partial<ShownAsset> = { asset_id: 'a', state: 'uploaded', download_url: 'u' };
  const HEADERS = { 'Content-Type': 'image/png', 'If-None-Match': '*', 'x-amz-tagging': 'state=pending' };
  const stored: Reply = (response) => response.end();

  /** Uploads to a storage with these replies. */
  const uploadTo = async (replies: Reply[], content: Uint8Array | Blob, options = {}, headers: object = HEADERS) => {
    const storage = await startService(replies);
    const created = {
      asset_id: 'a',
      upload_url: `${storage.baseUrl}/bucket/a?signed`,
      upload_headers: headers,
    };
    const service = await startService(
      [json(201, created), (response) => response.writeHead(204).end(), json(200, ASSET)],
      { key: KEY },
    );
    return { storage, service, uploading: service.client.assets.upload(content, options) };
  };

  it('creates the asset, sends the bytes without a credential, and marks them as uploaded', async () => {
    const bytes = Uint8Array.of(1, 2, 255);
    const { storage, service, uploading } = await uploadTo([stored], bytes, {
      name: 'a.png',
      type: 'image/png',
      entityType: 'USER_AVATAR',
    });
    expect(await uploading).toEqual(ASSET);
    const [put] = storage.received;
    expect(put).toMatchObject({ method: 'PUT', path: '/bucket/a?signed', body: Buffer.from(bytes) });
    expect(put?.headers).toMatchObject({
      'content-type': 'image/png',
      'if-none-match': '*',
      'x-amz-tagging': 'state=pending',
      'content-length': '3',
    });
    expect(JSON.stringify(put?.headers)).not.toContain(KEY);
    const [created, patched, shown] = service.received;
    expect(created?.json).toEqual({
      attributes: { name: 'a.png', type: 'image/png', size: 3 },
      entity_type: 'USER_AVATAR',
    });
    expect(patched).toMatchObject({ method: 'PATCH', path: '/api/v1/assets/user-assets/a/', json: {} });
    expect(shown).toMatchObject({ method: 'GET', path: '/api/v1/assets/user-assets/a/' });
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${KEY}`));
  });

  it('takes name, type and size of a file', async () => {
    const file = new File(['abc'], 'me.png', { type: 'image/png;charset=utf-8' });
    const { storage, service, uploading } = await uploadTo([stored], file);
    await uploading;
    expect(service.received[0]?.json).toEqual({ attributes: { name: 'me.png', type: 'image/png', size: 3 } });
    expect(storage.received[0]?.body.toString()).toBe('abc');
    expect(storage.received[0]?.headers['content-type']).toBe('image/png');
  });

  it('has no type if none is known', async () => {
    const { storage, service, uploading } = await uploadTo([stored], new Blob(['abc']), {}, {});
    await uploading;
    expect(service.received[0]?.json).toEqual({ attributes: { size: 3 } });
    expect(storage.received[0]?.headers).not.toHaveProperty('content-type');
  });

  it.each<[string, Reply[]]>([
    ['fails once', [json(503), stored]],
    ['loses a response, and then has the bytes', [reset, json(412)]],
  ])('is repeated if the storage %s', async (_, replies) => {
    const { storage, service, uploading } = await uploadTo(replies, Uint8Array.of(1));
    expect(await uploading).toEqual(ASSET);
    expect([storage.received.length, service.received.length]).toEqual([2, 3]);
  });

  it.each([403, 412])('fails if the storage rejects it with a %d', async (status) => {
    const xml: Reply = (response) => response.writeHead(status).end('<Error/>');
    const { service, uploading } = await uploadTo([xml], Uint8Array.of(1));
    expect(await failure(uploading)).toMatchObject({ status, body: '<Error/>' });
    expect(service.received).toHaveLength(1);
  });
});

describe('the deletion of an asset', () => {
  it('succeeds if an attempt whose response was lost has deleted it', async () => {
    const { client } = await startService([reset, json(404)]);
    await expect(client.assets.delete('a')).resolves.toBeUndefined();
  });

  it('fails for an asset that does not exist', async () => {
    const { client } = await startService([json(404)]);
    expect(await failure(client.assets.delete('a'))).toMatchObject({ status: 404, code: 'not_found' });
  });
});
