import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { acceptUpload } from '../../../lambda/assets/accept-upload.ts';
import { AssetObjects } from '../../../lambda/assets/asset-objects.ts';
import type { Asset } from '../../../lambda/assets/asset-store.ts';
import { assetRules } from '../../../lambda/contract/assets.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { countIndexWrites } from '../../support/index-writes.ts';
import { clientConfig, role } from '../../support/test-backend.ts';
import { DECLARED, OBJECT_ACTIONS, PNG, startWorld, upload } from './world.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** An asset that is too large should not take the test long. */
const rules = assetRules.parse({ maxBytes: 100_000 });

// The local S3 logs actions that a role lacks.
jest.spyOn(console, 'log').mockImplementation(() => {});
const world = closeAtEnd(await startWorld(OBJECT_ACTIONS, rules));
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

  it('is rejected after 15 minutes', async () => {
    world.turn(-15 * MINUTE - 5_000);
    expect(await upload(await world.create(DECLARED))).toBe(403);
  });
});

describe('marking as uploaded', () => {
  it('sets the type and size of the upload and keeps record and object', async () => {
    const { asset_id } = await world.uploaded({}, 'abc', 'Audio/MPEG; x=y');
    const before = await world.recordOf(asset_id);
    expect(before?.expiresAt).toBe(Math.floor(before?.createdAt / 1000) + 86_400);
    expect(await world.patch(asset_id, { entity_type: 'USER_AVATAR' })).toMatchObject({ status: 204 });
    const { expiresAt: _, ...kept } = before ?? {};
    expect(await world.recordOf(asset_id)).toEqual({
      ...kept,
      state: 'uploaded',
      attributes: { type: 'audio/mpeg', size: 3 },
      entity_type: 'USER_AVATAR',
      updatedAt: expect.any(Number),
    });
    expect(await world.tagsOf(asset_id)).toEqual([]);
  });

  it('changes only the sent attributes when repeated', async () => {
    const { asset_id } = await world.uploaded();
    await world.patch(asset_id, { attributes: { name: 'one' }, entity_type: 'USER_AVATAR' });
    expect(await world.patch(asset_id, {})).toMatchObject({ status: 204 });
    expect(await world.patch(asset_id, { attributes: { name: 'two', size: PNG.length } })).toMatchObject({
      status: 204,
    });
    expect((await world.show(asset_id)).body).toMatchObject({
      state: 'uploaded',
      attributes: { ...DECLARED, name: 'two' },
      entity_type: 'USER_AVATAR',
    });
  });

  it.each([
    ['size', { size: 5 }, /^attributes\.size is 5, but 17 was uploaded\. Omit it/],
    ['type', { type: 'image/gif' }, /^attributes\.type is image\/gif, but image\/png was uploaded\./],
    [
      'type and size',
      { type: 'image/gif', size: 5 },
      /^attributes\.type is image\/gif, but image\/png was uploaded; attributes\.size is 5, but 17 was/,
    ],
  ])('is a conflict with another %s than the upload has, even when repeated', async (_, claim, error) => {
    const { asset_id } = await world.uploaded({ name: 'mine' }, PNG, 'image/png');
    const attributes = { ...claim, name: 'other' };
    const refused = { status: 409, body: { error: expect.stringMatching(error) } };
    expect(await world.patch(asset_id, { attributes })).toMatchObject(refused);
    expect((await world.show(asset_id)).body).toMatchObject({
      state: 'pending',
      attributes: { name: 'mine' },
    });
    expect(await world.tagsOf(asset_id)).toHaveLength(1);
    await world.patch(asset_id);
    expect(await world.patch(asset_id, { attributes })).toMatchObject(refused);
    expect((await world.show(asset_id)).body.attributes).toEqual({ ...DECLARED, name: 'mine' });
  });

  it('detects the type from the bytes', async () => {
    const html = '<!doctype html><script>alert(1)</script>';
    const { asset_id } = await world.uploaded({ type: 'image/png' }, html);
    expect(await world.patch(asset_id)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('attributes.type is image/png, but text/html was uploaded') },
    });
    const undeclared = await world.uploaded({}, html, 'image/png');
    expect(await world.patch(undeclared.asset_id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Assets of type text/html are not accepted') },
    });
  });

  it('rejects an undeclared upload that the rules do not allow', async () => {
    const { asset_id } = await world.create();
    const large = {
      ...world.keyOf(asset_id),
      Body: Buffer.alloc(rules.maxBytes + 1),
      ContentType: 'image/png',
    };
    await world.operator.send(new PutObjectCommand(large));
    expect(await world.patch(asset_id)).toMatchObject({ status: 413 });
    const empty = await world.uploaded({}, '', 'image/png');
    expect(await world.patch(empty.asset_id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('empty') },
    });
    const unnamed = await world.uploaded({}, Buffer.from('abc'));
    expect(await world.patch(unnamed.asset_id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('binary/octet-stream') },
    });
  });

  it.each([
    ['type', {}, 'xyzzy', 'text/plain', 400],
    ['bytes', { type: 'image/png' }, '<!doctype html>', undefined, 409],
    ['size', {}, Buffer.alloc(rules.maxBytes + 1), 'image/png', 413],
  ])('replaces an upload whose %s is not allowed by an empty object', async (_, declared, body, type, status) => {
    const created = await world.uploaded(declared, body, type);
    const record = await world.recordOf(created.asset_id);
    expect(await world.patch(created.asset_id)).toMatchObject({ status });
    expect(await world.sizeOf(created.asset_id)).toBe(0);
    expect(await world.tagsOf(created.asset_id)).toHaveLength(1);
    expect(await world.recordOf(created.asset_id)).toEqual(record);
    expect(await upload(created, body, type === undefined ? {} : { 'Content-Type': type })).toBe(412);
    expect(await world.patch(created.asset_id)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('it was rejected before') },
    });
  });

  it('keeps an upload that only differs from its description', async () => {
    const { asset_id } = await world.uploaded({ type: 'image/gif' });
    expect(await world.patch(asset_id)).toMatchObject({ status: 409 });
    expect(await world.patch(asset_id, { attributes: { type: 'image/png' } })).toMatchObject({ status: 204 });
    expect(await world.sizeOf(asset_id)).toBe(PNG.length);
  });

  it('rejects concurrent requests for a disallowed upload', async () => {
    const { asset_id } = await world.uploaded({}, 'xyzzy', 'text/plain');
    const responses = await Promise.all(Array.from({ length: 5 }, () => world.patch(asset_id)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
    expect(await world.sizeOf(asset_id)).toBe(0);
  });

  it('does not apply changed rules to an accepted asset', async () => {
    const { asset_id } = await world.uploaded();
    await world.patch(asset_id);
    const asset = (await world.recordOf(asset_id)) as Asset;
    const changed = { types: ['audio/*'], maxBytes: 1 };
    expect(await acceptUpload(asset, {}, changed, world.objects)).toEqual({ attributes: DECLARED });
    expect(await world.sizeOf(asset_id)).toBe(PNG.length);
  });

  it('succeeds for concurrent requests', async () => {
    const { asset_id } = await world.uploaded();
    const bodies = [{ attributes: { name: 'one' } }, { entity_type: 'USER_AVATAR' }, {}, {}, {}];
    const responses = await Promise.all(bodies.map((body) => world.patch(asset_id, body)));
    expect(responses.map(({ status }) => status)).toEqual(bodies.map(() => 204));
    expect((await world.show(asset_id)).body).toMatchObject({
      state: 'uploaded',
      attributes: { ...DECLARED, name: 'one' },
      entity_type: 'USER_AVATAR',
    });
  });

  it('changes nothing while S3 is unreachable', async () => {
    const { asset_id } = await world.uploaded();
    const nowhere = new S3Client(clientConfig('http://127.0.0.1:1', role('Api')));
    const asset = (await world.recordOf(asset_id)) as Asset;
    const unreachable = new AssetObjects(nowhere, 'bytes', Date.now);
    await expect(acceptUpload(asset, {}, rules, unreachable)).rejects.toThrow('ECONNREFUSED');
    expect(await world.recordOf(asset_id)).toEqual(asset);
  });

  it('completes after a process that died in between', async () => {
    const { asset_id } = await world.uploaded();
    await world.objects.keep(asset_id);
    expect(await world.patch(asset_id)).toMatchObject({ status: 204 });
  });
});

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
    const before = Date.now();
    const { download_url = '', expires_at = 0 } = (await world.show(asset_id)).body;
    expect(expires_at).toBeGreaterThan(before + 15 * MINUTE - 1_000);
    expect(expires_at).toBeLessThan(Date.now() + 15 * MINUTE + 1_000);
    const got = await fetch(download_url);
    expect(Buffer.from(await got.arrayBuffer())).toEqual(body);
    expect({
      type: got.headers.get('content-type'),
      disposition: got.headers.get('content-disposition'),
    }).toEqual({ type, disposition: `${disposition}; filename*=UTF-8''mein%20bild` });
    expect((await fetch(download_url.replace('filename', 'name'))).status).toBe(403);
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

  it('leaves a later upload to the lifecycle rule', async () => {
    const created = await world.create(DECLARED);
    expect(await world.remove(created.asset_id)).toMatchObject({ status: 204 });
    expect(await upload(created)).toBe(200);
    expect(await world.tagsOf(created.asset_id)).toHaveLength(1);
    expect(await world.patch(created.asset_id)).toMatchObject({ status: 404 });
  });

  it('deletes everything during a concurrent PATCH', async () => {
    const { asset_id } = await world.uploaded();
    const { objects } = world;
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
    const { objects } = world;
    const find = jest.spyOn(objects, 'find').mockImplementationOnce(async () => {
      const found = await objects.find(asset_id);
      await world.remove(asset_id);
      return found;
    });
    expect(await world.patch(asset_id)).toMatchObject({ status: 409 });
    find.mockRestore();
  });
});

