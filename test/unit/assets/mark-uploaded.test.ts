import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Asset } from '../../../lambda/assets/asset.ts';
import { AssetObjects } from '../../../lambda/assets/asset-object-store.ts';
import { markUploaded } from '../../../lambda/assets/mark-uploaded.ts';
import { assetRules } from '../../../lambda/contract/assets.ts';
import { clientConfig, role } from '../../support/test-backend.ts';
import { DECLARED, OBJECT_ACTIONS, PNG, startWorld, upload, type World } from './world.ts';

/** An asset that is too large should not take the test long. */
const MAX_BYTES = 100_000;

let world: World;
beforeAll(async () => {
  // The local S3 logs actions that a role lacks.
  jest.spyOn(console, 'log').mockImplementation(() => {});
  world = await startWorld(OBJECT_ACTIONS, assetRules.parse({ maxBytes: MAX_BYTES }));
});
afterAll(() => world.close());

describe('marking as uploaded', () => {
  it('is a conflict before the upload', async () => {
    const { asset_id } = await world.create(DECLARED);
    expect(await world.patch(asset_id, { attributes: { name: 'new' } })).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/^Nothing was uploaded yet: PUT the bytes to the upload_url/) },
    });
    expect((await world.show(asset_id)).body).toMatchObject({ state: 'pending', attributes: DECLARED });
  });

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
  ])('is a conflict with another %s than the upload has, also when repeated', async (_, claim, error) => {
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
    const large = { ...world.keyOf(asset_id), Body: Buffer.alloc(MAX_BYTES + 1), ContentType: 'image/png' };
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

  it.each(['image/png, text/html', 'image/', 'image/x y<b>'])(
    'treats %j as an unknown type',
    async (type) => {
      const { asset_id } = await world.uploaded({}, 'xyzzy', type);
      expect(await world.patch(asset_id)).toMatchObject({
        status: 400,
        body: {
          error: expect.stringContaining('Assets of type application/octet-stream are not accepted'),
        },
      });
    },
  );

  it.each([
    ['type', {}, 'xyzzy', 'text/plain', 400],
    ['bytes', { type: 'image/png' }, '<!doctype html>', undefined, 409],
    ['size', {}, Buffer.alloc(MAX_BYTES + 1), 'image/png', 413],
  ])(
    'replaces an upload whose %s is not allowed by an empty object',
    async (_, declared, body, type, status) => {
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
    },
  );

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
    const ports = { ...world.ports, rules: { types: ['audio/*'], maxBytes: 1 } };
    expect(await markUploaded(ports, (await world.recordOf(asset_id)) as Asset, {})).toBe(true);
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
    const ports = { ...world.ports, objects: new AssetObjects(nowhere, 'bytes', Date.now) };
    const asset = await world.recordOf(asset_id);
    await expect(markUploaded(ports, asset as Asset, {})).rejects.toThrow('ECONNREFUSED');
    expect(await world.recordOf(asset_id)).toEqual(asset);
  });

  it('completes after a process that died in between', async () => {
    const { asset_id } = await world.uploaded();
    await world.ports.objects.keep(asset_id);
    expect(await world.patch(asset_id)).toMatchObject({ status: 204 });
  });
});
