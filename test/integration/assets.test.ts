import { newCaller } from './client.ts';
import { keys, newKey } from './keys.ts';

const ASSETS = '/api/v1/assets/user-assets/';
const ATTRIBUTES = { name: 'me.png', type: 'image/png', size: 4 };

describe('user assets', () => {
  const caller = newCaller();
  let key: string;
  let assetId: string;
  const patch = (path: string, body: unknown, headers: Record<string, string> = { 'x-api-key': key }) =>
    caller.send(path, { method: 'PATCH', body, headers });

  beforeAll(async () => {
    key = await newKey('--limit', '1000');
    const created = await caller.post(
      ASSETS,
      { attributes: ATTRIBUTES, entity_type: 'USER_AVATAR' },
      { 'x-api-key': key },
    );
    expect(created.status).toBe(201);
    assetId = created.json.asset_id;
  });

  it('are made with an upload URL that takes the announced type and no other', async () => {
    const { status, headers, json } = await caller.post(
      ASSETS,
      { attributes: ATTRIBUTES },
      { 'x-api-key': key },
    );
    expect(status).toBe(201);
    expect(Object.keys(json).toSorted()).toEqual(['asset_id', 'expires_at', 'upload_url']);
    expect(headers.location).toBe(`${json.asset_id}/`);
    const put = (type: string) =>
      fetch(json.upload_url, { method: 'PUT', body: 'abcd', headers: { 'content-type': type } });
    expect((await put('text/html')).status).toBe(403);
    expect((await put('image/png')).status).toBe(200);
  });

  it('are marked as uploaded with 204 and no body, with and without the final slash, again and again', async () => {
    for (const path of [`${ASSETS}${assetId}/`, `${ASSETS}${assetId}`]) {
      const { status, text } = await patch(path, {
        attributes: { name: 'new.png' },
        entity_type: 'USER_AVATAR',
      });
      expect({ status, text }).toEqual({ status: 204, text: '' });
    }
    expect((await patch(`${ASSETS}${assetId}/`, {})).status).toBe(204);
  });

  it('take the key as X-API-Key or as Bearer', async () => {
    expect((await patch(`${ASSETS}${assetId}/`, {}, { authorization: `Bearer ${key}` })).status).toBe(204);
  });

  it('are 404 when unknown, and when somebody else’s', async () => {
    const other = await newKey();
    for (const answer of [
      await patch(`${ASSETS}unknown/`, {}),
      await patch(`${ASSETS}${assetId}/`, {}, { 'x-api-key': other }),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: { error: 'There is no such asset' } });
    }
  });

  it('need a valid key with the scope', async () => {
    const noScope = (await keys('create', '--name', 'reader')).trim();
    const none = await patch(`${ASSETS}${assetId}/`, {}, {});
    expect(none).toMatchObject({ status: 401, json: { error: expect.stringContaining('needs an API key') } });
    // API Gateway gives this header of a proxy integration another name.
    expect(none.headers['x-amzn-remapped-www-authenticate']).toMatch(/^Bearer/);
    expect((await patch(`${ASSETS}${assetId}/`, {}, { 'x-api-key': `${key}x` })).status).toBe(401);
    const scope = await patch(`${ASSETS}${assetId}/`, {}, { 'x-api-key': noScope });
    expect(scope).toMatchObject({ status: 403, json: { error: 'The API key lacks the scope assets:write' } });
  });

  it.each([
    [{ attributes: 'x' }, 'attributes must be a JSON object, not a string'],
    [{ attributes: { size: -1 } }, 'attributes.size must be a whole number of bytes, 0 or more'],
    [{ entity_type: 'x' }, 'entity_type must be an upper-case identifier such as USER_AVATAR'],
  ])('refuse %j', async (body, error) => {
    expect(await patch(`${ASSETS}${assetId}/`, body)).toMatchObject({ status: 400, json: { error } });
  });
});

describe('npm run keys', () => {
  it('prints the key alone, lists it without its secret, and revokes it', async () => {
    const printed = await keys('create', '--name', 'listed', '--scopes', 'a:b,c:d', '--limit', '7');
    expect(printed).toMatch(/^ptp_[0-9A-Za-z]{12}_[0-9a-f]{48}_[0-9a-f]{8}\n$/);
    const [, id = '', secret = ''] = printed.trim().split('_');
    const list = async () => (await keys('list')).split('\n').find((line) => line.startsWith(id));
    expect(await list()).toMatch(/\tlisted\ta:b,c:d\t7\t.*\tvalid$/);
    expect(await keys('list')).not.toContain(secret);
    await keys('revoke', id);
    expect(await list()).toMatch(/\trevoked /);
    const refused = await newCaller().post(
      '/api/v1/generate',
      { prompt: 'x' },
      { authorization: `Bearer ${printed.trim()}` },
    );
    expect(refused.status).toBe(401);
  });

  it.each([
    [['create'], 'create needs --name'],
    [['create', '--name', 'x', '--limit', 'many'], '--limit is a number'],
    [['revoke', 'nobody'], 'There is no key nobody'],
    [['frobnicate'], 'There is no command frobnicate'],
    [['create', '--nmae', 'x'], '--nmae'],
  ])('says what is wrong with %j', async (args, message) => {
    await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
