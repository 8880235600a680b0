import { newCaller, type Sent } from '../../support/cloud/client.ts';
import { takeOriginFaults } from '../../support/origin-faults.ts';
import { cookieOf, EDGES, NAVIGATE, SITE_DOMAIN, visitorOf } from '../../support/private-pages.ts';
import { startSiteCloud } from '../../support/site-cloud.ts';

const HASHED = 'assets/index-BkC3x9aZ.js';
const FILES = {
  'index.html': 'the secret page',
  'docs/index.html': 'secret docs',
  [HASHED]: 'the secret script',
  _redirects: '/old /docs/ 302\n',
};
const PATHS = ['/', '/docs', '/docs/', `/${HASHED}`, '/old', '/missing'];

/** Requests of a stranger: CloudFront answers a HEAD or a range from the copy of a GET. */
const REQUESTS: readonly Sent[] = [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }, { headers: NAVIGATE }];

it('no edge shows a stranger anything of a private page while storage is away', async () => {
  const cloud = await startSiteCloud(SITE_DOMAIN);
  try {
    const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
    const base = newCaller(cloud.baseUrl);
    const { json } = await base.post('/api/v1/deploy', { files, access: 'link' });
    const visit = visitorOf(json.id, cloud.baseUrl);
    const entry = new URL(json.link.url);
    const secret = `${entry.pathname}${entry.search}`;
    const entered = await visit(secret);
    const at = (edge: string, { headers, ...sent }: Sent = {}): Sent => ({
      ...sent,
      headers: { 'x-local-edge': edge, ...headers },
    });
    for (const edge of EDGES) {
      for (const path of PATHS)
        for (const headers of [cookieOf(entered), { ...NAVIGATE, ...cookieOf(entered) }])
          expect((await visit(path, at(edge, { headers }))).status).toBeLessThan(405);
      for (const headers of [{}, NAVIGATE]) {
        expect((await visit(secret, at(edge, { headers }))).status).toBe(303);
        expect((await base.send(`/d/${json.id}/${entry.search}`, at(edge, { headers }))).status).toBe(308);
      }
    }
    await cloud.killBackend();
    for (const edge of EDGES) {
      for (const sent of REQUESTS) {
        const own = await Promise.all(PATHS.map((path) => visit(path, at(edge, sent))));
        const shared = await base.send(`/d/${json.id}/`, at(edge, sent));
        for (const { headers, text } of [...own, shared]) {
          expect([headers['set-cookie'], text]).toEqual([undefined, expect.not.stringContaining('secret')]);
          expect(String(headers.location)).not.toContain('ptp-');
        }
        for (const { status } of own) expect([403, 503]).toContain(status);
      }
    }
  } finally {
    takeOriginFaults();
    await cloud.close();
  }
});
