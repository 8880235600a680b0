import { packSite, unpackSite } from '../../../lambda/deployments/archive.ts';
import {
  DEPLOYMENT_ID,
  projectDeploymentId,
  randomDeploymentId,
} from '../../../lambda/deployments/deployment-id.ts';
import type { Pointer } from '../../../lambda/deployments/pointers.ts';
import { contentTypeOf, serveSite } from '../../../lambda/deployments/site.ts';
import { SiteCache } from '../../../lambda/deployments/site-cache.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const site = (entry: string, ...paths: string[]) => ({
  id: 'abcdefghijkl',
  entry,
  files: new Map(paths.map((path) => [path, bytes(`the bytes of ${path}`)])),
});

describe('serving', () => {
  const built = site(
    'dist/index.html',
    'dist/index.html',
    'dist/app.js',
    'dist/docs/index.html',
    'dist/about.html',
    'README.md',
  );
  const withOwn404 = site('index.html', 'index.html', '404.html');

  it.each([
    [built, '', 200, 'dist/index.html'],
    [built, 'app.js', 200, 'dist/app.js'],
    [built, 'docs', 200, 'dist/docs/index.html'],
    [built, 'docs/', 200, 'dist/docs/index.html'],
    [built, 'about', 200, 'dist/about.html'],
    [built, 'deep/link', 200, 'dist/index.html'],
    [withOwn404, 'deep/link', 404, '404.html'],
  ])('a navigation %#', (of, path, status, file) => {
    const response = serveSite(of, { path, navigation: true });
    expect(response.status).toBe(status);
    expect(Buffer.from(response.body).toString()).toBe(`the bytes of ${file}`);
  });

  it('a missing script is a 404, never the entry', () => {
    const response = serveSite(built, { path: 'missing.js', navigation: false });
    expect(response).toMatchObject({ status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  });

  it('lists the files of a site without an entry, escaped', () => {
    const { status, body } = serveSite(site('', 'main.py', 'a&b/<i>.txt'), { path: '', navigation: true });
    const html = Buffer.from(body).toString();
    expect(status).toBe(200);
    expect(html).toContain('<a href="main.py">main.py</a>');
    expect(html).not.toContain('<i>');
  });

  it('answers 304 for what the visitor has', () => {
    const first = serveSite(built, { path: '', navigation: true });
    const etag = first.headers.ETag as string;
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(serveSite(built, { path: '', navigation: true, ifNoneMatch })).toMatchObject({
        status: 304,
        headers: { ETag: etag },
      });
    }
    expect(serveSite(built, { path: '', navigation: true, ifNoneMatch: '"x"' }).status).toBe(200);
    expect(serveSite(built, { path: 'app.js', navigation: false }).headers.ETag).not.toBe(etag);
  });

  it.each([
    ['a.html', 'text/html; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.mjs', 'text/javascript; charset=utf-8'],
    ['a.json', 'application/json; charset=utf-8'],
    ['a.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['a.svg', 'image/svg+xml; charset=utf-8'],
    ['a.md', 'text/markdown; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.woff2', 'font/woff2'],
    ['a.wasm', 'application/wasm'],
    ['a.unknown-kind', 'application/octet-stream'],
    ['LICENSE', 'application/octet-stream'],
  ])('%s is %s', (path, type) => expect(contentTypeOf(path)).toBe(type));
});

it('an archive gives back what was put in', () => {
  const files = [
    { path: 'index.html', bytes: bytes('<title>é</title>') },
    { path: 'ü/日本 語.txt', bytes: bytes('') },
    { path: 'constructor', bytes: bytes('a name like any other') },
    { path: '7', bytes: new Uint8Array(70_000).fill(7) },
  ];
  const unpacked = unpackSite(packSite(files));
  expect([...unpacked.keys()].toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  for (const { path, bytes } of files)
    expect(Buffer.from(unpacked.get(path) ?? [])).toEqual(Buffer.from(bytes));
});

describe('ids', () => {
  it('are short, and fit in a URL and in a host name', () => {
    const ids = Array.from({ length: 1000 }, () => randomDeploymentId());
    expect(ids.every((id) => DEPLOYMENT_ID.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it('of a project are its owner’s, stable, and do not reveal it', () => {
    const id = projectDeploymentId('key:a', 'shop', 'secret');
    expect(id).toMatch(DEPLOYMENT_ID);
    expect(projectDeploymentId('key:a', 'shop', 'secret')).toBe(id);
    for (const other of [
      projectDeploymentId('key:b', 'shop', 'secret'),
      projectDeploymentId('anonymous', 'shop', 'secret'),
      projectDeploymentId('key:a', 'Shop', 'secret'),
      projectDeploymentId('key:a', 'shop', 'other'),
    ]) {
      expect(other).not.toBe(id);
    }
  });
});

describe('the sites that an instance holds', () => {
  const archive = packSite([{ path: 'index.html', bytes: bytes('hello') }]);
  const pointer = (id: string, size = 10): Pointer => ({
    ...{ id, version: '1', entry: 'index.html', title: null, fileCount: 1, bytes: size },
    ...{ owner: 'anonymous', createdAt: 1, deployedAt: 1 },
  });

  it('are read once, also when many ask at once, and again after a failure', async () => {
    const reads: string[] = [];
    let broken = true;
    const cache = new SiteCache({
      get: async (id) => {
        reads.push(id);
        if (broken) throw new Error('S3 is away');
        return archive;
      },
    });
    await expect(cache.load(pointer('a'))).rejects.toThrow('S3 is away');
    broken = false;
    const [first, second] = await Promise.all([cache.load(pointer('a')), cache.load(pointer('a'))]);
    expect(first).toBe(second);
    expect(reads).toEqual(['a', 'a']);
  });

  it('are forgotten, the one that nobody asked for the longest first', async () => {
    const reads: string[] = [];
    const cache = new SiteCache({
      get: async (id) => {
        reads.push(id);
        return archive;
      },
    });
    const half = 30 * 1_048_576;
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.load(pointer(id, half));
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
  });
});
