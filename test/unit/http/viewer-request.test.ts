import { runInNewContext } from 'node:vm';
import { VIEWER_ADDRESS_HEADER, VIEWER_HOST_HEADER } from '../../../lambda/access/viewer-address.ts';
import { NAVIGATION_HEADER, QUERY_HEADER, sentPath } from '../../../lambda/sites/edge.ts';
import { edgeCode } from '../../../lib/front-door/behaviors.ts';
import { testRows } from '../../support/rows.ts';

const PAGES = ['index.html', 'docs/index.html', 'docs.md', '.well-known/some/index.json', 'api/v1/openapi.json'];

function handle(
  uri: string,
  headers: Record<string, string> = {},
  method = 'GET',
  file = 'viewer-request',
  querystring = {},
  query: string | undefined = undefined,
) {
  const code = edgeCode(['navigation', file], PAGES);
  const valued = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  const rawQueryString = () => query;
  const request = { method, uri, querystring, rawQueryString, headers: valued, cookies: {} };
  const event = { version: '1.0', context: {}, viewer: { ip: '198.51.100.7' }, request };
  return runInNewContext(`${code}; handler(event)`, { event });
}

it('overwrites the viewer address that a viewer sends', () => {
  const { headers } = handle('/api/v1/generate', { [VIEWER_ADDRESS_HEADER]: '1.2.3.4' });
  expect(headers[VIEWER_ADDRESS_HEADER]).toEqual({ value: '198.51.100.7' });
});

it('passes on the Host header and overwrites the viewer host that a viewer sends', () => {
  const sent = { host: 'ptp.example.com', [VIEWER_HOST_HEADER]: 'elsewhere.example' };
  const { headers } = handle('/api/v1/generate', sent);
  expect(headers[VIEWER_HOST_HEADER]).toEqual({ value: 'ptp.example.com' });
});

testRows([
  [{ 'sec-fetch-mode': 'navigate' }, '1'],
  [{ 'sec-fetch-mode': 'no-cors', accept: 'text/html' }, '0'],
  [{ accept: 'text/html,application/xhtml+xml' }, '1'],
  [{ accept: '*/*' }, '0'],
  [{}, '0'],
])('sets the navigation header', (headers, expected) => {
  expect(handle('/d/x/', headers as Record<string, string>).headers[NAVIGATION_HEADER]).toEqual({
    value: expected,
  });
});

testRows([
  ['/', '/index.html'],
  ['/docs', '/docs/index.html'],
  ['/docs/', '/docs/index.html'],
  ['/docs.md', '/docs.md'],
  ['/console/codemirror-0A1B2C3D.js', '/console/codemirror-0A1B2C3D.js'],
  ['/.well-known/some/index.json', '/.well-known/some/index.json'],
  ['/api/v1/openapi.json', '/api/v1/openapi.json'],
  ['/d/abc', '/d/abc'],
  ['/mcp', '/mcp'],
  ['/mcp/', '/mcp'],
  ['/d/abc/docs/', '/d/abc/docs/'],
  ['/api/v1/generate', '/api/v1/generate'],
])('rewrites paths', (uri, expected) => expect(handle(uri).uri).toBe(expected));

testRows([
  '/nope',
  '/docs/nope',
  '/console/',
  '/console/codemirror.js',
  '/console/a/codemirror-0A1B2C3D.js',
  '/favicon.ico',
  '/api',
  '/index.html',
  '/docs.md/',
  '/constructor',
  '/mcp/x',
])('responds to browsers at other paths with a 404 page', (uri) => {
  expect(handle(uri, { accept: 'text/html,*/*' })).toMatchObject({
    statusCode: 404,
    headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
  });
});

testRows([
  ['POST', '//api/v1/generate', 404, 'There is no POST //api/v1/generate; the path is /api/v1/generate'],
  ['GET', '/mcp//', 404, 'There is no GET /mcp//; the path is /mcp'],
  ['POST', '/v1/chat/completions', 404, 'There is no POST /v1/chat/completions; see /docs for the operations'],
  ['GET', '/v1/models', 404, 'There is no GET /v1/models; see /docs for the operations'],
  ['OPTIONS', '/v1/models', 404, 'There is no OPTIONS /v1/models; see /docs for the operations'],
  ['POST', '/docs/', 405, '/docs/ supports GET and HEAD only, not POST'],
] as const)('responds to programs at other paths with JSON', (method, uri, statusCode, error) => {
  const accept = method === 'POST' ? 'text/html' : '*/*';
  const response = handle(uri, { accept }, method);
  expect(response).toMatchObject({ statusCode, headers: { 'content-type': { value: 'application/json' } } });
  expect(JSON.parse(response.body.data)).toEqual({ error });
});

