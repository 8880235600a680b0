import { packSite } from '../../../lambda/sites/archive.ts';
import { Site } from '../../../lambda/sites/serving/site.ts';
import type { Deployment, Version } from '../../../lambda/stored/deployment.ts';
import { type Pointer, RememberedPointers } from '../../../lambda/visits/remembered-pointers.ts';
import { SiteCache } from '../../../lambda/visits/site-store.ts';
import { type Visit, type VisitedStage, visit } from '../../../lambda/visits/visit.ts';
import { aDeployment, aVersion } from '../../support/a-deployment.ts';
import { testRows } from '../../support/rows.ts';

const ID = 'abcdefghijkl';
const load: VisitedStage['load'] = async (_id, { version }, base) =>
  new Site(new Map([['index.html', Buffer.from(`version ${version}`)]]), 'index.html', base);
const NOBODY = { cookies: [], baseUrl: 'https://ptp.example.com', secure: true };
const ask = (
  rawPath: string,
  found: Deployment | undefined,
  stage: Partial<VisitedStage> = {},
  rawQuery = '',
  visitor: Partial<Visit> = {},
) =>
  visit(
    { rawPath, rawQuery, navigation: true, conditions: {}, visitor: NOBODY, ...visitor },
    { find: async () => pointer(found), load, loadWith: async () => undefined, clock: () => 1, ...stage },
  );
const pointer = (found: Deployment | undefined): Pointer => ({
  deployment: found,
  edgeSeconds: 0,
  current: true,
});
const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

testRows([
  [`/d/${ID}/`, aDeployment(), 200, 'version v1'],
  [`/own/${ID}/`, aDeployment(), 200, 'version v1'],
  [`/own/${ID}/index.html`, aDeployment(), 200, 'version v1'],
  [`/d/${ID}/`, undefined, 404, 'Nothing is deployed under this address'],
  ['/d/%ff/', aDeployment(), 404, 'Nothing is deployed under this address'],
  [`/d/${ID}`, aDeployment({ deletedAt: 2, versions: [] }), 410, 'has deleted it'],
  [`/d/${ID}/`, aDeployment({ takenDown: { at: 2 }, deletedAt: 3 }), 451, 'took this page down'],
])('responds with the state of the deployment', async (path, found, status, text) => {
  const response = await ask(path, found);
  expect(response.status).toBe(status);
  expect(textOf(response)).toContain(text);
  expect(response.headers['Cache-Control']).toBe(
    status === 200 ? 'public, max-age=0, s-maxage=0, stale-if-error=604800' : 'no-store',
  );
});

testRows([[`/d/${ID}/`], [`/d/${ID}`]])('tags every response for a deployment', async (path) => {
  for (const found of [aDeployment(), undefined, aDeployment({ deletedAt: 2, versions: [] })]) {
    expect((await ask(path, found)).headers).toMatchObject({
      'cache-tag': `site-${ID}`,
      'X-Content-Type-Options': 'nosniff',
    });
  }
});

describe('with origins of their own', () => {
  const siteOrigin = 'https://*.sites.example.com';
  testRows([
    [`/d/${ID}`, '', `https://${ID}.sites.example.com/`],
    [`/d/${ID}//evil.example`, '', `https://${ID}.sites.example.com//evil.example`],
  ])('redirects to the origin of the deployment', async (path, query, location) => {
    const response = await ask(path, aDeployment(), { siteOrigin }, query, { fetchMode: 'navigate' });
    expect([response.status, response.headers.Location]).toEqual([308, location]);
    expect(response.headers['Cache-Control']).toBe(query === '' ? 'no-store' : 'no-store, stale-if-error=0');
  });

  testRows([`/d/${ID}%2f@evil.example/`, `/d/${ID}%2F`, `/d/${ID}.evil.example/`, `/d/%${ID}/`, `/d/${ID}/%f`])(
    'redirects nobody whose path continues the id',
    async (path) => {
      const { status } = await ask(path, aDeployment(), { siteOrigin }, '', { fetchMode: 'navigate' });
      expect(status).toBe(404);
    },
  );
});

