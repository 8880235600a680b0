import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { VIEWER_ADDRESS_HEADER } from '../../../lambda/access/viewer-address.ts';
import { NAVIGATION_HEADER } from '../../../lambda/deployments/edge.ts';
import { pages } from '../../../web/pages.ts';

const code = readFileSync('lib/api/viewer-request.js', 'utf8');

function handle(uri: string, headers: Record<string, string> = {}, method = 'GET') {
  const valued = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  const request = { method, uri, querystring: {}, headers: valued, cookies: {} };
  const event = { version: '1.0', context: {}, viewer: { ip: '198.51.100.7' }, request };
  return runInNewContext(`${code}; handler(event)`, { event });
}

it('says who calls, whatever the viewer says', () => {
  const { headers } = handle('/api/v1/generate', { [VIEWER_ADDRESS_HEADER]: '1.2.3.4' });
  expect(headers[VIEWER_ADDRESS_HEADER]).toEqual({ value: '198.51.100.7' });
});

it.each([
  [{ 'sec-fetch-mode': 'navigate' }, '1'],
  [{ 'sec-fetch-mode': 'no-cors', accept: 'text/html' }, '0'],
  [{ accept: 'text/html,application/xhtml+xml' }, '1'],
  [{ accept: '*/*' }, '0'],
  [{}, '0'],
])('%j: a navigation is %s', (headers, expected) => {
  expect(handle('/d/x/', headers as Record<string, string>).headers[NAVIGATION_HEADER]).toEqual({
    value: expected,
  });
});

it.each([
  ['/', '/index.html'],
  ['/docs', '/docs/index.html'],
  ['/docs/', '/docs/index.html'],
  ['/d/abc', '/d/abc'],
  ['/d/abc/docs/', '/d/abc/docs/'],
  ['/api/v1/generate', '/api/v1/generate'],
])('%s is served from %s', (uri, expected) => expect(handle(uri).uri).toBe(expected));

it('knows the pages that there are, and has a page for the others', () => {
  const keys = ['/', '/docs'].map((uri) => handle(uri).uri.slice(1));
  expect(keys.toSorted()).toEqual(Object.keys(pages()).toSorted());
  for (const uri of ['/nope', '/docs/nope', '/favicon.ico', '/api', '/index.html']) {
    expect(handle(uri)).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
    });
  }
});

it('refuses a body that no Lambda event holds, in JSON', () => {
  const limit = 4_694_016;
  const event = (body: number) => Math.ceil(body / 3) * 4 + 2 * 10_240 + 2_048;
  expect(event(limit)).toBeLessThanOrEqual(6_291_456);
  expect(handle('/api/v1/deploy', { 'content-length': String(limit) }, 'POST').uri).toBe('/api/v1/deploy');
  const refusal = handle('/api/v1/deploy', { 'content-length': String(limit + 1) }, 'POST');
  expect(refusal.statusCode).toBe(413);
  expect(JSON.parse(refusal.body.data)).toEqual({ error: expect.stringContaining('Content-Encoding: gzip') });
});
