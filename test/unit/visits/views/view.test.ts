import type { SiteResponse } from '../../../../lambda/sites/serving/respond.ts';
import { type ViewRequest, viewOf } from '../../../../lambda/visits/views/view.ts';
import { linearTime, repeated } from '../../../support/linear-time.ts';
import { testRows } from '../../../support/rows.ts';

const ID = 'abcdefghijkl';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const requestOf = (headers: ViewRequest['headers'] = {}, more: Partial<ViewRequest> = {}): ViewRequest => ({
  method: 'GET',
  rawPath: `/d/${ID}/`,
  headers: {
    'x-ptp-navigation': '1',
    'x-ptp-viewer-address': '2001:db8::1',
    'user-agent': BROWSER,
    ...headers,
  },
  ...more,
});
const served = (path = '', isFile = true): SiteResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: new Uint8Array(),
  served: { path, isFile },
});

testRows<[request: ViewRequest, response: SiteResponse, isView: boolean]>([
  [requestOf(), served(), true],
  [requestOf({}, { rawPath: `/own/${ID}/about` }), served('about'), true],
  [requestOf({}, { method: 'HEAD' }), served(), false],
  [requestOf({ 'x-ptp-navigation': '0' }), served(), false],
  [requestOf({ 'sec-purpose': 'prefetch' }), served(), false],
  [requestOf({ 'sec-purpose': 'prefetch;prerender' }), served(), false],
  [requestOf({ 'x-ptp-own-call': 'secret' }), served(), false],
  [requestOf(), { ...served(), headers: { 'Content-Type': 'image/png' } }, false],
  [requestOf(), { ...served(), headers: {} }, false],
  [requestOf(), { ...served(), status: 206 }, false],
  [requestOf(), { ...served(), status: 416 }, false],
])('counts navigations that got a page of the site', (request, response, isView) => {
  expect(viewOf(request, response) !== undefined).toBe(isView);
});

test('counts no notice in place of a site', () => {
  const { served: _, ...notice } = served();
  expect(viewOf(requestOf(), { ...notice, status: 410 })).toBeUndefined();
});

testRows([
  [BROWSER, false],
  [`${BROWSER} Edg/156.0.0.0`, false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)', true],
  ['curl/8.4.0', true],
  ['node', true],
  [undefined, true],
])('distinguishes programs from people by their user agent', (userAgent, isBot) => {
  expect(viewOf(requestOf({ 'user-agent': userAgent }), served())?.isBot).toBe(isBot);
});

test('reads hostile user agents in linear time', () => {
  const view = (text: string) => () => viewOf(requestOf({ 'user-agent': text }), served());
  const isLinear = linearTime(view(BROWSER));
  for (const unit of ['Mozilla/5.0 ', 'compatible; ', 'http', '(', ' ', 'a-b/']) isLinear(view(repeated(unit)));
});

testRows([
  [served('x'.repeat(199)), ['pages', `/${'x'.repeat(199)}`]],
  [served('x'.repeat(200), false), ['fallbacks', '']],
  [served('€'.repeat(67), false), ['fallbacks', '']],
  [served('a\u001b[31m', false), ['fallbacks', '']],
])('names the path, and counts paths that cannot be shown with the others', (response, name) => {
  expect(viewOf(requestOf(), response)?.names).toEqual([name]);
});

testRows([
  ['https://www.Example.com/search?q=secret', 'example.com'],
  ['http://news.example:8080/', 'news.example'],
  ['https://user:password@example.com/', 'example.com'],
  ['android-app://com.example/', undefined],
  [`https://service.example/d/${ID}/other`, undefined],
  [`https://${ID}.sites.example/other`, undefined],
])('names the host of the site that refers, and nothing else of the address', (referer, host) => {
  const names = viewOf(requestOf({ referer }), served(), [`${ID}.sites.example`])?.names ?? [];
  expect(names.slice(1)).toEqual(host === undefined ? [] : [['referrers', host]]);
});

test('counts an address as the rate limiter does', () => {
  expect(viewOf(requestOf(), served())?.address).toBe('2001:db8:0:0::/56');
});
