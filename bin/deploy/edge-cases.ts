/** An event for a CloudFront function, and a part of the expected result: `undefined` for a property that must be absent. */
export interface EdgeCase {
  readonly what: string;
  readonly eventType: 'viewer-request' | 'viewer-response';
  readonly request?: EdgeRequest;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly expected: object;
}

interface EdgeRequest {
  readonly method?: string;
  readonly uri?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The viewer's address in every event. */
export const VIEWER = '198.51.100.7';

const HOST = 'd111111abcdef8.cloudfront.net';
const ADDRESS = { 'x-ptp-viewer-address': { value: VIEWER } };

const request = (what: string, request: EdgeRequest, expected: object): EdgeCase => ({
  what,
  eventType: 'viewer-request',
  request,
  expected,
});

/** Cases for every branch of each function, by the function's name in the stack. */
export const EDGE_CASES: Readonly<Record<string, readonly EdgeCase[]>> = {
  ViewerRequest: [
    request(
      'serves the console, with the address of the viewer',
      { uri: '/', headers: { host: HOST, accept: 'text/html', 'x-ptp-viewer-address': '203.0.113.9' } },
      {
        request: {
          uri: '/index.html',
          headers: { ...ADDRESS, 'x-ptp-viewer-host': { value: HOST }, 'x-ptp-navigation': { value: '1' } },
        },
      },
    ),
    request('maps /docs to the reference', { uri: '/docs' }, { request: { uri: '/docs/index.html' } }),
    request(
      'keeps the paths of deployed pages',
      { uri: '/d/hpofctv62tkj/a%20b', headers: { 'sec-fetch-mode': 'no-cors' } },
      { request: { uri: '/d/hpofctv62tkj/a%20b', headers: { 'x-ptp-navigation': { value: '0' } } } },
    ),
    request(
      'sends large bodies to staging',
      { method: 'POST', uri: '/api/v1/deploy', headers: { 'content-length': '5000000' } },
      { request: { uri: '/api/v1/deploy/staged' } },
    ),
    request(
      'rejects bodies beyond the limit',
      { method: 'POST', uri: '/api/v1/deploy', headers: { 'content-length': '20000000' } },
      { response: { statusCode: 413 } },
    ),
    request(
      'redirects absolute references of a deployed page to it',
      { uri: '/logo.png', headers: { host: HOST, referer: `https://${HOST}/d/hpofctv62tkj/` } },
      { response: { statusCode: 307, headers: { location: { value: '/d/hpofctv62tkj/logo.png' } } } },
    ),
    request('responds to unknown paths with 404', { uri: '/unknown' }, { response: { statusCode: 404 } }),
    request(
      'retires service workers',
      { uri: '/d/hpofctv62tkj/sw.js', headers: { 'service-worker': 'script' } },
      { response: { statusCode: 200, headers: { 'content-type': { value: 'text/javascript' } } } },
    ),
  ],
  ViewerResponse: [
    {
      what: 'removes only the challenge',
      eventType: 'viewer-response',
      responseHeaders: { 'www-authenticate': 'Bearer', 'x-kept': '1' },
      expected: { response: { headers: { 'www-authenticate': undefined, 'x-kept': { value: '1' } } } },
    },
  ],
  OwnOriginRequest: [
    request(
      'maps the host to a deployment',
      { uri: '/a', headers: { host: 'HPOFCTV62TKJ.sites.example.com', accept: 'text/html' } },
      {
        request: {
          uri: '/own/hpofctv62tkj/a',
          headers: { ...ADDRESS, 'x-ptp-navigation': { value: '1' } },
        },
      },
    ),
  ],
  TenantRequest: [
    request(
      'keeps the path',
      { uri: '/a', headers: { host: 'www.example.com' } },
      { request: { uri: '/a', headers: { ...ADDRESS, 'x-ptp-navigation': { value: '0' } } } },
    ),
  ],
};
