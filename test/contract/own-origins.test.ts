import { newCaller, type Sent } from '../support/cloud/client.ts';
import { deploySite, originOf } from '../support/cloud/sites.ts';
import { testRows } from '../support/rows.ts';

const VISIT = { 'sec-fetch-mode': 'navigate' };
const FILES = {
  'index.html': '<title>Own</title><link rel="stylesheet" href="/style.css"><script src="/app.js"></script>',
  'style.css': 'body { background: url(/bg.png) }',
  'app.js': '1',
  'docs/index.html': 'docs',
  'api/v1/deployments': 'a file of the site',
};

describe('with a siteDomain, every deployment has an origin of its own', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await deploySite(FILES));
  });
  const send = (label: string, path: string, sent: Sent = {}) => newCaller(originOf(label)).send(path, sent);

  testRows(['', '/', '?a=1&b=%20', '/docs/?q', '/a%20b/%C3%BC.txt?x=/', '//host/', '/..%2fetc'])(
    'its address under the base URL redirects there',
    async (rest) => {
      const answer = await newCaller().send(`/d/${id}${rest}`, { headers: VISIT });
      const location = `${originOf(id)}${rest.startsWith('/') ? '' : '/'}${rest}`;
      const caching = rest.includes('?') ? 'no-store, stale-if-error=0' : 'no-store';
      expect(answer).toMatchObject({
        status: 308,
        headers: { location, 'cache-control': caching },
        text: '',
      });
    },
  );

  it('serves programs under the base URL, too, where no browser runs it with the origin of the service', async () => {
    const site = await deploySite({
      ...FILES,
      _headers: '/docs/*\n  Content-Security-Policy: img-src *',
    });
    const under = (path: string, sent: Sent = {}) => newCaller().send(`/d/${site.id}${path}`, sent);
    const sandbox = 'sandbox allow-scripts allow-forms allow-modals allow-downloads';
    expect(await under('')).toMatchObject({ status: 308, headers: { location: `/d/${site.id}/` } });
    expect(await under('/app.js')).toMatchObject({ status: 200, text: '1' });
    const { headers } = await under('/', { headers: { accept: 'text/html' } });
    expect(headers).toMatchObject({ 'content-security-policy': sandbox, 'cache-control': 'no-store' });
    expect((await under('/docs/')).headers['content-security-policy']).toBe(`img-src *, ${sandbox}`);
  });

  testRows(Object.entries(FILES))(
    'files are served unchanged at their paths, with the host in any case',
    async (path, content) => {
      const { host } = new URL(originOf(id));
      for (const name of [host, host.toUpperCase()]) {
        const { status, text } = await send(id, `/${path}`, { headers: { host: name } });
        expect([status, text]).toEqual([200, content]);
      }
    },
  );

  it('serves nothing of the service there: every path belongs to the site', async () => {
    expect(await send(id, '/api/v1/deployments')).toMatchObject({ status: 200, text: 'a file of the site' });
    const own404 = { status: 404, headers: { 'cache-tag': `site-${id}` } };
    for (const path of [
      '/api/v1/generations/x',
      `/d/${id}/`,
      `/d/${id}.zip`,
      `/d/${id}.png`,
      `/own/${id}/`,
      '/docs/reference',
    ])
      expect(await send(id, path)).toMatchObject(own404);
    const post = await send(id, '/api/v1/deploy', {
      method: 'POST',
      body: { files: [{ path: 'a', content: '' }] },
    });
    expect(post.status).toBe(403);
    expect(post.headers['content-type']).toBe('text/html');
  });

  testRows(['abcdefghijkl', 'www', 'own', '-'])('other names of siteDomain are a 404', async (label) => {
    const answer = await send(label, '/');
    expect(answer).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } });
    expect(answer.text).toContain('No such deployment');
  });

  it('never serves one site from the host of another', async () => {
    const other = await deploySite({ 'secret.txt': 'of the other' });
    for (const path of [
      '/secret.txt',
      `/../${other.id}/secret.txt`,
      `/..%2f${other.id}/secret.txt`,
      `/%2e%2e/${other.id}/secret.txt`,
    ]) {
      const { status, text } = await send(id, path);
      expect([status, text]).toEqual([404, expect.not.stringContaining('of the other')]);
    }
  });
});
