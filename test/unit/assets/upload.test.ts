import { jest } from '@jest/globals';
import { ASSETS, DECLARED, PNG, startWorld, upload, type World } from './world.ts';

const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  // The local S3 says what a role may not do.
  jest.spyOn(console, 'log').mockImplementation(() => {});
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => world.turn(0));

describe('an upload', () => {
  it('takes the bytes with the headers that it asks for, and tags them', async () => {
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
    ['a byte more', Buffer.concat([PNG, PNG.subarray(0, 1)]), {}],
    ['a byte less', PNG.subarray(1), {}],
    ['another tag', PNG, { 'x-amz-tagging': 'state=uploaded' }],
    ['leave to overwrite', PNG, { 'If-None-Match': '"x"' }],
  ])('refuses %s', async (_, body, headers) => {
    const created = await world.create(DECLARED);
    expect(await upload(created, body, headers)).toBe(403);
    expect(await world.objectsOf(created.asset_id)).toBe(0);
  });

  it.each(['If-None-Match', 'x-amz-tagging'])('refuses to go without %s', async (name) => {
    const { upload_headers, ...created } = await world.create(DECLARED);
    const { [name]: _, ...others } = upload_headers;
    expect(await upload({ ...created, upload_headers: others })).toBe(403);
  });

  it('happens once, also after the asset is marked as uploaded', async () => {
    const created = await world.uploaded();
    expect(await upload(created)).toBe(412);
    expect(await world.patch(created.asset_id)).toMatchObject({ status: 204 });
    expect(await upload(created)).toBe(412);
    expect(await world.tagsOf(created.asset_id)).toEqual([]);
  });

  it('of unknown type and size is free to have any', async () => {
    const created = await world.create({ name: 'me' });
    expect(Object.keys(created.upload_headers)).toEqual(['If-None-Match', 'x-amz-tagging']);
    expect(await upload(created, 'abc', { 'Content-Type': 'audio/mpeg' })).toBe(200);
  });

  it('is over after 15 minutes', async () => {
    world.turn(-15 * MINUTE - 5_000);
    expect(await upload(await world.create(DECLARED))).toBe(403);
  });

  it.each([
    [{ type: 'text/html' }, 400],
    [{ size: 26_214_401 }, 413],
  ])('of %j is refused before it begins', async (attributes, status) => {
    expect(await world.send('POST', ASSETS, { attributes })).toMatchObject({ status });
  });
});
