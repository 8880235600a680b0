import { Client } from '../../../client/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';

it('lists what a key made, page by page, newest first', async () => {
  const client = new Client({ baseUrl: cloud().baseUrl, key: await newKey() });
  const files = [{ path: 'index.html', content: '<title>Listed</title>' }];
  const made: string[] = [];
  for (let i = 0; i < 3; i++) made.unshift((await client.deploy({ files })).id);
  const { id: generated } = await client.generate({ prompt: 'a page', model: 'provider-a' });
  const asset = await client.assets.upload(new Blob(['<svg/>'], { type: 'image/svg+xml' }));
  const listed = async () => {
    const ids: string[] = [];
    for await (const { id } of client.deployments.all({ limit: 2 })) ids.push(id);
    return ids;
  };
  // The index follows the table with a delay.
  while ((await listed()).length < made.length);
  expect(await listed()).toEqual(made);
  const page = await client.deployments.list({ limit: 1 });
  expect(page.items).toMatchObject([{ id: made[0], title: 'Listed', status: 'live' }]);
  expect((await client.deployments.list({ limit: 1, cursor: String(page.nextCursor) })).items[0]?.id).toBe(
    made[1],
  );
  while ((await client.generations.list()).items.length === 0);
  expect((await client.generations.list()).items).toMatchObject([{ id: generated, status: 'succeeded' }]);
  while ((await client.assets.list()).items.length === 0);
  expect((await client.assets.list()).items).toMatchObject([{ asset_id: asset.asset_id, state: 'uploaded' }]);
});

it('needs a key', async () => {
  const list = new Client({ baseUrl: cloud().baseUrl }).deployments.list();
  await expect(list).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
});
