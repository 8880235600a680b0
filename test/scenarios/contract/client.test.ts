import { randomBytes } from 'node:crypto';
import { Client } from '../../../client/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';
import { newKey } from '../../support/cloud/keys.ts';

it('the client deploys more than a function receives', async () => {
  const client = new Client({ baseUrl: cloud().baseUrl, key: await newKey() });
  const files = Array.from({ length: 7 }, (_, i) => ({ path: `${i}.bin`, content: randomBytes(1_000_000) }));
  const page = { path: 'index.html', content: '<title>Large</title>' };
  const deployed = await client.deploy({ files: [page, ...files] });
  expect(deployed).toMatchObject({ fileCount: 8, created: true, title: 'Large' });
  const { owner, version } = await client.deployments.get(deployed.id);
  expect([owner, version]).toEqual(['key', deployed.version]);
  const bytes = Buffer.from(await (await fetch(`${deployed.url}/6.bin`)).arrayBuffer());
  expect(bytes.equals(files[6]?.content ?? Buffer.of())).toBe(true);
});

it('the client may read every header that it uses in browsers', async () => {
  const { headers } = await fetch(`${cloud().baseUrl}/api/v1/usage`);
  const exposed = String(headers.get('access-control-expose-headers')).split(', ');
  expect(exposed).toEqual(
    expect.arrayContaining([
      'ETag',
      'Link',
      'Retry-After',
      'X-Deployment-Token',
      'X-Deployment-Warning',
      'X-Generation-Id',
      'X-Request-Id',
    ]),
  );
});
