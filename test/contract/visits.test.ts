import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { newCaller } from '../support/cloud/client.ts';
import { deploySite, originOf } from '../support/cloud/sites.ts';
import { testRows } from '../support/rows.ts';
import { check, expectHeader, expectStatus, SkippedError } from '../support/stage/checks.ts';
import { type SmokeResponse, short } from '../support/stage/http.ts';
import { onStage } from '../support/stage/on-stage.ts';
import { NAVIGATION, publish, type Session } from '../support/stage/session.ts';
import { hashedName } from '../support/stage/site.ts';
import { edgeSeconds, expectVisible, settle } from '../support/stage/visible.ts';

const REDEPLOYS = 3;

const HASHED_VISITS = 5;

/** An edge location has several caches: a visit may reach one that has no copy yet. */
const PAGE_VISITS = 10;

const LOGS = 'The log group *-DeploymentsSiteLogs*';

const BEHAVIOR = 'CloudFront > Distributions > Behaviors > /d/*';

onStage({
  name: 'visit',
  title: 'A page and its files load, and are revalidated with their ETag',
  means: 'CloudFront may not call the site function, or the function cannot read its table or bucket.',
  lookAt: `${LOGS}, and the resource policy of the function: CloudFront needs InvokeFunctionUrl and InvokeFunction`,
  run: async (session) => {
    const page = await session.visit('');
    expectStatus(page, 200);
    expectHeader(page, 'Content-Type', /^text\/html; charset=utf-8$/i);
    const head = await session.visit('', { method: 'HEAD' });
    expectStatus(head, 200);
    check(head.bytes.length === 0, `${head.request} has a body of ${head.bytes.length} bytes`);
    const { etag = '' } = page.headers;
    expectHeader(page, 'ETag', /^"[^"]+"$/);
    expectStatus(await session.visit('', { headers: { 'if-none-match': etag } }), 304);
    const style = await session.visit('style.css');
    expectStatus(style, 200);
    expectHeader(style, 'Content-Type', /^text\/css/);
    expectStatus(await session.visit('no-such-file.js'), 404);
  },
});

onStage({
  name: 'range',
  title: 'A range of a file is a 206',
  means: 'Videos and large downloads cannot be resumed.',
  lookAt: LOGS,
  run: async (session) => {
    const part = await session.visit('style.css', { headers: { range: 'bytes=5-10' } });
    expectStatus(part, 206);
    expectHeader(part, 'Content-Range', /^bytes 5-10\/\d+$/);
    check(part.text === '{ colo', `${part.request} returned "${part.text}" as the bytes 5 to 10`);
  },
});

onStage({
  name: 'redirects',
  title: 'Paths without the slash, and references to the root, lead to the site',
  means: 'Relative or root-relative references of deployed pages do not find their files.',
  lookAt: `${LOGS}, and the CloudFront function *ViewerRequest* with its metrics (errors, throttles)`,
  run: async (session) => {
    const { id, url } = await session.site();
    const { http, options } = session;
    const bare = await http.send(new URL(`/d/${id}?a=1`, options.baseUrl), { headers: NAVIGATION });
    expectStatus(bare, 308);
    const target = new URL(bare.headers.location ?? '', options.baseUrl).href;
    check(target === `${url.href}?a=1`, `${bare.request}?a=1 leads to ${target}`);
    if (url.origin !== options.baseUrl.origin) return 'root references need no redirect on an own origin';
    const root = await http.send(new URL('/style.css', options.baseUrl), { headers: { referer: url.href } });
    expectStatus(root, 307, 308);
    const file = new URL(root.headers.location ?? '', options.baseUrl).href;
    check(file === new URL('style.css', url).href, `${root.request} leads to ${file}`);
  },
});

onStage({
  name: 'redeploy',
  title: `The first visit after each of ${REDEPLOYS} redeploys shows the new version`,
  means: 'The edge answers with a version that it keeps, or the site function remembers an old pointer.',
  lookAt: `${BEHAVIOR}: a cache policy with a minimum TTL of 0; deployments.edgeSeconds of the configuration; ${LOGS}`,
  run: async (session) => {
    // The edge keeps it from now on.
    await session.visit('');
    for (let n = 0; n < REDEPLOYS; n++) {
      const { live } = await session.deploy();
      const note = await expectVisible(session, live.n);
      if (note !== undefined) throw new SkippedError(note);
    }
  },
});

