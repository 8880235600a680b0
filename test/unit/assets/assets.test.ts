import { ASSETS, DECLARED, PNG, startWorld, upload, type World } from './world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
beforeAll(async () => {
  // The local S3 logs actions that a role lacks.
  jest.spyOn(console, 'log').mockImplementation(() => {});
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => world.turn(0));

describe('an asset', () => {
  it('has no download URL while pending', async () => {
    const { asset_id } = await world.uploaded();
    expect((await world.show(asset_id)).body).toEqual({
      asset_id,
      state: 'pending',
      attributes: DECLARED,
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
  });

  it.each([
    ['image/png', PNG.toString('latin1'), 'inline'],
    ['image/svg+xml', '<svg onload="alert(1)"/>', 'attachment'],
    ['audio/x-trick+xml', 'abc', 'attachment'],
  ])('of type %s is downloaded with its type, name and disposition', async (type, content, disposition) => {
    const body = Buffer.from(content, 'latin1');
    const { asset_id } = await world.uploaded({ type, name: 'mein bild' }, body);
    await world.patch(asset_id);
    const { download_url = '', expires_at = 0 } = (await world.show(asset_id)).body;
    const got = await fetch(download_url);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(body);
    expect({
      type: got.headers.get('content-type'),
      disposition: got.headers.get('content-disposition'),
    }).toEqual({ type, disposition: `${disposition}; filename*=UTF-8''mein%20bild` });
    expect(Math.abs(expires_at - Date.now() - 15 * MINUTE)).toBeLessThan(5_000);
    expect((await fetch(download_url.replace('filename', 'name'))).status).toBe(403);
  });

  it('is downloaded with its detected type', async () => {
    const { asset_id } = await world.uploaded({}, Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/png');
    await world.patch(asset_id);
    const { attributes, download_url = '' } = (await world.show(asset_id)).body;
    expect(attributes).toEqual({ type: 'image/jpeg', size: 4 });
    expect((await fetch(download_url)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('does not exist for other callers, nor for invalid ids', async () => {
    const { asset_id } = await world.uploaded();
    for (const state of ['pending', 'uploaded']) {
      for (const send of [world.show, world.remove])
        expect(await send(asset_id, 'token:other')).toMatchObject({ status: 404 });
      expect(await world.patch(asset_id, {}, 'address:192.0.2.1')).toMatchObject({ status: 404 });
      expect((await world.show(asset_id)).body.state).toBe(state);
      await world.patch(asset_id);
    }
    for (const id of ['unknown', 'x'.repeat(5_000), '%2e%2e', `${asset_id}x`])
      expect(await world.patch(id)).toMatchObject({ status: 404, body: { error: 'There is no such asset' } });
  });

  it.each([
    ['POST', ASSETS],
    ['PATCH', `${ASSETS}${'x'.repeat(21)}/`],
    ['GET', `${ASSETS}${'x'.repeat(21)}/`],
    ['DELETE', `${ASSETS}${'x'.repeat(21)}/`],
  ])('requires the scope for %s', async (method, path) => {
    expect(await world.send(method, path, {}, 'key:me', ['assets:read'])).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('assets:write') },
    });
  });

  it('has the same absolute Location with and without the trailing slash of the request', async () => {
    for (const path of [ASSETS, ASSETS.slice(0, -1)]) {
      const { headers } = await world.send('POST', path, { attributes: DECLARED });
      expect(headers.Location).toMatch(
        /^https:\/\/ptp\.example\.com\/api\/v1\/assets\/user-assets\/[\w-]{21}\/$/,
      );
    }
  });

  it('expires after a day while pending', async () => {
    const { asset_id } = await world.uploaded();
    world.turn(DAY - MINUTE);
    expect(await world.show(asset_id)).toMatchObject({ status: 200 });
    world.turn(DAY + 1);
    expect(await world.show(asset_id)).toMatchObject({ status: 404 });
    expect(await world.patch(asset_id)).toMatchObject({ status: 404 });
    expect(await world.recordOf(asset_id)).toBeDefined();
  });
});

describe('DELETE', () => {
  it('deletes object and record', async () => {
    const { asset_id } = await world.uploaded();
    await world.patch(asset_id);
    expect(await world.remove(asset_id)).toMatchObject({ status: 204 });
    expect(await world.recordOf(asset_id)).toBeUndefined();
    expect(await world.objectsOf(asset_id)).toBe(0);
    for (const send of [world.remove, world.patch, world.show])
      expect(await send(asset_id)).toMatchObject({ status: 404 });
  });

  it('does not require an upload', async () => {
    const { asset_id } = await world.create();
    expect(await world.remove(asset_id)).toMatchObject({ status: 204 });
  });

  it('leaves a later upload to the lifecycle rule', async () => {
    const created = await world.create(DECLARED);
    await world.remove(created.asset_id);
    expect(await upload(created)).toBe(200);
    expect(await world.tagsOf(created.asset_id)).toHaveLength(1);
    expect(await world.patch(created.asset_id)).toMatchObject({ status: 404 });
  });

  it('deletes everything during a concurrent PATCH', async () => {
    const { asset_id } = await world.uploaded();
    const { objects } = world.ports;
    const keep = jest.spyOn(objects, 'keep').mockImplementationOnce(async () => {
      const kept = await objects.keep(asset_id);
      await world.remove(asset_id);
      return kept;
    });
    expect(await world.patch(asset_id)).toMatchObject({ status: 404 });
    keep.mockRestore();
    expect(await world.recordOf(asset_id)).toBeUndefined();
    expect(await world.objectsOf(asset_id)).toBe(0);
  });

  it('makes a PATCH that has already read the object a conflict', async () => {
    const { asset_id } = await world.uploaded();
    const { objects } = world.ports;
    const find = jest.spyOn(objects, 'find').mockImplementationOnce(async () => {
      const found = await objects.find(asset_id);
      await world.remove(asset_id);
      return found;
    });
    expect(await world.patch(asset_id)).toMatchObject({ status: 409 });
    find.mockRestore();
  });

  it('races with PATCH and leaves nothing', async () => {
    for (let i = 0; i < 10; i++) {
      const { asset_id } = await world.uploaded();
      const [marked, removed] = await Promise.all([world.patch(asset_id), world.remove(asset_id)]);
      expect([204, 404, 409]).toContain(marked.status);
      expect(removed.status).toBe(204);
      expect([await world.recordOf(asset_id), await world.objectsOf(asset_id)]).toEqual([undefined, 0]);
    }
  });
});