it('reads the pointer again if the version has been deleted', async () => {
  const found = [aDeployment(), aDeployment({ live: 'v2', versions: [aVersion('v2')] })];
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
  const PICTURE = 'assets/cover-BkC3x9aZ.png';
  const IMMUTABLE = 'public, max-age=31536000, immutable, s-maxage=86400, stale-if-error=604800';
  const HOUR = 3_600_000;
  const NOW = 100 * HOUR;
  const MISSING = [
    expect.stringContaining('<h1>Not found</h1>'),
    'public, max-age=0, s-maxage=0, stale-if-error=604800',
  ];
  /** Hours at which versions were deployed, or rolled back to. */
  const deployedAt = (name: string, hours: number, rolledBack?: number): Version => ({
    ...aVersion(name),
    deployedAt: hours * HOUR,
    ...(rolledBack !== undefined && { rolledBackAt: rolledBack * HOUR }),
  });
  /** Returns the archives that were read, and visits of sites: each has its own name as the content of its files. */
  const world = (sites: Record<string, string[]>) => {
    const reads: string[] = [];
    const cache = new SiteCache({
      archive: async (_id, { version }) => {
        reads.push(version);
        const files = sites[version];
        if (!files) throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
        const paths = ['index.html', ...files];
        return packSite(
          paths.map((path) => {
            const content = Buffer.from(path === 'index.html' ? 'entry' : version);
            return { path, content, size: content.length };
          }),
        );
      },
    });
    const askFor = async (path: string, live: string, versions: Version[], more: Partial<Deployment> = {}) => {
      const response = await ask(`/d/${ID}/${path}`, aDeployment({ live, versions, ...more }), {
        load: (...args) => cache.load(...args),
        loadWith: (...args) => cache.loadWith(...args),
        clock: () => NOW,
      });
      return [textOf(response), response.headers['Cache-Control']];
    };
    return { reads, askFor };
  };

  it('of the live version is immutable, and nothing else is read for it', async () => {
    const { reads, askFor } = world({ v1: [HASHED], v2: [HASHED] });
    const versions = [deployedAt('v1', 98), deployedAt('v2', 99)];
    expect(await askFor(HASHED, 'v2', versions, { previous: 'v1' })).toEqual(['v2', IMMUTABLE]);
    expect(reads).toEqual(['v2']);
  });

  it.each([
    [
      'one that was replaced twenty-three hours ago',
      [deployedAt('has', 1), deployedAt('b', 77), deployedAt('live', 99)],
      { previous: 'b' },
    ],
    [
      'one that was rolled back to, and replaced again',
      [deployedAt('has', 1, 98), deployedAt('b', 2), deployedAt('c', 98.5), deployedAt('live', 99)],
      { previous: 'c' },
    ],
  ])('that the live version lacks is served from %s', async (_, versions, more) => {
    const { askFor } = world({ a: [], b: [], c: [], live: [], has: [HASHED, PICTURE] });
    for (const path of [HASHED, PICTURE])
      expect(await askFor(path, 'live', versions, more)).toEqual(['has', IMMUTABLE]);
  });

  it.each([
    ['of a version that was replaced more than a day ago', [deployedAt('has', 1), deployedAt('b', 75)]],
    ['of a version that is not kept any more', [deployedAt('b', 99)]],
  ])('%s is missing', async (_, versions) => {
    const { askFor } = world({ b: [], live: [], has: [HASHED] });
    // As everywhere, a navigation without a file gets the entry.
    const all = [...versions, deployedAt('live', 99.5)];
    expect(await askFor(HASHED, 'live', all, { previous: 'b' })).toEqual(MISSING);
  });

  it('is the only kind that is served from replaced versions', async () => {
    const { askFor, reads } = world({ v1: ['only-in-v1.js'], v2: [] });
    const versions = [deployedAt('v1', 98), deployedAt('v2', 99)];
    expect(await askFor('only-in-v1.js', 'v2', versions, { previous: 'v1' })).toEqual(MISSING);
    expect(reads).toEqual(['v2']);
  });

  it('that no version has costs one read of each version, however often it is asked for', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `v${i}`);
    const { askFor, reads } = world(Object.fromEntries(names.slice(1).map((name) => [name, [HASHED]])));
    const versions = names.map((name, i) => deployedAt(name, 90 + i));
    for (let i = 0; i < 20; i++)
      expect(await askFor(`assets/index-BkC3x9a${i % 10}.js`, 'v9', versions)).toEqual(MISSING);
    // The live one first, then the others from the last one; the archive of v0 is gone.
    expect(reads).toEqual(names.toReversed());
  });
});

describe('with edgeSeconds', () => {
  let now = 0;
  let reads = 0;
  const found = { current: aDeployment() as Deployment | undefined };
  const pointers = new RememberedPointers(
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
    found.current = aDeployment();
    await chunk();
    found.current = aDeployment({ live: 'v2', versions: [aVersion('v2')] });
    expect(textOf(await chunk())).toBe('v2');
    found.current = aDeployment();
  });
});

