import type { CreatedAsset, ShownAsset } from '../../lambda/contract/assets.ts';
import { newCaller } from '../support/cloud/client.ts';
import { cloud } from '../support/cloud/cloud.ts';
import { keys, newKey } from '../support/cloud/keys.ts';
import { testRows } from '../support/rows.ts';
import { check, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { onStage } from '../support/stage/on-stage.ts';

const ASSETS = '/api/v1/assets/user-assets/';

/** The first bytes of every PNG file. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');

onStage({
  name: 'asset',
  title: 'An asset is uploaded with a presigned URL, marked as uploaded, and downloaded',
  means:
    'S3 refuses the signature of the upload (it leaves the payload unsigned), the function cannot read the upload, or an ' +
    'empty response loses its status.',
  lookAt: 'The log group *-AssetsApiLogs*; the policy, CORS and encryption of the assets bucket',
  run: async (session) => {
    const { key, token } = session.options;
    const credential = key ?? token;
    if (!credential) throw new SkippedError('pass --key (with the scope assets:write) or --token');
    const json = {
      attributes: { name: 'smoke.png', type: 'image/png', size: PNG.length },
      entity_type: 'USER_AVATAR',
    };
    const created = await session.api('POST', ASSETS, { json, credential });
    expectStatus(created, 201);
    const { asset_id, upload_url, upload_headers } = created.json<CreatedAsset>();
    const path = `${ASSETS}${asset_id}/`;
    let exists = true;
    const remove = async () => {
      if (!exists) return;
      expectStatus(await session.api('DELETE', path, { credential }), 204);
      exists = false;
    };
    session.cleanUp(remove);
    const put = await session.http.send(new URL(upload_url), {
      method: 'PUT',
      body: PNG,
      headers: upload_headers,
    });
    expectStatus(put, 200);
    const patched = await session.api('PATCH', path, {
      json: { attributes: { name: 'a.png' } },
      credential,
    });
    expectStatus(patched, 204);
    const shown = await session.api('GET', path, { credential });
    expectStatus(shown, 200);
    const { state, download_url = '' } = shown.json<ShownAsset>();
    check(state === 'uploaded', `The asset is ${state} after its PATCH`);
    const file = await session.http.send(new URL(download_url));
    expectStatus(file, 200);
    expectHeader(file, 'Content-Type', 'image/png');
    check(file.bytes.equals(PNG), `The download has ${file.bytes.length} bytes, but ${PNG.length} were sent`);
    await remove();
  },
});

const ATTRIBUTES = { name: 'me.png', type: 'image/png', size: PNG.length };

describe('user assets', () => {
  const caller = newCaller();
  let key: string;
  const withKey = () => ({ 'x-api-key': key });
  const patch = (path: string, body: unknown, headers: Record<string, string> = withKey()) =>
    caller.send(path, { method: 'PATCH', body, headers });
  const create = async (attributes: object = ATTRIBUTES) => {
    const { status, json } = await caller.post(ASSETS, { attributes }, withKey());
    expect(status).toBe(201);
    return json;
  };
  const put = ({ upload_url, upload_headers }: Awaited<ReturnType<typeof create>>, body: Buffer, more = {}) =>
    fetch(upload_url, { method: 'PUT', body, headers: { ...upload_headers, ...more } });
  const upload = async () => {
    const created = await create();
    expect((await put(created, PNG)).status).toBe(200);
    return `${ASSETS}${created.asset_id}/`;
  };

  beforeAll(async () => {
    key = await newKey('--limit', '1000');
  });

  it.each([ASSETS, ASSETS.slice(0, -1)])('can be created, read and deleted: %s', async (path) => {
    const created = await caller.post(path, { attributes: ATTRIBUTES, entity_type: 'USER_AVATAR' }, withKey());
    expect(created.status).toBe(201);
    expect(Object.keys(created.json).toSorted()).toEqual(['asset_id', 'expires_at', 'upload_headers', 'upload_url']);
    expect(created.headers.location).toBe(`${cloud().baseUrl}${ASSETS}${created.json.asset_id}/`);
    const place = `${path.replace(/\/$/, '')}/${created.json.asset_id}${path.endsWith('/') ? '/' : ''}`;

    const early = await patch(place, {});
    expect(early).toMatchObject({
      status: 409,
      json: { error: expect.stringMatching(/^Nothing was uploaded/) },
    });
    expect((await put(created.json, PNG)).status).toBe(200);
    for (const body of [{ attributes: { name: 'new.png' } }, {}, { attributes: ATTRIBUTES }]) {
      const { status, text } = await patch(place, body);
      expect({ status, text }).toEqual({ status: 204, text: '' });
    }

    const shown = await caller.send(place, { headers: withKey() });
    expect(shown).toMatchObject({
      status: 200,
      json: { state: 'uploaded', attributes: ATTRIBUTES, entity_type: 'USER_AVATAR' },
    });
    const download = await fetch(shown.json.download_url);
    expect(Buffer.from(await download.arrayBuffer())).toEqual(PNG);
    expect(download.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''me.png");

    expect((await caller.send(place, { method: 'DELETE', headers: withKey() })).status).toBe(204);
    expect((await fetch(shown.json.download_url)).ok).toBe(false);
    for (const method of ['GET', 'DELETE'])
      expect((await caller.send(place, { method, headers: withKey() })).status).toBe(404);
  });

  it('can be uploaded by a page of another origin', async () => {
    const created = await create();
    const origin = 'https://app.example';
    const asked = Object.keys(created.upload_headers).join(',').toLowerCase();
    const preflight = await fetch(created.upload_url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': asked,
      },
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')?.replaceAll(' ', '')).toBe(asked);
    const sent = await put(created, PNG, { origin });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });

  it('return 404 for an unknown asset and for another owner’s', async () => {
    const other = { 'x-api-key': await newKey() };
    const place = await upload();
    for (const answer of [
      await patch(`${ASSETS}unknown/`, {}),
      await patch(place, {}, other),
      await caller.send(place, { headers: other }),
      await caller.send(place, { method: 'DELETE', headers: other }),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: { error: 'There is no such asset' } });
    }
    expect((await patch(place, {})).status).toBe(204);
  });

  it('require a valid key with the scope', async () => {
    const place = await upload();
    const noScope = (await keys('create', '--name', 'reader')).trim();
    const none = await patch(place, {}, {});
    expect(none).toMatchObject({ status: 401, json: { error: expect.stringContaining('API key') } });
    // API Gateway renames this header of a proxy integration.
    expect(none.headers['x-amzn-remapped-www-authenticate']).toMatch(/^Bearer/);
    expect((await patch(place, {}, { 'x-api-key': `${key}x` })).status).toBe(401);
    for (const method of ['PATCH', 'GET', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined;
      expect(await caller.send(place, { method, body, headers: { 'x-api-key': noScope } })).toMatchObject({
        status: 403,
        json: { error: expect.stringContaining('assets:write') },
      });
    }
  });

  testRows([{}, { attributes: { name: 'me.png' } }])('need their size to be created', async (body) => {
    const error = 'attributes.size is required: the number of bytes that you are going to upload';
    expect(await caller.post(ASSETS, body, withKey())).toMatchObject({ status: 400, json: { error } });
  });

  testRows([
    [{ attributes: 'x' }, 400, 'attributes must be a JSON object, not a string'],
    [{ attributes: { size: -1 } }, 400, 'attributes.size must be a whole number of bytes, 0 or more'],
    [
      { attributes: { size: PNG.length }, entity_type: 'x' },
      400,
      'entity_type must be an upper-case identifier such as USER_AVATAR',
    ],
    [
      { attributes: { type: 'text/html', size: PNG.length } },
      400,
      'Assets of type text/html are not accepted: the accepted types are image/*, audio/*, video/*, font/*, application/pdf',
    ],
    [{ attributes: { size: 26_214_401 } }, 413, 'The asset has 26,214,401 bytes: at most 26,214,400 are accepted'],
  ])('reject what they may not be', async (body, status, error) => {
    expect(await caller.post(ASSETS, body, withKey())).toMatchObject({ status, json: { error } });
    expect(await patch(await upload(), body)).toMatchObject({ status, json: { error } });
  });
});
