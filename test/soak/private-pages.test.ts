import { closeAtEnd } from '../support/at-end.ts';
import { newCaller, type TestResponse } from '../support/cloud/client.ts';
import { takeOriginFaults } from '../support/origin-faults.ts';
import { cookieOf, EDGES, SITE_DOMAIN, visitorOf } from '../support/private-pages.ts';
import { startSiteCloud } from '../support/site-cloud.ts';

/** Each round visits three files at five caches; `ROUNDS=1000` takes seven minutes. */
const ROUNDS = Number(process.env.ROUNDS ?? 25);
const HASHED = '/assets/index-BkC3x9aZ.js';
const OTHER = '/assets/vendor-CkD4y0bA.js';

const cloud = closeAtEnd(
  await startSiteCloud(
    SITE_DOMAIN,
    {
      rateLimit: { anonymous: 1_000_000, reads: 1_000_000 },
      // Pages without an owner share a tenth.
      deployments: { invalidationsPerMonth: 20 * ROUNDS + 100 },
    },
    { invalidationSeconds: { effect: [0, 0.02], completion: [0.02, 0.04] } },
  ),
);

it('a page that becomes private and public again is never shown without a check, at five caches', async () => {
  const page = await cloud.deploy({
    'index.html': 'secret',
    [HASHED.slice(1)]: 'secret',
    [OTHER.slice(1)]: 'secret',
  });
  const visit = visitorOf(page.id, cloud.baseUrl);
  const at = (edge: string, path: string, headers: Record<string, string> = {}) =>
    visit(path, { headers: { ...headers, 'x-local-edge': edge } });
  const change = async (access: string) => {
    const { status, json } = await newCaller(cloud.baseUrl).send(`/api/v1/deployments/${page.id}`, {
      method: 'PATCH',
      body: { access },
      headers: { 'x-deployment-token': page.token },
    });
    if (status !== 200) throw new Error(`The change to ${access} failed: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  let etag = '';
  for (let round = 0; round < ROUNDS; round++) {
    const warm = await Promise.all(EDGES.flatMap((edge) => ['/', HASHED, OTHER].map((path) => at(edge, path))));
    expect(warm.map(({ status }) => status)).toEqual(Array(15).fill(200));
    etag = String(warm[0]?.headers.etag);
    const { link, copiesUntil } = await change('link');
    // The edge asks for pages at once, and for files with hashed names as soon as the invalidation has taken effect.
    const pages = await Promise.all(EDGES.flatMap((edge) => [at(edge, '/'), at(edge, '/', { 'if-none-match': etag })]));
    pages.forEach(expectClosed);
    await Promise.all(
      EDGES.map(async (edge) => {
        for (;;) {
          const asked = Date.now();
          const copies = [await at(edge, HASHED), await at(edge, OTHER)].filter(({ status }) => status === 200);
          if (copies.length === 0) break;
          if (asked > copiesUntil) throw new Error(`Edge ${edge} has a copy after copiesUntil`);
        }
      }),
    );
    // Someone with the link visits: that leaves nothing for the others.
    const cookie = cookieOf(await visit(link.url.replace(/^http:\/\/[^/]+/, '')));
    const shown = await Promise.all(EDGES.flatMap((edge) => ['/', HASHED].map((path) => at(edge, path, cookie))));
    expect(shown.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const closed = await Promise.all(
      EDGES.flatMap((edge) => ['/', HASHED, OTHER].map((path) => at(edge, path, { 'if-none-match': etag }))),
    );
    closed.forEach(expectClosed);
    await change('public');
  }
}, 1_200_000);

it('while the site function fails, the edge shows what is public, and nothing of what became private', async () => {
  const [open, closed] = [await cloud.deploy({ 'index.html': 'open' }), await cloud.deploy({ 'index.html': 'secret' })];
  const visits = [open, closed].map(({ id }) => visitorOf(id, cloud.baseUrl));
  const load = (edge: string) => Promise.all(visits.map((visit) => visit('/', { headers: { 'x-local-edge': edge } })));
  for (const edge of EDGES) expect((await load(edge)).map(({ status }) => status)).toEqual([200, 200]);
  const { json } = await newCaller(cloud.baseUrl).send(`/api/v1/deployments/${closed.id}`, {
    method: 'PATCH',
    body: { access: 'link' },
    headers: { 'x-deployment-token': closed.token },
  });
  expect(json.access).toBe('link');
  // Longer than the invalidation takes here.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  await cloud.killBackend();
  for (const edge of EDGES) {
    const [shown, hidden] = await load(edge);
    expect([shown?.status, shown?.text]).toEqual([200, 'open']);
    expect([hidden?.status, hidden?.text]).toEqual([503, expect.not.stringContaining('secret')]);
  }
  expect(takeOriginFaults()).toHaveLength(EDGES.length);
});

function expectClosed({ status, text }: TestResponse): void {
  if (status !== 403 || text.includes('secret')) throw new Error(`A private page responded with ${status}`);
}
