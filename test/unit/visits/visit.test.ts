import type { Deployment, Version } from '../../../lambda/sites/deployment.ts';
import { Site } from '../../../lambda/visits/site.ts';
import { type VisitPorts, visit } from '../../../lambda/visits/visit.ts';

const ID = 'abcdefghijkl';
const version = (name: string): Version => ({
  version: name,
  entry: 'index.html',
  title: null,
  fileCount: 1,
  bytes: 1,
  deployedAt: 1,
});
const deployment = (more: Partial<Deployment> = {}): Deployment => ({
  id: ID,
  owner: 'anonymous',
  createdAt: 1,
  live: 'v1',
  versions: [version('v1')],
  announced: new Map(),
  ...more,
});
const load: VisitPorts['load'] = async (_id, { version }, base) =>
  new Site(new Map([['index.html', Buffer.from(`version ${version}`)]]), 'index.html', base);
const ask = (
  rawPath: string,
  found: Deployment | undefined,
  ports: Partial<VisitPorts> = {},
  rawQuery = '',
) =>
  visit(
    { rawPath, rawQuery, navigation: true, conditions: {} },
    { find: async () => found, load, clock: () => 0, ...ports },
  );
const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

it.each([
  [`/d/${ID}/`, deployment(), 200, 'version v1'],
  [`/own/${ID}/`, deployment(), 200, 'version v1'],
  [`/own/${ID}/index.html`, deployment(), 200, 'version v1'],
  [`/d/${ID}/`, undefined, 404, 'Nothing is deployed under this address'],
  ['/d/UPPERCASE123/', deployment(), 404, 'Nothing is deployed under this address'],
  ['/d/%ff/', deployment(), 404, 'Nothing is deployed under this address'],
  [`/d/${ID}/`, deployment({ deletedAt: 2, versions: [] }), 410, 'has deleted it'],
  [`/d/${ID}`, deployment({ deletedAt: 2, versions: [] }), 410, 'has deleted it'],
  [
    `/d/${ID}/`,
    deployment({ takenDown: { at: 2, reason: '<b>law</b>' } }),
    451,
    '&#60;b&#62;law&#60;/b&#62;',
  ],
  [`/d/${ID}/`, deployment({ takenDown: { at: 2 }, deletedAt: 3 }), 451, 'took this page down'],
])('responds to %s with the state of the deployment (%#)', async (path, found, status, text) => {
  const response = await ask(path, found);
  expect(response.status).toBe(status);
  expect(textOf(response)).toContain(text);
  expect(response.headers['Cache-Control']).toBe(
    status === 200 ? 'public, max-age=0, s-maxage=86400, stale-if-error=604800' : 'no-store',
  );
});

it.each([[`/d/${ID}/`], [`/d/${ID}`], [`/d/${ID}/nope.js`], [`/own/${ID}/`]])(
  'tags every response for a deployment: %s',
  async (path) => {
    for (const found of [deployment(), undefined, deployment({ deletedAt: 2, versions: [] })]) {
      expect((await ask(path, found)).headers).toMatchObject({
        'cache-tag': `site-${ID}`,
        'X-Content-Type-Options': 'nosniff',
      });
    }
  },
);

describe('with origins of their own', () => {
  const siteOrigin = 'https://*.sites.example.com';
  it.each([
    [`/d/${ID}`, '', `https://${ID}.sites.example.com/`],
    [`/d/${ID}/`, 'a=1', `https://${ID}.sites.example.com/?a=1`],
    [`/d/${ID}/a%20b/c`, 'a=1&b=%20', `https://${ID}.sites.example.com/a%20b/c?a=1&b=%20`],
    [`/d/${ID}//evil.example`, '', `https://${ID}.sites.example.com//evil.example`],
  ])('%s?%s redirects to %s', async (path, query, location) => {
    const response = await ask(path, deployment(), { siteOrigin }, query);
    expect([response.status, response.headers.Location]).toEqual([308, location]);
  });
});

it('reads the pointer again if the version has been deleted', async () => {
  const found = [deployment(), deployment({ live: 'v2', versions: [version('v2')] })];
  const response = await ask(`/d/${ID}/`, undefined, {
    find: async () => found.shift(),
    load: async (id, live, base) => {
      if (live.version === 'v1') throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
      return load(id, live, base);
    },
  });
  expect(textOf(response)).toBe('version v2');
});

describe('an announced change', () => {
  const announced = new Map([['v2', 100_000]]);
  const ask = async (now: number) => {
    const ports = { find: async () => deployment({ announced }), load, clock: () => now };
    const { headers } = await visit(
      { rawPath: `/d/${ID}/`, rawQuery: '', navigation: true, conditions: {} },
      ports,
    );
    return headers['Cache-Control'];
  };

  it('keeps the edge from caching, even for use while the origin fails', async () => {
    for (const now of [100_000, 159_999]) expect(await ask(now)).toBe('no-cache, stale-if-error=0');
  });

  it('is ignored after a minute', async () => {
    expect(await ask(160_000)).toContain('s-maxage');
  });
});