onStage({
  name: 'hashed-files',
  title: 'After a redeploy, files with a hash in their name still load; others of the old version are gone',
  means: 'Pages that are open during a deploy cannot load their chunks, or old files stay visible.',
  lookAt: `${LOGS}, and the attribute "previous" of the item in the deployments table`,
  run: async (session) => {
    const { live, previous } = await session.siteOfTwo();
    await settle(session);
    for (const { n } of [live, previous]) {
      const file = await session.visit(hashedName(n));
      expectStatus(file, 200);
      check(file.text.includes(`version ${n}`), `${file.request} returned "${file.text}"`);
      expectHeader(file, 'Cache-Control', /max-age=31536000.*immutable/);
    }
    expectStatus(await session.visit(`only-in-${live.n}.txt`), 200);
    expectStatus(await session.visit(`only-in-${previous.n}.txt`), 404);
  },
});

onStage({
  name: 'edge-cache',
  title: 'The edge revalidates pages with every visit, and answers for hashed files itself',
  means: 'Visitors see old pages, or each file of a page costs a call of the site function.',
  lookAt: `${BEHAVIOR}: the cache policy; Monitoring: the cache hit rate`,
  run: async (session) => {
    if (edgeSeconds(await session.visit('')) > 0)
      throw new SkippedError('pages stay at the edge for a while (deployments.edgeSeconds)');
    let revalidated = 0;
    for (let n = 0; n < PAGE_VISITS && revalidated === 0; n++) {
      const page = await session.visit('');
      expectHeader(page, 'X-Cache', /^(RefreshHit|Miss) from cloudfront$/);
      if (/^RefreshHit/.test(String(page.headers['x-cache']))) revalidated++;
    }
    check(revalidated > 0, `The edge kept no copy of the page: it was a Miss ${PAGE_VISITS} times`);
    const path = hashedName((await session.site()).live.n);
    for (let n = 0; n < HASHED_VISITS; n++)
      if (/^Hit from/.test(String((await session.visit(path)).headers['x-cache']))) return undefined;
    throw new Error(`The edge answered none of ${HASHED_VISITS} visits of ${path} from its cache`);
  },
});

/** Names with characters that URLs, signatures and CloudFront encode in different ways. */
const ODD_NAMES = ['a b.txt', 'a+b.txt', 'a(b).txt', 'a@b.txt', 'é.txt'];

const AT_ONCE = 30;

const contentOf = (name: string) => `This is ${name}`;

const nameOf = (n: number) => `many/${n}.txt`;

/** The page that these steps of a session share. */
const pages = new WeakMap<Session, Promise<URL>>();

/** Returns the URL of a deployment with many files. */
function pageOf(session: Session): Promise<URL> {
  const known = pages.get(session);
  if (known) return known;
  const names = [...ODD_NAMES, ...Array.from({ length: AT_ONCE }, (_, n) => nameOf(n))];
  const html = `<!doctype html><title>Many files</title>${'<p>A line that repeats</p>'.repeat(400)}`;
  const files = [{ path: 'index.html', content: html }, ...names.map((path) => ({ path, content: contentOf(path) }))];
  const page = publish(session, { files }).then(({ id }) => new URL(`/d/${id}/`, session.options.baseUrl));
  pages.set(session, page);
  return page;
}

function expectContent(response: SmokeResponse, name: string): void {
  expectStatus(response, 200);
  const { request, text } = response;
  check(text === contentOf(name), `${request} returned "${short(text)}" instead of the file "${name}"`);
}

onStage({
  name: 'paths',
  title: 'Files whose names contain spaces, +, (, @ and é load, and queries with %2B arrive unchanged',
  means:
    'The path or query that CloudFront signs for the function URL (OAC) differs from the one that Lambda checks or the function reads.',
  lookAt: `${LOGS}: a request that Lambda rejects is a 403 without a line. CloudFront > Origin access`,
  run: async (session) => {
    const page = await pageOf(session);
    for (const name of ODD_NAMES) {
      // Encoded as browsers do, completely encoded, and with a query.
      for (const path of [name, encodeURIComponent(name), `${name}?q=a%2Bb+c%20d&e=%C3%A9&f`])
        expectContent(await session.http.send(new URL(path, page)), name);
    }
    const query = '?q=a%2Bb&r=%28%40%29&s=%20';
    const bare = new URL(page.href.slice(0, -1) + query);
    const redirect = await session.http.send(bare, { headers: { 'sec-fetch-mode': 'navigate' } });
    expectStatus(redirect, 308);
    const { location = '' } = redirect.headers;
    check(location.endsWith(query), `${redirect.request}${query} redirects to ${location}`);
  },
});

