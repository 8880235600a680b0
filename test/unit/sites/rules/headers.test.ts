import fc from 'fast-check';
import { headersOf, readHeaders } from '../../../../lambda/sites/rules/headers.ts';
import { testRows } from '../../../support/rows.ts';
import { runs } from '../../../support/soak.ts';
import { anyCharacter } from '../../../support/unicode.ts';

const headers = (file: string, path: string) => headersOf(readHeaders(Buffer.from(file)), path.slice(1));

// https://docs.netlify.com/manage/routing/headers/#syntax-for-the-_headers-file
describe('the syntax of the file', () => {
  const documented = `
# a path:
/templates/index.html
  # headers for that path:
  X-Frame-Options: DENY
  X-XSS-Protection: 1; mode=block
# another path:
/templates/index2.html
  # headers for that path:
  X-Frame-Options: SAMEORIGIN`;
  testRows([
    ['/templates/index.html', { 'x-frame-options': 'DENY', 'x-xss-protection': '1; mode=block' }],
    ['/templates/index2.html', { 'x-frame-options': 'SAMEORIGIN' }],
    ['/templates/index3.html', {}],
    ['/', {}],
  ])('gives each path its headers', (path, expected) => expect(headers(documented, path)).toEqual(expected));

  it('accepts names in any case, tabs, values with colons and lines of Windows', () => {
    const file = "/*\r\n\tcontent-security-policy:  default-src https://a.example:8443 'self'\r\n\tLINK : </a>; rel=x";
    expect(headers(file, '/x')).toEqual({
      'Content-Security-Policy': "default-src https://a.example:8443 'self'",
      Link: '</a>; rel=x',
    });
  });

  it('joins the values of a name that is repeated', () => {
    const file = '/*\n  cache-control: max-age=0\n  cache-control: no-cache\n  Cache-Control: must-revalidate';
    expect(headers(file, '/')).toEqual({ 'Cache-Control': 'max-age=0, no-cache, must-revalidate' });
  });

  it('combines all matching patterns, of which the last one decides about a header', () => {
    const file = '/*\n  X-A: 1\n  X-B: 1\n/docs/*\n  X-B: 2\n  X-C: 2\n/docs/a\n  X-C: 3';
    expect(headers(file, '/docs/a')).toEqual({ 'x-a': '1', 'x-b': '2', 'x-c': '3' });
    expect(headers(file, '/docs/b')).toEqual({ 'x-a': '1', 'x-b': '2', 'x-c': '2' });
    expect(headers(file, '/other')).toEqual({ 'x-a': '1', 'x-b': '1' });
  });
});

// https://docs.netlify.com/manage/routing/headers/#wildcards-and-placeholders-in-paths
describe('patterns', () => {
  testRows([
    ['/assets/*', '/assets/a/b.js', true],
    ['/assets/*', '/assets', true],
    ['/assets/*', '/assets2/a', false],
    ['/*.js', '/a/b.js', true],
    ['/*.js', '/a/b.json', false],
    ['/:lang/home', '/en/us/home', false],
    ['/docs/', '/docs', true],
    ['/caf%C3%A9', '/caf\u00e9', true],
  ])('match paths as Netlify documents them', (pattern, path, matches) => {
    expect(headers(`${pattern}\n  X-A: 1`, path)).toEqual(matches ? { 'x-a': '1' } : {});
  });

  it('headers of a URL or of an invalid pattern do not become those of the path before', () => {
    expect(headers('/a\n  X-A: 1\nhttps://example.com/a\n  X-B: 1\n/%zz*/*\n  X-C: 1', '/a')).toEqual({
      'x-a': '1',
    });
    expect(headers('  X-A: 1\n/a\n  X-B: 1', '/a')).toEqual({ 'x-b': '1' });
  });
});

describe('a header that a site may set', () => {
  testRows([
    ['Content-Security-Policy', "default-src 'self'"],
    ['Content-Security-Policy-Report-Only', "default-src 'self'"],
    ['Access-Control-Allow-Origin', 'https://example.com'],
    ['Access-Control-Allow-Methods', 'GET'],
    ['Referrer-Policy', 'no-referrer'],
    ['Permissions-Policy', 'camera=()'],
    ['Content-Language', 'de'],
    ['Timing-Allow-Origin', '*'],
  ])('reaches visitors', (name, value) => {
    expect(headers(`/a\n  ${name}: ${value}`, '/a')).toEqual({ [name]: value });
  });

  testRows(['X-Robots-Tag', 'X-My-Header', 'X-Realm'])('is known by its name', (name) => {
    expect(headers(`/a\n  ${name}: v`, '/a')).toEqual({ [name.toLowerCase()]: 'v' });
  });
});