const fresh = closeAtEnd(await startWorld());

describe('the list of assets', () => {
  const PAGE = { limit: 20, after: undefined };
  const listed = async (owner: string) =>
    (await fresh.assets.list({ ...PAGE, owner })).items.map(({ asset_id }) => asset_id);
  const until = async (owner: string, ...ids: string[]) => {
    while ((await listed(owner)).join() !== ids.join());
  };

  it('writes to the index when assets are created and deleted, and not when they are marked as uploaded', async () => {
    const indexWrites = countIndexWrites(fresh.db, 'assets', { id: 'asset_id', owner: 'owner' });
    const { asset_id } = await fresh.uploaded();
    expect(indexWrites()).toBe(1);
    expect((await fresh.patch(asset_id, { attributes: { size: PNG.length } })).status).toBe(204);
    expect(indexWrites()).toBe(0);
    await until('key:me', asset_id);
    expect((await fresh.remove(asset_id)).status).toBe(204);
    expect(indexWrites()).toBe(1);
    await until('key:me');
  });

  it('omits assets that have expired, even if DynamoDB has not deleted them yet', async () => {
    const kept = await fresh.uploaded();
    await fresh.patch(kept.asset_id);
    const { asset_id } = await fresh.create();
    await until('key:me', asset_id, kept.asset_id);
    fresh.turn(DAY + 1_000);
    expect(await listed('key:me')).toEqual([kept.asset_id]);
    fresh.turn(0);
  });
});
