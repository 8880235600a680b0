import { unzipSync } from 'fflate';
import type { SiteFile } from '../../../../lambda/sites/accept-files.ts';
import { packSite, unpackSite } from '../../../../lambda/sites/archive.ts';
import { Site } from '../../../../lambda/sites/serving/site.ts';
import { DEPLOYMENT_ID, projectDeploymentId, randomDeploymentId } from '../../../../lambda/stored/deployment.ts';
import { SiteCache } from '../../../../lambda/visits/site-store.ts';
import { aVersion } from '../../../support/a-deployment.ts';
import { linearTime } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';

const BASE = '/d/abcdefghijkl/';
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const site = (entry: string, files: Record<string, string> | readonly string[], base = BASE) => {
  const contents = Array.isArray(files)
    ? files.map((path: string) => [path, `the bytes of ${path}`] as const)
    : Object.entries(files);
  return new Site(new Map(contents.map(([path, content]) => [path, bytes(content)])), entry, base);
};
const ask = (path: string, more: Partial<Parameters<Site['serve']>[0]> = {}) => ({
  path,
  rawQuery: '',
  navigation: false,
  conditions: {},
  ...more,
});
const text = (body: Uint8Array) => Buffer.from(body).toString();

/** Returns the page that refers to paths. */
const references = (count: number, depth = 1) =>
  Array.from({ length: count }, (_, i) => `<a href="/${'b/'.repeat(depth)}${i}">`).join('');

it('serves a page in linear time whose references many rules are compared with', () => {
  const files = { 'index.html': references(700, 100) };
  const served = (rule: string) => () =>
    site('index.html', { ...files, _redirects: rule.repeat(1_000) }).serve(ask('')).status;
  linearTime(served('# a comment\n'))(served(`${'/:a'.repeat(100)}/x /y\n`));
});

it('compares at most 100,000 times', () => {
  const rules = `${'/a /y\n'.repeat(999)}/b/* /y\n`;
  const { body } = site('index.html', { 'index.html': references(200), _redirects: rules }).serve(ask(''));
  expect(text(body).split(`"${BASE}b/`)).toHaveLength(102);
});

