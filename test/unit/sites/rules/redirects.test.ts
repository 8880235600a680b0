import fc from 'fast-check';
import { readRedirects, redirectOf } from '../../../../lambda/sites/rules/redirects.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';
import { runs } from '../../../support/soak.ts';
import { anyCharacter } from '../../../support/unicode.ts';

const BASE = '/d/abcdefghijkl/';
const bytes = (text: string) => Buffer.from(text);

/** Returns the outcome of a request (`/path?query`) as `301 /location`, `200 path`, or undefined without a rule. */
function ask(file: string, url: string, { exists = false, base = '/' } = {}): string | undefined {
  const [path = '', rawQuery = ''] = url.split('?', 2);
  const request = { path: decodeURIComponent(path).slice(1), rawQuery, exists };
  const { outcome } = redirectOf(readRedirects(bytes(file)), request, base);
  return outcome && `${outcome.status} ${'location' in outcome ? outcome.location : outcome.path}`;
}

// https://docs.netlify.com/manage/routing/redirects/overview/
describe('the syntax of the file', () => {
  const overview = `
# Redirects from what the browser requests to what we serve
/home              /
/blog/my-post.php  /blog/my-post
/news              /blog
/cuties            https://www.petsofnetlify.com
/authors/c%C3%A9line  /authors/about-c%C3%A9line
/tabs\t/spaces\t302   # a comment at the end
/news              /never
   /indented       /x#part
`;
  testRows([
    ['/home', '301 /'],
    ['/cuties', '301 https://www.petsofnetlify.com/'],
    ['/tabs', '302 /spaces'],
    ['/indented', '301 /x#part'],
    ['/HOME', undefined],
  ])('is that of Netlify', (url, expected) => expect(ask(overview, url)).toBe(expected));

  it('accepts lines of Windows and a byte order mark', () => {
    expect(ask('\ufeff/a /b\r\n/c /d 302\r\n', '/a')).toBe('301 /b');
    expect(ask('\ufeff/a /b\r\n/c /d 302\r\n', '/c')).toBe('302 /d');
  });
});

// https://docs.netlify.com/manage/routing/redirects/redirect-options/#http-status-codes
describe('the status', () => {
  testRows([303, 307, 308])('of a redirect is that of the rule', (status) => {
    expect(ask(`/a /b ${status}`, '/a')).toBe(`${status} /b`);
  });

  testRows([
    ['/ecommerce /store-closed 404', '/ecommerce', '404 store-closed'],
    ['/en/* /en/404.html 404', '/en/nope', '404 en/404.html'],
  ])('200 or 404 serves a page', (file, url, expected) => expect(ask(file, url)).toBe(expected));

  testRows(['/a /b 200', '/a /b 301', '/a /b 404'])('does not hide a file unless the rule is forced', (rule) => {
    expect(ask(rule, '/a', { exists: true })).toBeUndefined();
    expect(ask(`${rule}!`, '/a', { exists: true })).toBe(ask(rule, '/a'));
  });

  it('the first matching rule decides, even if a later one is forced', () => {
    expect(ask('/a /b\n/a /c 301!', '/a', { exists: true })).toBeUndefined();
  });
});

// https://docs.netlify.com/manage/routing/redirects/redirect-options/#splats
testRows([
  ['/news/* /blog/:splat', '/news/2004/01/10/my-story', '301 /blog/2004/01/10/my-story'],
  ['/news/* /blog/:splat', '/news/', '301 /blog/'],
  ['/news/* /blog/:splat', '/news', '301 /blog/'],
  ['/news/* /blog/:splat', '/news/2004/', '301 /blog/2004/'],
  ['/news/* /blog/:splat', '/newspaper', undefined],
  ['/app* /new:splat', '/app-x/y', '301 /new-x/y'],
  ['/*.php /:splat', '/a/b.php', '301 /a/b'],
  ['/news/:year /blog/:year', '/news/', undefined],
  ['/posts/:y/:m /p/:y-:m.html 200', '/posts/2004/02', '200 p/2004-02.html'],
  ['/two/*/stars/* /x', '/two/1/stars/2', undefined],
  ['/old/* https://example.com:8443/x?from=:splat', '/old/a/b', '301 https://example.com:8443/x?from=a%2Fb'],
])('splats and placeholders fill the target', (file, url, expected) => expect(ask(file, url)).toBe(expected));