describe('a header that a site may not set', () => {
  // https://docs.netlify.com/manage/routing/headers/#limitations
  const netlify =
    'Accept-Ranges Age Allow Alt-Svc Connection Content-Encoding Content-Length Content-Range Date Location Server Set-Cookie Trailer Transfer-Encoding Upgrade';
  const own =
    'Content-Type ETag Last-Modified Expires Vary Cache-Tag Strict-Transport-Security Clear-Site-Data Service-Worker-Allowed Keep-Alive Proxy-Authenticate WWW-Authenticate Refresh Report-To NEL Via Pragma Surrogate-Control CDN-Cache-Control';
  const reserved =
    'X-Content-Type-Options X-Accel-Redirect X-Sendfile X-Amz-Meta-A X-Amzn-RequestId X-Cache X-Edge-Location X-Forwarded-For X-Ptp-Navigation X-RateLimit-Limit X-Deployment-Token X-Request-Id X-Api-Key';
  const shared =
    'Cross-Origin-Opener-Policy Cross-Origin-Opener-Policy-Report-Only Cross-Origin-Embedder-Policy Cross-Origin-Embedder-Policy-Report-Only Origin-Agent-Cluster Document-Policy Document-Isolation-Policy Integrity-Policy';
  testRows([netlify, own, reserved, shared].flatMap((names) => names.split(' ')))('is left out in any case', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()])
      expect(headers(`/a\n  ${spelled}: 1\n  X-After: 1`, '/a')).toEqual({ 'x-after': '1' });
  });

  testRows([
    'X A: 1',
    'X-A\u00e9: 1',
    ': 1',
    'X-A:',
    'X-A',
    'X-: 1',
    'X-A: caf\u00e9',
    'X-A: a\u0000b',
    'X-A: a\u007f',
  ])('is malformed', (line) => expect(headers(`/a\n  ${line}\n  X-After: 1`, '/a')).toEqual({ 'x-after': '1' }));
});

testRows([
  ['public, max-age=31536000, immutable', 'public, max-age=31536000, immutable'],
  ['PUBLIC,Max-Age=60', 'public, max-age=60'],
  ['no-cache, no-transform, must-revalidate', 'no-cache, no-transform, must-revalidate'],
  ['no-store', 'no-store'],
  ['private, no-cache="Set-Cookie, s-maxage=1"', 'private'],
  ['s-maxage=99', undefined],
  ['max-age=-1, nonsense', undefined],
])('Cache-Control has only what is for browsers', (value, expected) => {
  expect(headers(`/a\n  Cache-Control: ${value}`, '/a')['Cache-Control']).toBe(expected);
});

describe('limits', () => {
  it('a line has 2,000 characters, and 1,000 lines count', () => {
    expect(headers(`/a\n  X-A: ${'a'.repeat(2_000)}\n  X-B: 1`, '/a')).toEqual({ 'x-b': '1' });
    const file = Array.from({ length: 500 }, (_, i) => `/${i}\n  X-A: 1\n`).join('\n# comment\n');
    expect(headers(`${file}/late\n  X-A: 1`, '/499')).toEqual({ 'x-a': '1' });
    expect(headers(`${file}/late\n  X-A: 1`, '/late')).toEqual({});
  });

  it('a response has at most 8,192 bytes of them', () => {
    const file = Array.from({ length: 20 }, (_, i) => `  X-A${i}: ${'a'.repeat(1_000)}\n`).join('');
    expect(Object.keys(headers(`/a\n${file}`, '/a'))).toHaveLength(8);
  });
});

it('any file has headers that are valid', () => {
  const word = fc.constantFrom(
    '/*\n',
    '/a',
    ':',
    ' ',
    '\n',
    'X-A: 1',
    'Link',
    'Cache-Control: max-age=1',
    ',',
    '\r',
    '\0',
  );
  const text = fc.array(fc.oneof(word, fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 20 });
  const property = (words: string[], path: string) => {
    for (const [name, value] of Object.entries(headers(words.join(''), `/${path}`)))
      expect(`${name}: ${value}`).toMatch(/^[A-Za-z0-9-]+: [\t\x20-\x7e]+$/);
  };
  fc.assert(fc.property(text, fc.string({ unit: anyCharacter }), property), { numRuns: runs(2_000) });
});
