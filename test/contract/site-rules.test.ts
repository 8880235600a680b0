import { unzipSync } from 'fflate';
import { newCaller, type Sent } from '../support/cloud/client.ts';
import { deploySite, originOf } from '../support/cloud/sites.ts';
import { testRows } from '../support/rows.ts';

const NAVIGATION = { headers: { 'sec-fetch-mode': 'navigate' } };
const FILES: Readonly<Record<string, string>> = {
  'README.md': 'outside of the site',
  'dist/index.html': '<title>Home</title><meta property="og:image" content="/cover.png"><a href="/old">old</a>',
  'dist/app/index.html': 'the application',
  'dist/gone.html': 'closed',
  'dist/404.html': 'own 404',
  'dist/cover.png': 'png',
  'dist/assets/a.js': '1',
  'dist/page.html': 'a page',
  'dist/_redirects': `
# comment
/old          /page.html
/old-folder/* /assets/:splat             302
/elsewhere    https://example.com/x      307
/page         /app/                      301
/page.html    /app/                      308!
/store        id=:id  /items/:id         302
/store        /app/                      200
/app/*        /app/index.html            200
/sale         /gone                      404
/proxy        https://example.com/       200
/leak         /_headers                  200`,
  'dist/_headers': `
/*
  X-Frame-Options: DENY
  Set-Cookie: a=b
  X-Content-Type-Options: none
/assets/*
  Cache-Control: public, max-age=3600, s-maxage=86400
  X-Robots-Tag: noindex`,
};

describe('a site with _redirects and _headers', () => {
  let site: Awaited<ReturnType<typeof deploySite>>;
  beforeAll(async () => {
    site = await deploySite(FILES);
  });
  const visit = (path: string, sent: Sent = {}) => site.visit(`/${path}`, sent);

  testRows([
    ['old?a=1', 301, 'page.html?a=1'],
    ['old/', 301, 'page.html'],
    ['old-folder/x/y', 302, 'assets/x/y'],
    ['page.html', 308, 'app/'],
    ['store?id=7', 302, 'items/7'],
  ])('redirects, uncached', async (path, status, location) => {
    for (const _ of [1, 2]) {
      const { headers, status: answered } = await visit(path);
      expect([answered, headers.location]).toEqual([status, `/${location}`]);
      const caching = path.includes('?') ? 'no-store, stale-if-error=0' : 'no-store';
      expect(headers).toMatchObject({ 'cache-control': caching, 'x-content-type-options': 'nosniff' });
    }
  });

  testRows(['old-folder/%2e%2e%2f%2e%2e%2fother', 'old-folder/..%2f..%2f..%2fother'])(
    'does not redirect out of the site',
    async (path) => expect(await site.under(`/${path}`)).toMatchObject({ status: 404, text: 'own 404' }),
  );

  it('redirects to another origin but is no proxy for it', async () => {
    expect(await visit('elsewhere')).toMatchObject({
      status: 307,
      headers: { location: 'https://example.com/x' },
    });
    expect(await visit('proxy')).toMatchObject({ status: 404, text: 'own 404' });
  });

  testRows([
    ['app/deep/link', 200, 'the application'],
    ['sale', 404, 'closed'],
    ['page', 200, 'a page'],
    ['missing', 404, 'own 404'],
  ])('serves the files of its rules, or its 404 page', async (path, status, text) => {
    for (const sent of [{}, NAVIGATION]) expect(await visit(path, sent)).toMatchObject({ status, text });
  });

  it('never serves a page for one query to another', async () => {
    for (const _ of [1, 2]) {
      expect(await visit('store')).toMatchObject({ status: 200, text: 'the application' });
      expect((await visit('store?id=7')).status).toBe(302);
      expect(await visit('store?other=1')).toMatchObject({ status: 200, text: 'the application' });
    }
  });

  testRows(['_redirects', '_headers', '%5Fheaders', 'leak'])('hides the control files', async (path) => {
    expect(await visit(path, NAVIGATION)).toMatchObject({ status: 404, text: 'own 404' });
  });

  it('keeps the control files in the zip', async () => {
    const { bytes } = await newCaller().send(`/d/${site.id}.zip`);
    expect(Object.keys(unzipSync(bytes)).toSorted()).toEqual(Object.keys(FILES).toSorted());
  });

  it('sends the headers of the site that it may set', async () => {
    const { headers } = await visit('assets/a.js');
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(headers['cache-control']).toMatch(/^public, max-age=3600/);
    expect(headers['cache-control']).not.toContain('86400');
    expect(headers['set-cookie']).toBeUndefined();
    const unchanged = await visit('assets/a.js', { headers: { 'if-none-match': String(headers.etag) } });
    expect(unchanged).toMatchObject({ status: 304, headers: { 'x-robots-tag': 'noindex' } });
  });

  it('sends no lifetime for a missing file, and no headers with a redirect', async () => {
    const missing = await visit('assets/missing.js');
    expect(missing).toMatchObject({ status: 404, headers: { 'x-frame-options': 'DENY' } });
    expect(missing.headers['cache-control']).not.toContain('3600');
    expect((await visit('old')).headers['x-frame-options']).toBeUndefined();
  });
});

it('serves 200.html for the routes of an application, even with a 404.html', async () => {
  const files = ['index.html', '200.html', '404.html'].map((path) => ({ path, content: path }));
  const { json } = await newCaller().post('/api/v1/deploy', { files });
  const visit = (sent: Sent) => newCaller(originOf(json.id)).send('/deep/link', sent);
  expect(await visit(NAVIGATION)).toMatchObject({ status: 200, text: '200.html' });
  expect(await visit({})).toMatchObject({ status: 404, text: '404.html' });
});