// https://docs.netlify.com/manage/routing/redirects/redirect-options/#query-parameters
describe('query parameters', () => {
  const articles = `
/store    id=:id            /blog/:id        301
/articles id=:id tag=:tag   /posts/:tag/:id  301
/articles id=:id            /posts/:id       301
/articles                   /posts           301
/         page=news         /news
/search   q=:query          /find?term=:query&all=1
/show     color=:value      /_color/:value.html 200`;
  testRows([
    ['/store', undefined],
    ['/articles?id=1&utm=x', '301 /posts/1'],
    ['/?page=news', '301 /news'],
    ['/?page=other', undefined],
  ])('select the rule and fill the target', (url, expected) => expect(ask(articles, url)).toBe(expected));

  testRows([
    ['/a /b', '/a?x=1&y=%20', '301 /b?x=1&y=%20'],
    ['/a /b#part', '/a?x=1', '301 /b?x=1#part'],
    ['/a https://example.com 302', '/a?x=1', '302 https://example.com/?x=1'],
  ])('are passed on, unless the target has some', (file, url, expected) => {
    expect(ask(file, url)).toBe(expected);
  });

  testRows([
    ['/a', false, true],
    ['/a?x=1', false, true],
    ['/b', false, false],
    ['/a', true, false],
    ['/c', true, true],
  ])('make a result depend on the query', (url, exists, byQuery) => {
    const rules = readRedirects(bytes('/b /x\n/a x=1 /y\n/c x=1 /z 301!'));
    const [path = '', rawQuery = ''] = url.slice(1).split('?');
    expect(redirectOf(rules, { path, rawQuery, exists }, '/').byQuery).toBe(byQuery);
  });
});

// https://docs.netlify.com/manage/routing/redirects/redirect-options/#trailing-slash
testRows([
  ['/blog/remove-my-slashes/ /blog/remove-my-slashes 301!', '/blog/remove-my-slashes/'],
  ['/* /:splat 301!', '/a/b'],
])('a slash at the end skips a redirect to the path itself', (file, url) => {
  expect(ask(file, url, { exists: true })).toBeUndefined();
});

// https://docs.netlify.com/manage/routing/redirects/rewrites-proxies/#proxy-to-another-service
describe('what is not supported', () => {
  testRows([
    ['a proxy', '/a https://api.example.com/:splat 200'],
    ['a country', '/a /cn 302 Country=cn,hk'],
    ['another status', '/a /b 418'],
    ['a status of two digits', '/a /b 30'],
    ['no target', '/a'],
    ['another scheme', '/a javascript:alert(1)'],
    ['a parameter without a value', '/a x /b'],
    ['a host that the visitor chooses', '/a x=:x https://:x/'],
    ['a host that continues with a splat', '/* https://example.com:splat'],
    ['a user name', '/a https://example.com@evil.example/'],
    ['malformed escapes', '/%zz /b'],
    ['a line that is too long', `/a /b${' '.repeat(2_000)}`],
  ])('is ignored, and the other rules are not', (_, line) => {
    const file = `/before /x\n${line}\n/after /y`;
    expect(ask(file, '/a', { exists: false })).toBeUndefined();
    expect(ask(file, '/before')).toBe('301 /x');
    expect(ask(file, '/after')).toBe('301 /y');
  });

  it('reads 1,000 rules', () => {
    const file = Array.from({ length: 1_001 }, (_, i) => `/${i} /to\n# comment\n`).join('\n');
    expect(ask(file, '/999')).toBe('301 /to');
    expect(ask(file, '/1000')).toBeUndefined();
  });
});