describe('serving', () => {
  const built = site('dist/index.html', [
    'dist/index.html',
    'dist/app.js',
    'dist/docs/index.html',
    'dist/docs.html',
    'dist/about.html',
    'dist/both',
    'dist/both.html',
    'README.md',
  ]);
  const withOwn404 = site('index.html', ['index.html', '404.html']);
  const named = site('home.html', ['home.html', 'app.js']);

  testRows([
    [built, 'about', 'dist/about.html'],
    [named, 'home', 'home.html'],
  ])('serves the file of a path', (of, path, file) => {
    for (const navigation of [true, false]) {
      const { status, body } = of.serve(ask(path, { navigation }));
      expect([status, text(body)]).toEqual([200, `the bytes of ${file}`]);
    }
  });

  testRows([
    [built, 'deep/link', true, 200, 'dist/index.html'],
    [built, 'deep/link', false, 404, undefined],
    [built, 'README.md', false, 404, undefined],
    [built, 'docs/about/', false, 404, undefined],
    [built, 'prices.pdf', true, 404, undefined],
    [built, 'old.html', true, 404, undefined],
    [built, 'assets/index-B2xk3f9Q.js', true, 404, undefined],
    [built, 'people/jane.doe', true, 200, 'dist/index.html'],
    [withOwn404, 'deep/link', true, 404, '404.html'],
    [withOwn404, 'missing.js', false, 404, '404.html'],
  ])('serves the entry or a 404 instead of a file', (of, path, navigation, status, file) => {
    const response = of.serve(ask(path, { navigation }));
    expect(response.status).toBe(status);
    expect(text(response.body)).toContain(file ? `the bytes of ${file}` : 'This site has no such page');
    expect(response.headers['Content-Type']).toBe('text/html; charset=utf-8');
  });

  testRows([
    [withOwn404, 'favicon.ico', false, 204],
    [built, 'favicon.ico', false, 204],
    [built, 'favicon.ico', true, 404],
    [built, 'docs/favicon.ico', false, 404],
    [site('index.html', ['index.html', 'favicon.ico']), 'favicon.ico', false, 200],
  ])('serves nothing instead of an icon that browsers ask for on their own', (of, path, navigation, status) => {
    const response = of.serve(ask(path, { navigation }));
    expect([response.status, response.body.length === 0]).toEqual([status, status === 204]);
  });

  testRows([
    [BASE, 'a=1&b=%20', `${BASE}docs/?a=1&b=%20`],
    ['/', 'x', '/docs/?x'],
  ])('redirects a folder without a slash, with the base and the query', (base, rawQuery, location) => {
    const of = site('index.html', ['index.html', 'docs/index.html'], base);
    const { status, headers } = of.serve(ask('docs', { rawQuery }));
    expect([status, headers.Location, headers['Cache-Control']]).toEqual([
      308,
      location,
      rawQuery === '' ? 'no-store' : 'no-store, stale-if-error=0',
    ]);
  });

  testRows([
    [['200.html'], true, 200, '200.html'],
    [['200.html', '404.html'], true, 200, '200.html'],
    [['200.html', '404.html'], false, 404, '404.html'],
    [['200.html'], false, 404, undefined],
  ])('falls back to 200.html for navigations, and to 404.html', (more, navigation, status, file) => {
    const of = site('dist/index.html', ['dist/index.html', ...more.map((name) => `dist/${name}`), ...more]);
    const response = of.serve(ask('deep/link', { navigation }));
    expect(response.status).toBe(status);
    expect(text(response.body)).toContain(file ? `the bytes of dist/${file}` : 'This site has no such page');
  });

  it('lists the files of a site without an entry, escaped', () => {
    const listed = site('', ['main.py', 'a&b/<i>#?.txt']);
    const { status, body } = listed.serve(ask(''));
    expect(status).toBe(200);
    expect(text(body)).toContain('<a href="main.py">main.py</a>');
    expect(text(body)).toContain('<a href="a%26b/%3Ci%3E%23%3F.txt">a&#38;b/&#60;i&#62;#?.txt</a>');
    expect(listed.serve(ask('main.py'))).toMatchObject({ status: 200 });
    expect(listed.serve(ask('nope', { navigation: true }))).toMatchObject({ status: 404 });
  });

  testRows(['_redirects', '_headers'])('hides the control files', (name) => {
    const of = site('dist/index.html', ['dist/index.html', `dist/${name}`, `dist/docs/${name}`, name]);
    expect(of.serve(ask(name)).status).toBe(404);
    expect([of.has(name), of.has(`docs/${name}`)]).toEqual([false, true]);
    expect(text(site('', ['main.py', name]).serve(ask('')).body)).not.toContain(name);
  });

  it('has exactly the paths of its files', () => {
    for (const path of ['app.js', 'index.html', 'docs/index.html', 'both']) expect(built.has(path)).toBe(true);
    for (const path of ['', 'docs', 'docs/', 'about', 'dist/app.js', 'README.md', 'APP.js', 'nope'])
      expect(built.has(path)).toBe(false);
  });

  it('rewrites only root-absolute references to files, in HTML and CSS', () => {
    const files = {
      'dist/index.html': '<link href="/style.css"><a href="/docs">d</a><a href="/">h</a><img src="/no.png">',
      'dist/style.css': 'a{background:url(/bg.png)}b{background:url(/no.png)}',
      'dist/app.js': 'fetch("/style.css")',
      'dist/bg.png': '',
      'dist/docs/index.html': '',
    };
    const of = (base: string) => site('dist/index.html', files, base);
    expect(text(of(BASE).serve(ask('')).body)).toBe(
      `<link href="${BASE}style.css"><a href="${BASE}docs">d</a><a href="${BASE}">h</a><img src="/no.png">`,
    );
    expect(text(of(BASE).serve(ask('style.css')).body)).toBe(
      `a{background:url(${BASE}bg.png)}b{background:url(/no.png)}`,
    );
    expect(text(of(BASE).serve(ask('app.js')).body)).toBe(files['dist/app.js']);
    expect(text(of('/').serve(ask('')).body)).toBe(files['dist/index.html']);
  });

  it('responds with 304 if the visitor has the file', () => {
    const etag = built.serve(ask('')).headers.ETag as string;
    for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      expect(built.serve(ask('', { conditions: { ifNoneMatch } }))).toMatchObject({
        status: 304,
        headers: { ETag: etag },
      });
    }
    expect(built.serve(ask('', { conditions: { ifNoneMatch: '"x"' } })).status).toBe(200);
    expect(built.serve(ask('app.js')).headers.ETag).not.toBe(etag);
  });

  testRows([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-100', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', undefined],
  ])('responds to a Range of ten bytes', (range, status, body, contentRange) => {
    const ten = site('', { ten: '0123456789' });
    const response = ten.serve(ask('ten', { conditions: { range } }));
    expect([response.status, text(response.body)]).toEqual([status, body]);
    expect(response.headers['Content-Range']).toBe(contentRange);
    expect(response.headers['Accept-Ranges']).toBe('bytes');
  });

  it('ignores a range if the file has changed', () => {
    const ten = site('', { ten: '0123456789' });
    const etag = ten.serve(ask('ten')).headers.ETag;
    const of = (ifRange: string | undefined) =>
      ten.serve(ask('ten', { conditions: { range: 'bytes=0-1', ifRange } })).status;
    expect([of(etag), of('"other"'), of(`W/${etag}`), of('Sat, 21 Nov 2026 10:00:00 GMT')]).toEqual([
      206, 200, 200, 200,
    ]);
  });
});

