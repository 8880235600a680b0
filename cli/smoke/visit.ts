import { check, expectHeader, expectStatus, SkippedError } from './checks.ts';
import { edgeSeconds, expectVisible, settle } from './deploy.ts';
import { NAVIGATION } from './session.ts';
import { hashedName } from './site.ts';
import type { Step } from './step.ts';

const REDEPLOYS = 3;
const HASHED_VISITS = 5;
/** An edge location has several caches: a visit may reach one that has no copy yet. */
const PAGE_VISITS = 10;
const LOGS = 'The log group *-DeploymentsSiteLogs*';
const BEHAVIOR = 'CloudFront > Distributions > Behaviors > /d/*';

const visit: Step = {
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
};

const range: Step = {
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
};

const redirects: Step = {
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
};

const redeploy: Step = {
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
};

const hashed: Step = {
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
};

const edge: Step = {
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
};

export const VISIT_STEPS = [visit, range, redirects, redeploy, hashed, edge];