it('leaves the form for reports to the API', () => {
  expect(handle('/report', {}, 'POST').uri).toBe('/report');
});

it('gives the service workers of sites a script that unregisters them', () => {
  const worker = { 'service-worker': 'script' };
  const { statusCode, headers, body } = handle('/d/abc/sw.js', worker);
  expect([statusCode, headers['content-type'].value]).toEqual([200, 'text/javascript']);
  expect(body.data).toContain('registration.unregister()');
  expect(handle('/docs.md', worker)).toMatchObject({ statusCode: 404 });
  expect(handle('/d/abc/sw.js').uri).toBe('/d/abc/sw.js');
});

describe('a request with a body', () => {
  const limit = 4_694_016;
  /** @param length in bytes; for an unknown length, HTTP/1.1 sends chunks, HTTP/2 and 3 no header at all */
  const send = (uri: string, length: number | 'chunked' | 'unannounced') => {
    const framing = length === 'chunked' ? { 'transfer-encoding': 'chunked' } : {};
    return handle(uri, typeof length === 'number' ? { 'content-length': String(length) } : framing, 'POST');
  };

  it('fits into a Lambda event up to the limit', () => {
    const event = (body: number) => Math.ceil(body / 3) * 4 + 2 * 10_240 + 2_048;
    expect(event(limit)).toBeLessThanOrEqual(6_291_456);
  });

  testRows([
    ['/api/v1/deploy', limit, '/api/v1/deploy'],
    ['/api/v1/deploy', limit + 1, '/api/v1/deploy/staged'],
    ['/api/v1/deploy', 10_485_760, '/api/v1/deploy/staged'],
    ['/api/v1/deploy', 'chunked', '/api/v1/deploy/staged'],
    ['/api/v1/deploy', 'unannounced', '/api/v1/deploy/staged'],
    ['/api/v1/deploy', 0, '/api/v1/deploy'],
    ['/api/v1/deploy/staged', 10_485_760, '/api/v1/deploy/staged'],
    ['/api/v1/generate', limit, '/api/v1/generate'],
    ['/api/v1/generate', 'chunked', '/api/v1/generate'],
    ['/api/v1/generate', 'unannounced', '/api/v1/generate'],
    ['/api/v1/deploy/', limit, '/api/v1/deploy/'],
  ] as const)('is sent to API Gateway or to the bucket by its size', (uri, length, expected) => {
    expect(send(uri, length).uri).toBe(expected);
  });

  testRows([
    ['/api/v1/deploy', 10_485_761],
    ['/api/v1/deploy/staged', 10_485_761],
    ['/api/v1/generate', limit + 1],
    ['/api/v1/deployments/x/rollback', limit + 1],
  ])('that is too large is rejected with a JSON error', (uri, length) => {
    const refusal = send(uri, length);
    expect(refusal.statusCode).toBe(413);
    expect(JSON.parse(refusal.body.data)).toEqual({
      error: expect.stringContaining('Content-Encoding: gzip'),
    });
    const packed = handle(uri, { 'content-length': String(length), 'content-encoding': 'gzip' }, 'POST');
    expect(JSON.parse(packed.body.data).error).toMatch(/: send fewer or smaller files$/);
  });
});

