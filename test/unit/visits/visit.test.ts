import type { Deployment, Version } from '../../../lambda/stored/deployment.ts';
import { type Pointer, Pointers } from '../../../lambda/visits/pointers.ts';
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
    { find: async () => pointer(found), load, ...ports },
  );
const pointer = (found: Deployment | undefined): Pointer => ({
  deployment: found,
  edgeSeconds: 0,
  current: true,
});
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
    status === 200 ? 'public, max-age=0, s-maxage=0, stale-if-error=604800' : 'no-store',
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
    find: async () => pointer(found.shift()),
    load: async (id, live, base) => {
      if (live.version === 'v1') throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
      return load(id, live, base);
    },
  });
  expect(textOf(response)).toBe('version v2');
});

describe('a file with a hashed name', () => {
  const HASHED = 'assets/index-BkC3x9aZ.js';
  const IMMUTABLE = 'public, max-age=31536000, immutable, s-maxage=86400, stale-if-error=604800';
  const sites: Record<string, Record<string, string>> = {
    v1: { 'index.html': 'one', [HASHED]: 'old chunk', 'app.js': 'old app', 'only-in-v1.js': 'x' },
    v2: { 'index.html': 'two', 'app.js': 'new app' },
    v3: { 'index.html': 'three', [HASHED]: 'its own' },
  };
  const askFor = (path: string, live: string, previous?: string, versions = ['v1', 'v2', 'v3']) =>
    ask(
      `/d/${ID}/${path}`,
      deployment({ live, ...(previous && { previous }), versions: versions.map(version) }),
      {
        load: async (_id, { version, entry }, base) => {
          const files = Object.entries(sites[version] ?? {}).map(
            ([name, text]) => [name, Buffer.from(text)] as const,
          );
          return new Site(new Map(files), entry, base);
        },
      },
    );

  it.each([
    ['of the live version is immutable', HASHED, 'v3', 'v1', 'its own', IMMUTABLE],
    ['that only the previous version has is still served', HASHED, 'v2', 'v1', 'old chunk', IMMUTABLE],
  ])('%s', async (_, path, live, previous, text, control) => {
    const response = await askFor(path, live, previous);
    expect([response.status, textOf(response), response.headers['Cache-Control']]).toEqual([
      200,
      text,
      control,
    ]);
  });

  it.each([
    ['that an older version has', HASHED, 'v2', 'v3', ['v1', 'v2']],
    ['of a previous version that is no longer kept', HASHED, 'v2', 'v1', ['v2']],
    ['of a version that is none', HASHED, 'v2', undefined, ['v1', 'v2']],
  ])('%s is missing', async (_, path, live, previous, versions) => {
    const response = await askFor(path, live, previous, versions);
    // As everywhere, a navigation without a file gets the entry.
    expect([textOf(response), response.headers['Cache-Control']]).toEqual([
      'two',
      'public, max-age=0, s-maxage=0, stale-if-error=604800',
    ]);
  });

  it('is the only kind that is served from the previous version', async () => {
    expect(textOf(await askFor('app.js', 'v2', 'v1'))).toBe('new app');
    expect(textOf(await askFor('only-in-v1.js', 'v2', 'v1'))).toBe('two');
  });
});

describe('with edgeSeconds', () => {
  let now = 0;
  let reads = 0;
  const found = { current: deployment() as Deployment | undefined };
  const pointers = new Pointers(
    async () => {
      reads++;
      return found.current;
    },
    60,
    () => now,
  );
  const control = async (at: number, path = '') => {
    now = at;
    const { headers } = await ask(`/d/${ID}/${path}`, undefined, {
      find: (...args) => pointers.find(...args),
    });
    return [/s-maxage=(\d+)/.exec(headers['Cache-Control'] ?? '')?.[1], reads];
  };

  it('remembers the pointer, and lets the edge keep a page until the pointer is that old', async () => {
    expect(await control(0)).toEqual(['60', 1]);
    expect(await control(20_500)).toEqual(['39', 1]);
    expect(await control(59_500)).toEqual(['60', 2]);
  });

  it('reads the pointer again for a script with a hashed name that the remembered version lacks', async () => {
    const { find } = pointers;
    now = 1_000_000;
    const sites: Record<string, string> = { v1: 'index.html', v2: 'assets/index-BkC3x9aZ.js' };
    const chunk = () =>
      ask(`/d/${ID}/assets/index-BkC3x9aZ.js`, undefined, {
        find: (...args) => find.apply(pointers, args),
        load: async (_id, { version }, base) =>
          new Site(new Map([[sites[version] ?? '', Buffer.from(version)]]), 'index.html', base),
      });
    found.current = deployment();
    await chunk();
    found.current = deployment({ live: 'v2', versions: [version('v2')] });
    expect(textOf(await chunk())).toBe('v2');
    found.current = deployment();
  });

  it('does not remember that there is no deployment', async () => {
    found.current = undefined;
    expect((await pointers.find('other')).deployment).toBeUndefined();
    found.current = deployment();
    expect((await pointers.find('other')).deployment).toBeDefined();
  });
});