describe('the rules of a site', () => {
  const of = (files: Record<string, string>, base = BASE) =>
    site('dist/index.html', { 'dist/index.html': 'home', 'dist/docs/index.html': 'docs', ...files }, base);
  const redirects = (rules: string, more = {}) => of({ 'dist/_redirects': rules, ...more });

  testRows([
    ['/old /new', 'old', `${BASE}new`],
    ['/old https://example.com/x 302', 'old', 'https://example.com/x'],
  ])('redirects by the rules, and is not cached', (rule, path, location) => {
    const { status, headers, body } = redirects(rule).serve(ask(path));
    expect([status, headers, text(body)]).toEqual([
      rule.includes('302') ? 302 : 301,
      { Location: location, 'Cache-Control': 'no-store' },
      '',
    ]);
  });

  testRows([
    ['/* /index.html 200', 'docs/', 200, 'docs'],
    ['/x /docs 200', 'x', 200, 'docs'],
    ['/a /b 200\n/b /docs/ 200', 'a', 404, 'no such page'],
    ['/a /_redirects 200', 'a', 404, 'no such page'],
    ['/a /../README.md 200', 'a', 404, 'no such page'],
    ['/a /%2e%2e/README.md 200', 'a', 404, 'no such page'],
  ])('serves pages by the rules', (rules, path, status, body) => {
    const response = redirects(rules, { 'README.md': 'secret' }).serve(ask(path));
    expect([response.status, response.headers['Cache-Control']]).toEqual([status, undefined]);
    expect(text(response.body)).toContain(body);
  });

  it('a page that depends on the query is not cached', () => {
    const { serve } = { serve: (path: string, rawQuery = '') => rules.serve(ask(path, { rawQuery })) };
    const rules = redirects('/s x=1 /docs/ 200\n/s /index.html 200\n/ x=1 /docs/ 200');
    expect([text(serve('s').body), text(serve('s', 'x=1').body)]).toEqual(['home', 'docs']);
    for (const query of ['', 'x=1'])
      expect(serve('s', query).headers['Cache-Control']).toBe('no-store, stale-if-error=0');
    // The home page exists, so no query changes it.
    expect(serve('', 'x=1').headers['Cache-Control']).toBeUndefined();
  });

  it('prefixes references to paths that a rule answers, but for those of the service', () => {
    const page = '<a href="/old"><a href="/none"><a href="/app/x"><a href="/api/v1"><a href="/d/x/">';
    const rules = redirects('/old /new\n/app/* /index.html 200\n/api/* /x\n/d/* /x', {
      'dist/index.html': page,
    });
    expect(text(rules.serve(ask('')).body)).toBe(
      `<a href="${BASE}old"><a href="/none"><a href="${BASE}app/x"><a href="/api/v1"><a href="/d/x/">`,
    );
  });

  const HEADERS = `
/*
  X-All: 1
  Access-Control-Allow-Origin: https://example.com
  Content-Type: text/plain
  Cache-Control: public, max-age=60, s-maxage=600
/docs/*
  X-Docs: 1`;

  it('sets the headers of a file, in a 304 too', () => {
    const rules = of({ 'dist/_headers': HEADERS });
    const { headers } = rules.serve(ask('docs/'));
    expect(headers).toMatchObject({
      'x-all': '1',
      'x-docs': '1',
      'Access-Control-Allow-Origin': 'https://example.com',
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=60',
    });
    const conditions = { ifNoneMatch: headers.ETag };
    expect(rules.serve(ask('docs/', { conditions }))).toMatchObject({ status: 304, headers });
  });

  testRows([
    ['a 404 page', { 'dist/404.html': '404' }, false],
    ['200.html', { 'dist/200.html': '200' }, true],
  ])('has them without Cache-Control on a page or a fallback', (_, files, navigation) => {
    const { headers } = of({ 'dist/_headers': HEADERS, ...files }).serve(ask('assets/a.js', { navigation }));
    expect(headers['x-all']).toBe('1');
    expect(headers['Cache-Control']).toBeUndefined();
  });

  it('a redirect and a page of the service do not have them', () => {
    const rules = of({ 'dist/_headers': HEADERS, 'dist/_redirects': '/old /new' });
    for (const path of ['old', 'docs', 'missing']) expect(rules.serve(ask(path)).headers['x-all']).toBeUndefined();
  });
});

