import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { visitPage } from '../../../lambda/deployments/deploy-generation.ts';
import { closeAtEnd } from '../../support/at-end.ts';
import { serve } from '../../support/serve.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

let respond: Record<string, Respond | string>;
let requested: string[];
beforeEach(() => {
  requested = [];
});
const server = createServer((request, response) => {
  requested.push(request.url ?? '');
  const answer = respond[request.url ?? ''];
  if (typeof answer === 'function') return answer(request, response);
  response.statusCode = answer === undefined ? 404 : 200;
  response.setHeader('content-type', /\.(css|js|svg)$/.test(request.url ?? '') ? 'text/css' : 'text/html');
  response.end(answer ?? 'not found');
});
const { url: base } = closeAtEnd(await serve(server));

const redirect =
  (location: string): Respond =>
  (_, response) =>
    response.writeHead(302, { location }).end();
const visit = (origin?: string) => visitPage(`${base}/d/abc`, origin);

it('loads every reference of the page to its own site, once', async () => {
  respond = {
    '/d/abc': redirect('/d/abc/'),
    '/d/abc/': `<link href=a.css><img src=b.svg srcset="b.svg, c.svg 2x"><style>p{background:url(d.svg)}</style>
      <a href="page.html#top">Page</a><a href="#top">Top</a><a href="/api/v1/usage">API</a><a href="/d/other/">Other</a>
      <a href="https://example.com/">Elsewhere</a><img src="data:,"><a href="mailto:a@example.com">Mail</a>
      <form action=".data/messages" method="post"></form>`,

    '/d/abc/a.css': '',
    '/d/abc/b.svg': '',
    '/d/abc/c.svg': '',
    '/d/abc/d.svg': '',
    '/d/abc/page.html': '',
  };
  expect(await visit()).toEqual({ problems: [] });
  const references = ['a.css', 'b.svg', 'c.svg', 'd.svg', 'page.html'].map((path) => `/d/abc/${path}`);
  expect(requested.toSorted()).toEqual(['/d/abc', '/d/abc/', ...references]);
});

it('reports references that do not load', async () => {
  respond = { '/d/abc': '<base href="/d/abc/sub/"><script src=x.js></script><img src="../y.png">' };
  expect((await visit()).problems).toEqual([
    '/d/abc/sub/x.js: the page refers to it, and it responds with 404',
    '/d/abc/y.png: the page refers to it, and it responds with 404',
  ]);
});

it('ends in time if the site is slow, and says what it did not check', async () => {
  const images = Array.from({ length: 20 }, (_, i) => `<img src="${i}.png">`).join('');
  respond = { '/d/abc': redirect('/d/abc/'), '/d/abc/': images };
  // The last ones never respond.
  for (let i = 10; i < 20; i++) respond[`/d/abc/${i}.png`] = () => {};
  const [first, ...rest] = (await visitPage(`${base}/d/abc`, undefined, { patienceMs: 2_000 })).problems;
  expect([first, rest]).toEqual([expect.stringMatching(/^\d+ references of the page were not checked/), []]);
  respond = { '/d/abc': () => {} };
  expect(await visitPage(`${base}/d/abc`, undefined, { patienceMs: 200 })).toEqual({
    failure: expect.stringMatching(/^cannot be reached: /),
    problems: [],
  });
});

it('follows the redirect to the own origin of a deployment', async () => {
  const own = createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? '<img src=/a.svg>' : '');
  });
  const { url, close } = await serve(own);
  const origin = `${url}/`;
  respond = { '/d/abc': redirect(origin) };
  expect(await visit(origin)).toEqual({ problems: [] });
  await close();
});

it('does not follow a redirect out of the site, which may lead to an address that only the function reaches', async () => {
  respond = { '/d/abc': redirect('/secret'), '/secret': '<img src=/secret/2>' };
  expect(await visit()).toEqual({ problems: [] });
  expect(requested).toEqual(['/d/abc']);
});

it('repeats a request that failed', async () => {
  let failures = 2;
  respond = {
    '/d/abc': (_, response) => {
      response.statusCode = failures-- > 0 ? 503 : 200;
      response.setHeader('content-type', 'text/html').end('');
    },
  };
  expect(await visit()).toEqual({ problems: [] });
  expect(requested).toHaveLength(3);
});

it.each([
  ['a 404', (_: unknown, response: ServerResponse) => response.writeHead(404).end(), 'responds with 404'],
  ['a loop', redirect('/d/abc'), 'redirects more than 5 times'],
  [
    'a closed connection',
    ({ socket }: IncomingMessage) => void socket.destroy(),
    expect.stringMatching(/^cannot be reached: /),
  ],
])('says why a page with %s does not load', async (_, page, failure) => {
  respond = { '/d/abc': page as Respond };
  expect(await visit()).toEqual({ failure, problems: [] });
});