describe('the service’s own pages about a deployment', () => {
  const empty: VisitedStage['load'] = async (_id, _version, base) =>
    new Site(new Map([['a.txt', Buffer.from('a')]]), '', base);
  const access = { type: 'password', hash: 'h', key: 'k' } as const;
  const link = (service: string, text: string) =>
    `<a href="${service}/report?page=${ID}" rel="nofollow noreferrer">${text}</a>`;
  const sent = (baseUrl: string, acceptLanguage?: string): Partial<Visit> => ({
    navigation: false,
    visitor: { ...NOBODY, baseUrl, acceptLanguage },
  });

  it('lead to the form for reports, on another origin as well', async () => {
    const missing = await ask(`/d/${ID}/missing.css`, aDeployment(), {}, '', sent(''));
    expect([missing.status, textOf(missing)]).toEqual([404, expect.stringContaining(link('', 'Report this page'))]);
    const own = await ask(`/own/${ID}/missing.css`, aDeployment(), {}, '', sent('https://ptp.example.com'));
    expect(textOf(own)).toContain(link('https://ptp.example.com', 'Report this page'));
    const listing = await ask(`/d/${ID}/`, aDeployment(), { load: empty }, '', sent(''));
    expect(textOf(listing)).toContain(link('', 'Report this page'));
  });

  it('do so in the language of the visitor where the page is private', async () => {
    const visitor = { ...sent('https://ptp.example.com', 'de'), navigation: true };
    const closed = await ask(`/own/${ID}/`, aDeployment({ access }), {}, '', visitor);
    expect(textOf(closed)).toContain(link('https://ptp.example.com', 'Diese Seite melden'));
  });
});

describe('a page that is held', () => {
  const bounds = { anonymousPoints: 50, keyPoints: 100 };
  const reasons = [{ kind: 'fields', reason: 'It asks for <a> password', path: 'a&b.html', points: 60 }] as const;
  const held = (more: Partial<Deployment> = {}) =>
    aDeployment({ versions: [{ ...aVersion('v1'), gate: { points: 60, reasons } }], ...more });

  it('is a 403 that tells its owner why, and that nothing may keep', async () => {
    for (const path of [`/d/${ID}`, `/d/${ID}/`, `/own/${ID}/assets/index-BkC3x9aZ.js`]) {
      const response = await ask(path, held(), { bounds });
      expect(response).toMatchObject({
        status: 403,
        headers: { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' },
      });
      expect(textOf(response)).toContain('<code>a&#38;b.html</code>: It asks for &#60;a&#62; password');
      expect(textOf(response)).toContain(`POST /api/v1/deployments/${ID}/claim`);
    }
  });

  it('of a key has no claim left', async () => {
    const response = await ask(`/d/${ID}/`, held({ owner: 'key:a' }), {
      bounds: { anonymousPoints: 50, keyPoints: 55 },
    });
    expect([response.status, textOf(response).includes('/claim')]).toEqual([403, false]);
  });

  it('tells nobody why if it is private', async () => {
    const access = { type: 'link', key: 'k' } as unknown as NonNullable<Deployment['access']>;
    const response = await ask(`/own/${ID}/`, held({ access }), { bounds });
    expect(response.status).toBe(403);
    expect(textOf(response)).not.toContain('password');
  });

  it('is public without a gate, for a key, or once it is released', async () => {
    const shown = [
      await ask(`/d/${ID}/`, held()),
      await ask(`/d/${ID}/`, held({ owner: 'key:a' }), { bounds }),
      await ask(`/d/${ID}/`, held({ released: { points: 60, at: 1 } }), { bounds }),
    ];
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('leaves no file with a hashed name behind once another version is live', async () => {
    const path = 'assets/index-BkC3x9aZ.js';
    const versions = [
      { ...aVersion('v2'), deployedAt: 2 },
      { ...aVersion('v1'), gate: { points: 60, reasons } },
    ];
    const found = aDeployment({ live: 'v2', previous: 'v1', versions });
    const old = new Site(new Map([[path, Buffer.from('old')]]), '', `/d/${ID}/`);
    const request = { navigation: false };
    const loadWith = async () => old;
    const open = await ask(`/d/${ID}/${path}`, found, { loadWith }, '', request);
    const closed = await ask(`/d/${ID}/${path}`, found, { loadWith, bounds }, '', request);
    expect([open.status, closed.status]).toEqual([200, 404]);
  });
});