describe('a root-relative request of a deployed page', () => {
  const referer = 'https://ptp.example.com/d/0123456789ab/deep/page.html';
  const host = 'ptp.example.com';

  testRows([
    ['/app.js', '/d/0123456789ab/app.js'],
    ['/', '/d/0123456789ab/'],
    ['/docs', '/d/0123456789ab/docs'],
  ])('is redirected into the deployment', (uri, location) => {
    expect(handle(uri, { referer, host })).toMatchObject({
      statusCode: 307,
      headers: { location: { value: location }, 'cache-control': { value: 'no-store' } },
    });
  });

  it('keeps its query', () => {
    const query = { a: { value: '1', multiValue: [{ value: '1' }, { value: '%20' }] }, b: { value: '' } };
    const response = handle('/x', { referer, host }, 'GET', 'viewer-request', query);
    expect(response.headers.location.value).toBe('/d/0123456789ab/x?a=1&a=%20&b');
  });

  testRows([
    ['/api/v1/generate', { referer, host }],
    ['/d/ba9876543210/x', { referer, host }],
  ])('is left to the service', (uri, headers) => expect(handle(uri, headers).uri).toBe(uri));

  testRows([
    [{ referer: 'https://elsewhere.example/d/0123456789ab/', host }],
    [{ referer: 'https://ptp.example.com/docs/', host }],
    [{ referer: 'https://ptp.example.com/d/0123456789abc/', host }],
    [{ host }],
  ])('is not assumed without the referrer of a page', (headers) => {
    expect(handle('/app.js', headers as Record<string, string>).statusCode).toBe(404);
  });
});

it('rewrites requests to the own origin of a deployment', () => {
  const sent = { host: '0123456789AB.sites.example.com', [VIEWER_ADDRESS_HEADER]: '1.2.3.4' };
  const request = handle('/a/b', sent, 'GET', 'own-origin-request');
  expect(request.uri).toBe('/own/0123456789ab/a/b');
  expect(request.headers[NAVIGATION_HEADER]).toEqual({ value: '0' });
  expect(request.headers[VIEWER_ADDRESS_HEADER]).toEqual({ value: '198.51.100.7' });
});

it('keeps the path of a custom domain, and overwrites the viewer address', () => {
  const sent = { host: 'www.example.com', [VIEWER_ADDRESS_HEADER]: '1.2.3.4' };
  const request = handle('/a', sent, 'GET', 'tenant-request');
  expect(request.uri).toBe('/a');
  expect(request.headers[NAVIGATION_HEADER]).toEqual({ value: '0' });
  expect(request.headers[VIEWER_ADDRESS_HEADER]).toEqual({ value: '198.51.100.7' });
});

it('hands over the query as it was sent, and overwrites what a viewer sends', () => {
  const query = 'q=a+b%2Bc&r=%28';
  const sent = { host: 'www.example.com', [QUERY_HEADER]: 'forged' };
  expect(handle('/d/x/', sent, 'GET', 'viewer-request', {}, query).headers[QUERY_HEADER]).toEqual({
    value: query,
  });
  expect(handle('/', sent, 'GET', 'tenant-request').headers[QUERY_HEADER]).toEqual({ value: '' });
});

testRows([
  ['/a/b.css', '/a/b.css'],
  ['/', '/'],
  ['/~/a', '/~/~2f~7e~2fa'],
  ['/a%20b+(c)@d', '/~/~2fa~2520b~2b~28c~29~40d'],
  ['/%C3%A9.png', '/~/~2f~25C3~25A9~2epng'],
  ['/\u00e9', '/~/~2f~25C3~25A9'],
  ['/a//b', '/~/~2fa~2f~2fb'],
  ['/../.well-known/x', '/~/~2f~2e~2e~2f~2ewell-known~2fx'],
])(
  'replaces a path that CloudFront and Lambda may sign differently, which the site function restores',
  (sent, signed) => {
    const host = 'www.example.com';
    const uris = [
      handle(`/d/hpofctv62tkj${sent}`, { host }).uri,
      handle(sent, { host: 'hpofctv62tkj.sites.example.com' }, 'GET', 'own-origin-request').uri,
      `/own/hpofctv62tkj${handle(sent, { host }, 'GET', 'tenant-request').uri}`,
    ];
    expect(uris[1]).toBe(`/own/hpofctv62tkj${signed}`);
    for (const uri of uris) expect(uri).toMatch(/^[\w.~/-]+$/);
    const path = sent.replace('\u00e9', '%C3%A9');
    expect(uris.map(sentPath)).toEqual([
      `/d/hpofctv62tkj${path}`,
      `/own/hpofctv62tkj${path}`,
      `/own/hpofctv62tkj${path}`,
    ]);
  },
);

it('removes only the challenge from a response', () => {
  const headers = { 'www-authenticate': { value: 'Bearer' }, 'x-kept': { value: '1' } };
  const event = { response: { statusCode: 200, headers, cookies: {} } };
  const response = runInNewContext(`${edgeCode(['viewer-response'], PAGES)}; handler(event)`, { event });
  expect(response.headers).toEqual({ 'x-kept': { value: '1' } });
});