const packed = (files: readonly Pick<SiteFile, 'path' | 'content'>[]) =>
  packSite(files.map((file) => ({ ...file, size: Buffer.byteLength(file.content) })));

it('unpacks the files that were packed', () => {
  const files = [
    { path: 'index.html', content: '<title>é</title>' },
    { path: 'ü/日本 語.txt', content: '' },
    { path: 'constructor', content: 'a name like any other' },
    { path: '7', content: new Uint8Array(70_000).fill(7) },
    { path: 'half a pair', content: '\ud800' },
  ];
  const unpacked = unpackSite(packed(files));
  expect([...unpacked.keys()]).toEqual(files.map(({ path }) => path));
  const others = unzipSync(packed(files));
  for (const { path, content } of files) {
    const bytes = Buffer.from(content as string);
    expect([
      path,
      bytes.equals(unpacked.get(path) ?? new Uint8Array()),
      bytes.equals(others[path] ?? new Uint8Array()),
    ]).toEqual([path, true, true]);
  }
});

describe('ids', () => {
  it('are unique and valid in URLs and host names', () => {
    const ids = Array.from({ length: 1000 }, () => randomDeploymentId());
    expect(ids.every((id) => DEPLOYMENT_ID.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(1000);
  });

  it('of a project are stable and depend on owner, projectId and secret', () => {
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

describe('the cache of sites', () => {
  const HASHED = 'index-BkC3x9aZ.js';
  const archive = packed([{ path: 'index.html', content: 'hello' }]);
  const version = (bytes = 10) => aVersion('1', { bytes });

  /** A cache, and the archives that it has read. */
  function newCache(archiveOf: (id: string) => Uint8Array) {
    const reads: string[] = [];
    const cache = new SiteCache({
      archive: async (id) => {
        reads.push(id);
        return archiveOf(id);
      },
    });
    return { cache, reads };
  }

  it('reads a site once for concurrent visits, and again after a failure', async () => {
    let broken = true;
    const { cache, reads } = newCache(() => {
      if (broken) throw new Error('S3 is unreachable');
      return archive;
    });
    await expect(cache.load('a', version(), '/')).rejects.toThrow('S3 is unreachable');
    broken = false;
    const [first, second] = await Promise.all([cache.load('a', version(), '/'), cache.load('a', version(), '/')]);
    expect(first).toBe(second);
    expect(reads).toEqual(['a', 'a']);
  });

  it('evicts the least recently used site', async () => {
    const { cache, reads } = newCache(() => archive);
    const half = 30 * 1_048_576;
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.load(id, version(half), '/');
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps no replaced version that lacks the file, so that it evicts none, and reads it once', async () => {
    const { cache, reads } = newCache((id) => packed([{ path: HASHED, content: id }]));
    const whole = 60 * 1_048_576;
    await cache.load('live', version(whole), '/');
    for (const id of ['a', 'b', 'a', 'b'])
      expect(await cache.loadWith('other-BkC3x9aZ.js', id, version(whole), '/')).toBeUndefined();
    await cache.load('live', version(whole), '/');
    expect(reads).toEqual(['live', 'a', 'b']);
    expect((await cache.loadWith(HASHED, 'a', version(whole), '/'))?.has(HASHED)).toBe(true);
    await cache.load('a', version(whole), '/');
    expect(reads).toEqual(['live', 'a', 'b', 'a']);
  });
});