onStage({
  name: 'burst',
  title: `${AT_ONCE} files load at once`,
  means: 'The function that serves pages has too little concurrency: pages with many files are broken.',
  lookAt: `${LOGS}, the metric Throttles of the function, and the step capacity`,
  run: async (session) => {
    const page = await pageOf(session);
    const names = Array.from({ length: AT_ONCE }, (_, n) => nameOf(n));
    const loaded = await Promise.all(names.map((name) => session.http.send(new URL(name, page))));
    const refused = loaded.filter(({ status }) => status !== 200).map(({ status }) => status);
    check(refused.length === 0, `${refused.length} of ${AT_ONCE} files failed: ${[...new Set(refused)]}`);
    for (const [n, response] of loaded.entries()) expectContent(response, nameOf(n));
    return `the slowest took ${Math.round(Math.max(...loaded.map(({ ms }) => ms)))} ms`;
  },
});

onStage({
  name: 'page-encoding',
  title: 'A page is compressed for clients that accept it, and plain for others',
  means: 'Pages take several times as long to load, or are sent as base64 or compressed twice.',
  lookAt: 'CloudFront > Distributions > Behaviors > /d/*: Compress objects automatically, and the cache policy',
  run: async (session) => {
    const page = await pageOf(session);
    const load = async (accept: string) => {
      const response = await session.http.send(page, { headers: { 'accept-encoding': accept } });
      expectStatus(response, 200);
      return response;
    };
    const plain = await load('identity');
    expectHeader(plain, 'Content-Encoding', '');
    for (const accept of ['gzip', 'br, gzip']) {
      const packed = await load(accept);
      if (packed.headers['content-encoding'] === undefined && page.hostname.endsWith('localhost'))
        throw new SkippedError('the edge of the local cloud does not compress');
      expectHeader(packed, 'Content-Encoding', accept === 'gzip' ? 'gzip' : /^(br|gzip)$/);
      check(unpacked(packed)?.equals(plain.bytes) === true, `${packed.request} has a different body with ${accept}`);
    }
    return `${plain.bytes.length} bytes are ${(await load('gzip')).bytes.length}`;
  },
});

/** Returns the decoded body, or undefined if its encoding does not match Content-Encoding. */
function unpacked({ headers, bytes }: SmokeResponse): Buffer | undefined {
  const unpack = headers['content-encoding'] === 'br' ? brotliDecompressSync : gunzipSync;
  try {
    return unpack(bytes);
  } catch {
    return undefined;
  }
}

const page = (title: string) => ({
  files: [
    { path: 'index.html', content: `<!doctype html><title>${title}</title><script src="app.js"></script>` },
    { path: 'app.js', content: `document.title = ${JSON.stringify(title)}` },
    { path: 'css/style.css', content: 'body { color: red }' },
  ],
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
    newCaller(originOf(id)).send(`/${path}`, { method, headers });

  it('resolves folders and pages, and serves the entry for navigations only', async () => {
    expect(await get('docs?q=1')).toMatchObject({ status: 308, headers: { location: '/docs/?q=1' } });
    expect((await get('docs/')).text).toBe('docs');
    expect((await get('about')).text).toBe('about');
    expect((await get('deep/link', { 'sec-fetch-mode': 'navigate' })).text).toContain('<title>Site</title>');
    expect((await get('deep/link.js', { accept: '*/*' })).status).toBe(404);
    expect((await get('deep/link', { 'sec-fetch-mode': 'cors', accept: 'text/html' })).status).toBe(404);
  });

  it('forbids content sniffing and sets no cookie', async () => {
    const { headers } = await get('');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['set-cookie']).toBeUndefined();
  });

  testRows(['/d/abcdefghijkl/', '/d/abcdefghijkl', '/d/..%2f..%2fetc/', '/d/%ff/', '/d/UPPER/'])(
    'is a 404 if there is none',
    async (path) => {
      const answer = await caller.send(path);
      expect(answer).toMatchObject({
        status: 404,
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      });
      expect(answer.text).toContain('Nothing is deployed under this address');
    },
  );

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

describe('a .svgz file', () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><title>Zipped</title></svg>`);
  const zipped = gzipSync(svg);
  let path: string;
  beforeAll(async () => {
    const { id } = await deploySite({ 'a.svgz': zipped });
    path = `/d/${id}/a.svgz`;
  });
  const get = (headers: Record<string, string>) => newCaller().send(path, { headers });

  it('is served compressed or decoded, as the visitor accepts, with separate cache entries', async () => {
    for (const _ of ['from the function', 'from the edge']) {
      for (const accepted of ['gzip, deflate, br', 'gzip']) {
        const { status, headers, bytes } = await get({ 'accept-encoding': accepted });
        expect([status, headers]).toMatchObject([
          200,
          { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
        ]);
        expect(bytes.equals(zipped)).toBe(true);
      }
      for (const accepted of ['identity', 'br']) {
        const { status, headers, text } = await get({ 'accept-encoding': accepted });
        expect([status, headers['content-type'], text]).toEqual([200, 'image/svg+xml', svg.toString()]);
        expect(headers).not.toHaveProperty('content-encoding');
      }
    }
  });
});
