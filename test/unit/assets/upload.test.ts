import { ASSETS, DECLARED, PNG, startWorld, upload, type World } from './world.ts';

const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  // The local S3 logs actions that a role lacks.
  jest.spyOn(console, 'log').mockImplementation(() => {});
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => world.turn(0));

describe('an upload', () => {
  it('succeeds with the returned headers and is tagged', async () => {
    const created = await world.uploaded();
    expect(created.upload_headers).toEqual({
      'Content-Type': 'image/png',
      'If-None-Match': '*',
      'x-amz-tagging': 'state=pending',
    });
    expect(await world.tagsOf(created.asset_id)).toEqual([{ Key: 'state', Value: 'pending' }]);
    expect(created.expires_at - Date.now()).toBeLessThanOrEqual(15 * MINUTE);
    expect(created.expires_at - Date.now()).toBeGreaterThan(14 * MINUTE);
  });

  it.each([
    ['another type', PNG, { 'Content-Type': 'text/html' }],
    ['an additional byte', Buffer.concat([PNG, PNG.subarray(0, 1)]), {}],
    ['a missing byte', PNG.subarray(1), {}],
    ['another tag', PNG, { 'x-amz-tagging': 'state=uploaded' }],
    ['permission to overwrite', PNG, { 'If-None-Match': '"x"' }],
  ])('is rejected with %s', async (_, body, headers) => {
    const created = await world.create(DECLARED);
    expect(await upload(created, body, headers)).toBe(403);
    expect(await world.objectsOf(created.asset_id)).toBe(0);
  });

  it.each(['If-None-Match', 'x-amz-tagging'])('is rejected without %s', async (name) => {
    const { upload_headers, ...created } = await world.create(DECLARED);
    const { [name]: _, ...others } = upload_headers;
    expect(await upload({ ...created, upload_headers: others })).toBe(403);
  });

  it('succeeds once, even after the asset is marked as uploaded', async () => {
    const created = await world.uploaded();
    expect(await upload(created)).toBe(412);
    expect(await world.patch(created.asset_id)).toMatchObject({ status: 204 });
    expect(await upload(created)).toBe(412);
    expect(await world.tagsOf(created.asset_id)).toEqual([]);
  });

  it('may have any type if none was declared', async () => {
    const created = await world.create({ name: 'me', size: 3 });
    expect(Object.keys(created.upload_headers)).toEqual(['If-None-Match', 'x-amz-tagging']);
    expect(await upload(created, 'abc', { 'Content-Type': 'audio/mpeg' })).toBe(200);
  });

  it.each([{}, { attributes: {} }, { attributes: { name: 'me', type: 'image/png' } }])(
    'needs its size declared: %j',
    async (body) =>
      expect(await world.send('POST', ASSETS, body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/^attributes\.size is required: the number of bytes/) },
      }),
  );

  it('is rejected after 15 minutes', async () => {
    world.turn(-15 * MINUTE - 5_000);
    expect(await upload(await world.create(DECLARED))).toBe(403);
  });

  it.each([
    [{ type: 'text/html', size: 3 }, 400],
    [{ size: 26_214_401 }, 413],
  ])('is rejected at creation for %j', async (attributes, status) => {
    expect(await world.send('POST', ASSETS, { attributes })).toMatchObject({ status });
  });
});
