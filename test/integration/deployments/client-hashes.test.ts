import { randomBytes, randomUUID } from 'node:crypto';
import { Client, hashes } from '../../../client/client.ts';
import { startProxy } from '../../support/cloud/breaking-proxy.ts';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';

it('sends only what the live version does not have', async () => {
  const proxy = await startProxy(cloud().baseUrl, newCaller().address);
  try {
    const sent: number[] = [];
    const count: typeof fetch = (input, init) => {
      if (init?.body instanceof Uint8Array) sent.push(init.body.length);
      return fetch(input, init);
    };
    const client = () => new Client({ baseUrl: proxy.url, fetch: count });
    const projectId = randomUUID();
    const files = Array.from({ length: 50 }, (_, i) => ({ path: `${i}.bin`, content: randomBytes(100_000) }));
    const first = client();
    const { id, token } = await first.deploy({ projectId, files });
    const changed = files.with(7, { path: '7.bin', content: randomBytes(100_000) });
    const { version, url } = await first.deploy({ projectId, files: changed }, { token });
    expect(sent[1]).toBeLessThan(110_000);
    for (const { path, content } of changed.slice(6, 9)) {
      const served = Buffer.from(await (await fetch(`${url}/${path}`)).arrayBuffer());
      expect(served.equals(content)).toBe(true);
    }
    // Another client believes in files that are not there any more: the service asks for them.
    await client().deploy({ projectId, files: [{ path: 'index.html', content: 'New' }] }, { token });
    const known = await hashes(changed);
    const again = await client().deploy({ projectId, files: changed }, { token, known, ifMatch: '*' });
    expect(again).toMatchObject({ id, fileCount: 50 });
    expect(again.version).not.toBe(version);
    expect(sent.slice(3).map((length) => length > 4_000_000)).toEqual([false, true]);
  } finally {
    proxy.close();
  }
});
