import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { newCaller } from '../../support/cloud/client.ts';
import { cloud } from '../../support/cloud/cloud.ts';

const FIELDS = ['createdAt', 'entry', 'fileCount', 'id', 'title', 'url'];
const page = (title: string) => ({
  files: [
    { path: 'index.html', content: `<!doctype html><title>${title}</title><script src="app.js"></script>` },
    { path: 'app.js', content: `document.title = ${JSON.stringify(title)}` },
    { path: 'css/style.css', content: 'body { color: red }' },
  ],
});
const pathOf = (url: string) => new URL(url).pathname;

describe('POST /api/v1/deploy', () => {
  it('returns exactly the fields of the contract and serves the page', async () => {
    const caller = newCaller();
    const before = Date.now();
    const { status, headers, json } = await caller.post('/api/v1/deploy', page('Hello'));
    expect(status).toBe(201);
    expect(Object.keys(json).toSorted()).toEqual(FIELDS);
    expect(json).toMatchObject({ entry: 'index.html', fileCount: 3, title: 'Hello' });
    expect(json.url).toBe(`${cloud().baseUrl}/d/${json.id}`);
    expect(headers.location).toBe(json.url);
    expect(json.createdAt).toBeGreaterThanOrEqual(before);
    expect(json.createdAt).toBeLessThanOrEqual(Date.now());

    const redirect = await caller.send(`${pathOf(json.url)}?a=1&b=%20`);
    expect(redirect).toMatchObject({ status: 308, headers: { location: `/d/${json.id}/?a=1&b=%20` } });
    const html = await caller.send(`${pathOf(json.url)}/`);
    expect(html).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(html.text).toContain('<title>Hello</title>');
    const [script, style] = await Promise.all(
      ['app.js', 'css/style.css'].map((file) => caller.send(`/d/${json.id}/${file}`)),
    );
    expect(script).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript; charset=utf-8' },
    });
    expect(style).toMatchObject({ status: 200, headers: { 'content-type': 'text/css; charset=utf-8' } });
  });

  it('deploys the files of a generation unchanged', async () => {
    const caller = newCaller();
    const project = await caller.post('/api/v1/generate', { prompt: 'a to-do list with milk and bread' });
    const { status, json } = await caller.post('/api/v1/deploy', project.text, {
      'content-type': 'application/json',
    });
    expect(status).toBe(201);
    for (const { path, content } of project.json.files) {
      expect((await caller.send(`/d/${json.id}/${path}`)).text).toBe(content);
    }
  });

  it('keeps the URL of a project and serves a redeploy at once', async () => {
    const caller = newCaller();
    const projectId = `shop-${Math.random()}`;
    const first = await caller.post('/api/v1/deploy', { ...page('First'), projectId });
    expect(first.status).toBe(201);
    // Twice, so that the edge caches it.
    for (const _ of [1, 2]) expect((await caller.send(`/d/${first.json.id}/`)).text).toContain('First');
    const second = await caller.post('/api/v1/deploy', { ...page('Second'), projectId });
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject({
      id: first.json.id,
      url: first.json.url,
      title: 'Second',
      createdAt: first.json.createdAt,
    });
    expect((await caller.send(`/d/${first.json.id}/`)).text).toContain('Second');
    expect(first.json.id).not.toContain('shop');
  });

  it('returns the same URL to two concurrent first deploys of a project', async () => {
    const projectId = `race-${Math.random()}`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        newCaller().post('/api/v1/deploy', { ...page(`Racer ${i}`), projectId }),
      ),
    );
    expect(new Set(answers.map(({ json }) => json.url)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const { text } = await newCaller().send(`/d/${answers[0]?.json.id}/`);
    expect(text).toMatch(/<title>Racer \d<\/title>/);
  });

  it('has no entry and no title without an HTML file, and serves a list of files', async () => {
    const caller = newCaller();
    const { json } = await caller.post('/api/v1/deploy', {
      files: [{ path: 'main.py', content: 'print(1)' }],
    });
    expect(json).toMatchObject({ entry: '', title: null, fileCount: 1 });
    const listing = await caller.send(`/d/${json.id}/`);
    expect(listing.text).toContain('<a href="main.py">main.py</a>');
  });

  it('accepts a gzip body', async () => {
    const body = gzipSync(JSON.stringify(page('Packed')));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { status, json } = await newCaller().post('/api/v1/deploy', body, headers);
    expect(status).toBe(201);
    expect(json.title).toBe('Packed');
  });

  it('accepts 200 files and 10 MB', async () => {
    const files = Array.from({ length: 200 }, (_, i) => ({
      path: `f/${i}.txt`,
      content: String(i % 10).repeat(52_428),
    }));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const caller = newCaller();
    const { status, json } = await caller.post(
      '/api/v1/deploy',
      gzipSync(JSON.stringify({ files })),
      headers,
    );
    expect(status).toBe(201);
    expect(json.fileCount).toBe(200);
    expect((await caller.send(`/d/${json.id}/f/199.txt`)).text).toBe(files[199]?.content);
  });
});

