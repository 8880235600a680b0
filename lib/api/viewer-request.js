// CloudFront function (runtime 2.0), run for every request before the cache. It can import nothing: the names and
// numbers it shares with the functions behind it are held together by its test.

// A Lambda event holds 6,291,456 bytes: base64 adds a third to the body, and the headers come twice.
var MAX_BODY_BYTES = 4694016;

// Where the service has pages of its own.
var PAGES = ['', '/docs'];

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  var request = event.request;
  var headers = request.headers;

  // API Gateway's own refusal of a large body cannot be worded.
  var length = headers['content-length'] ? Number(headers['content-length'].value) : 0;
  if (length > MAX_BODY_BYTES) return tooLarge(length);

  // Overwrites whatever the viewer sent under this name. The API believes it only with the origin's secret.
  headers['x-ptp-viewer-address'] = { value: event.viewer.ip };

  // Part of the cache key of deployed pages: a navigation may fall back to the entry, a missing script may not.
  headers['x-ptp-navigation'] = { value: isNavigation(headers) ? '1' : '0' };

  if (/^\/(api|d)\//.test(request.uri)) return request;

  // The pages of the service itself are files; the bucket's own answer for another path is XML.
  var page = request.uri.replace(/\/$/, '');
  if (PAGES.indexOf(page) === -1) return notFound();
  request.uri = `${page}/index.html`;
  return request;
}

function isNavigation(headers) {
  var mode = headers['sec-fetch-mode'];
  if (mode) return mode.value === 'navigate';
  var accept = headers.accept;
  return accept !== undefined && accept.value.indexOf('text/html') !== -1;
}

function tooLarge(length) {
  var error =
    'The body has ' +
    length +
    ' bytes, and ' +
    MAX_BODY_BYTES +
    ' are accepted: send it with Content-Encoding: gzip';
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'content-type': { value: 'application/json' },
      'access-control-allow-origin': { value: '*' },
    },
    body: { encoding: 'text', data: JSON.stringify({ error: error }) },
  };
}

function notFound() {
  var html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<title>Not found</title><style>:root{color-scheme:light dark}body{font:1rem/1.6 system-ui,sans-serif;' +
    'max-width:36rem;margin:15vh auto;padding:0 1.5rem}</style><h1>Not found</h1>' +
    '<p>There is no such page. <a href="/">The start page</a> and <a href="/docs">the API reference</a> are here.</p>';
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
    body: { encoding: 'text', data: html },
  };
}
