import { newCaller } from '../../support/cloud/client.ts';
import { untilCached } from '../../support/cloud/sites.ts';
import { cookieOf, EDGES, expectClosed, pathOf, visitorOf } from '../../support/private-pages.ts';
import { ownOrigins } from '../clouds.ts';

const HASHED = 'assets/index-BkC3x9aZ.js';
const FILES = { 'index.html': 'the secret page', 'docs/index.html': 'docs', [HASHED]: 'the secret script' };

const cloud = await ownOrigins();

const deployed = async (settings: object = {}) => {
  const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
  const { json, headers } = await newCaller(cloud.baseUrl).post('/api/v1/deploy', {
    files,
    ...settings,
  });
  const token = { 'x-deployment-token': String(headers['x-deployment-token']) };
  const path = `/api/v1/deployments/${json.id}`;
  const change = (body: object) => newCaller(cloud.baseUrl).send(path, { method: 'PATCH', body, headers: token });
  return { ...json, token, path, change, visit: visitorOf(json.id, cloud.baseUrl) };
};
describe('every edge', () => {
  const at = (edge: string, more: Record<string, string> = {}) => ({
    headers: { 'x-local-edge': edge, ...more },
  });

  it('shows nobody what was public once the page is private, and everyone once it is public again', async () => {
    const page = await deployed();
    const etags = await Promise.all(
      EDGES.map(async (edge) => {
        await untilCached(() => page.visit(`/${HASHED}`, at(edge)));
        return String((await page.visit('/', at(edge))).headers.etag);
      }),
    );
    const before = Date.now();
    const { json } = await page.change({ access: 'link' });
    expect(json.copiesUntil).toBeGreaterThan(before);
    for (const [i, edge] of EDGES.entries())
      expectClosed(await page.visit('/', at(edge, { 'if-none-match': etags[i] ?? '' })));
    // Files that the edge serves without asking are gone as soon as the invalidation has taken effect.
    for (const edge of EDGES)
      while ((await page.visit(`/${HASHED}`, at(edge))).headers['x-cache'] === 'Hit from cloudfront')
        expect(Date.now()).toBeLessThan(json.copiesUntil);
    const entered = await page.visit(pathOf(json.link.url));
    for (const edge of EDGES) {
      expect((await page.visit('/', at(edge, cookieOf(entered)))).status).toBe(200);
      expect((await page.visit(`/${HASHED}`, at(edge, cookieOf(entered)))).status).toBe(200);
      expectClosed(await page.visit('/', at(edge)));
      expectClosed(await page.visit(`/${HASHED}`, at(edge)));
    }
    await page.change({ access: 'public' });
    for (const edge of EDGES) expect((await page.visit('/', at(edge))).status).toBe(200);
  });
});