describe('a deployed page', () => {
  const caller = newCaller();
  let id: string;
  beforeAll(async () => {
    const files = [
      ...page('Site').files,
      { path: 'docs/index.html', content: 'docs' },
      { path: 'about.html', content: 'about' },
    ];
    id = (await caller.post('/api/v1/deploy', { files })).json.id;
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    caller.send(`/d/${id}/${path}`, { method, headers });

  it('is revalidated with its ETag', async () => {
    const first = await get('');
    expect(first.headers['cache-control']).toBe('public, max-age=0, s-maxage=0, stale-if-error=604800');
    const again = await get('', { 'if-none-match': first.headers.etag as string });
    expect(again).toMatchObject({ status: 304, text: '', headers: { etag: first.headers.etag } });
    expect((await get('', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is kept at the edge, which revalidates it', async () => {
    await get('css/style.css');
    expect((await get('css/style.css')).headers['x-cache']).toBe('RefreshHit from cloudfront');
  });

  it('responds to HEAD without a body', async () => {
    const head = await get('', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers['content-length'])).toBe((await get('')).bytes.length);
  });

  it('resolves folders and pages, and serves the entry for navigations only', async () => {
    expect(await get('docs?q=1')).toMatchObject({ status: 308, headers: { location: `/d/${id}/docs/?q=1` } });
    expect((await get('docs/')).text).toBe('docs');
    expect((await get('about')).text).toBe('about');
    expect((await get('deep/link', { accept: 'text/html' })).text).toContain('<title>Site</title>');
    expect((await get('deep/link.js', { accept: '*/*' })).status).toBe(404);
    expect((await get('deep/link', { 'sec-fetch-mode': 'cors', accept: 'text/html' })).status).toBe(404);
  });

  it('forbids content sniffing and sets no cookie', async () => {
    const { headers } = await get('');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['set-cookie']).toBeUndefined();
  });

  it.each(['/d/abcdefghijkl/', '/d/abcdefghijkl', '/d/..%2f..%2fetc/', '/d/%ff/', '/d/UPPER/'])(
    '%s returns a 404 page',
    async (path) => {
      const answer = await caller.send(path);
      expect(answer).toMatchObject({
        status: 404,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      });
      expect(answer.text).toContain('Nothing is deployed under this address');
    },
  );

  it('serves byte ranges from the origin and from the edge', async () => {
    const range = { range: 'bytes=7-11' };
    const whole = await get('app.js');
    for (const from of ['edge', 'origin']) {
      const part = await (from === 'edge'
        ? get('app.js', range)
        : get('docs/index.html', { range: 'bytes=1-2' }));
      expect(part.status).toBe(206);
      expect(part.text).toBe(from === 'edge' ? whole.text.slice(7, 12) : 'oc');
    }
    expect(await get('app.js', { range: 'bytes=9999-' })).toMatchObject({ status: 416, text: '' });
  });

  it('can be downloaded as a zip of the deployed files', async () => {
    const zip = await caller.send(`/d/${id}.zip`);
    expect(zip).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${id}.zip"`,
        'strict-transport-security': 'max-age=31536000',
      },
    });
    const files = unzipSync(zip.bytes);
    expect(Object.keys(files).toSorted()).toEqual(
      ['about.html', 'app.js', 'css/style.css', 'docs/index.html', 'index.html'].toSorted(),
    );
    expect(Buffer.from(files['docs/index.html'] ?? []).toString()).toBe('docs');
    const head = await caller.send(`/d/${id}.zip`, { method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([200, 'application/zip']);
    expect((await caller.send('/d/abcdefghijkl.zip')).status).toBe(404);
  });

  it('downloads the whole zip also for a conditional request, and keeps no copy', async () => {
    const { headers, bytes } = await caller.send(`/d/${id}.zip`);
    const again = await caller.send(`/d/${id}.zip`, { headers: { 'if-none-match': headers.etag as string } });
    expect(again).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store, stale-if-error=0', 'x-cache': 'Miss from cloudfront' },
    });
    expect(again.bytes.equals(bytes)).toBe(true);
  });

  it('rejects other methods', async () => {
    expect((await get('', {}, 'POST')).status).toBe(403);
  });
});