describe('the target of a redirect', () => {
  testRows([
    ['/a /b', '/a', `301 ${BASE}b`],
    ['/a /', '/a?x=1', `301 ${BASE}?x=1`],
    ['/a https://example.com/b', '/a', '301 https://example.com/b'],
    ['/a /b 200', '/a', '200 b'],
  ])('is relative to the site', (file, url, expected) => {
    expect(ask(file, url, { base: BASE })).toBe(expected);
  });

  testRows(['..%2F..%2Fother', '.%2e/x', 'a/../../../other', '%2e%2e'])('never leaves the site', (splat) => {
    const location = ask('/go/* /:splat', `/go/${splat}`, { base: BASE });
    if (location) expect(new URL(location.slice(4), 'http://site').pathname).toContain(BASE);
  });

  testRows([
    ['/go/* /:splat', '/go//evil.example/x', '301 /evil.example/x'],
    ['/go/* /:splat', '/go/%5Cevil.example', '301 /%5Cevil.example'],
    ['/go/:x /:x', '/go/%2F%2Fevil.example', undefined],
    ['/go/:x /:x', '/go/%09', '301 /%09'],
    ['/go //evil.example', '/go', '301 /evil.example'],
    ['/go /\\evil.example', '/go', '301 /%5Cevil.example'],
    ['/go/* /x/:splat', '/go/a%0D%0ASet-Cookie:%20a=b', '301 /x/a%0D%0ASet-Cookie%3A%20a%3Db'],
    ['/go x=:x /b?y=:x', '/go?x=%0D%0Aa%26b', '301 /b?y=%0D%0Aa%26b'],
    ['/go /b', '/go?a\r\nb', '301 /b?a%0D%0Ab'],
    ['/go /caf\u00e9', '/go', '301 /caf%C3%A9'],
  ])('stays on the origin and in one header', (file, url, expected) => {
    expect(ask(file, url)).toBe(expected);
  });
});

const WORDS = ['/', '/a', '/:x', '/*', '*', ':splat', '/a/:b/*', 'x=:x', 'y=1', '301', '200!', '404', '#', '\n', '%zz'];
const line = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: anyCharacter, maxLength: 8 })), {
    maxLength: 8,
  })
  .map((words) => words.join(' '));
const file = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
const path = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom('a', '/', '.', '..', '%', '\\', ':', '\n') }),
);

it('any file and request have a result that is valid in a header and leads to no other origin', () => {
  const property = (text: string, path: string, rawQuery: string, exists: boolean) => {
    const { outcome } = redirectOf(readRedirects(bytes(text)), { path, rawQuery, exists }, BASE);
    if (outcome === undefined || 'path' in outcome) return;
    expect(outcome.location).toMatch(/^[\x21-\x7e]+$/);
    const { origin, pathname } = new URL(outcome.location, 'http://site');
    if (!/https?:/i.test(text)) expect([origin, pathname.startsWith(BASE)]).toEqual(['http://site', true]);
  };
  fc.assert(fc.property(file, path, fc.string({ unit: anyCharacter }), fc.boolean(), property), {
    numRuns: runs(2_000),
  });
});

testRows([
  ['an asterisk in front', '/*a'],
  ['placeholders', '/:a/:b/:c/*'],
  ['an asterisk behind a long text', `/${'a/'.repeat(900)}*x`],
])('a match takes time in proportion to the path', (_, from) => {
  const matching = (pattern: string) => {
    const rules = readRedirects(bytes(`${pattern} /:splat 302\n`.repeat(30)));
    return () => redirectOf(rules, { path: repeated('a/'), rawQuery: '', exists: false }, BASE);
  };
  linearTime(matching('/*'))(matching(from));
});

const ignoredBy = (file: string) => {
  const reasons: string[] = [];
  const rules = readRedirects(bytes(file), (_, reason) => reasons.push(reason));
  return [rules.length, new Set(reasons)] as const;
};

it('ignores what no site has and every request would cost', () => {
  const many = (count: number) => '/:a'.repeat(count);
  expect(ignoredBy(`${many(10)} /b\n${many(11)} /b`)).toEqual([1, new Set([`${many(11)} is not a path of the site`])]);
  const long = `/${'a'.repeat(996)} /b\n`;
  expect(ignoredBy(long.repeat(101))).toEqual([100, new Set(['the rules have more than 100000 characters'])]);
});
