// CloudFront function (runtime 2.0) of the base URL, which runs for every request before the cache. It cannot import
// modules: navigation.js and `PAGES`, the keys of the service's own pages by path, are prepended to it. Its test checks the
// names and numbers that it shares with the API.

// A Lambda event has at most 6,291,456 bytes. Base64 adds a third to the body, and the event has all headers twice.
const MAX_EVENT_BODY_BYTES = 4694016;

// The limit of API Gateway, whose own error message cannot be changed.
const MAX_BODY_BYTES = 10485760;

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  const headers = request.headers;

  const length = headers['content-length'] ? Number(headers['content-length'].value) : undefined;
  if (length > MAX_BODY_BYTES) return tooLarge(headers, length, MAX_BODY_BYTES);
  if (request.method === 'POST' && request.uri === '/api/v1/deploy') {
    // API Gateway writes large bodies directly to S3. Without Content-Length (chunked in HTTP/1.1, or any body in HTTP/2
    // and 3) the length is unknown, so the body may be large.
    if (length === undefined || length > MAX_EVENT_BODY_BYTES) request.uri = '/api/v1/deploy/staged';
  } else if (length > MAX_EVENT_BODY_BYTES && request.uri !== '/api/v1/deploy/staged') {
    return tooLarge(headers, length, MAX_EVENT_BODY_BYTES);
  }

  // Overwrites a header that the viewer sent. The API trusts it only together with the origin secret.
  headers['x-ptp-viewer-address'] = { value: event.viewer.ip };
  // API Gateway receives its own Host. The viewer's may be the distribution's name instead of the base URL's.
  if (headers.host) headers['x-ptp-viewer-host'] = { value: headers.host.value };
  describe(event);

  // Browsers send this header with requests for the script of a service worker, and no page can (W3C Service Workers).
  if (headers['service-worker'] && /^\/d\//.test(request.uri)) return retiringWorker();
  if (request.uri === '/mcp/') request.uri = '/mcp';
  if (/^\/(mcp$|api\/)/.test(request.uri)) return request;
  if (/^\/d\//.test(request.uri)) {
    request.uri = `/d${handOver(request, request.uri.slice(2))}`;
    return request;
  }

  // A function makes this page, whose links from deployed pages send no referrer.
  const isForm = request.uri === '/report';
  if (!isForm && request.method !== 'GET' && request.method !== 'HEAD') return noOperation(request);

  // A root-relative reference of a deployed page means the root of its own site.
  const site = siteOfReferer(headers);
  if (site) return toSite(site, request);

  if (isForm) return request;

  // A page at the edge, or an open one, can be of an earlier release: its files are in the bucket, but not in the table.
  if (/^\/console\/[a-z-]+-[0-9A-Z]{8}\.js$/.test(request.uri)) return request;

  // The service's own pages are files; the bucket would respond with XML for other paths.
  const key = PAGES[request.uri];
  if (key === undefined || headers['service-worker']) return isNavigation(headers) ? notFound() : noOperation(request);
  request.uri = key;
  return request;
}

// Returns "/d/<id>" for a request from a page or file of that deployment.
function siteOfReferer(headers) {
  const match = headers.referer ? /^https?:\/\/([^/]+)(\/d\/[0-9a-z]{12})\//.exec(headers.referer.value) : undefined;
  const host = headers.host ? headers.host.value : '';
  return match && match[1].replace(/:\d+$/, '') === host.replace(/:\d+$/, '') ? match[2] : undefined;
}

function toSite(site, request) {
  const pairs = [];
  Object.keys(request.querystring).forEach((name) => {
    const field = request.querystring[name];
    (field.multiValue || [field]).forEach((one) => {
      pairs.push(one.value === '' ? name : `${name}=${one.value}`);
    });
  });
  return {
    statusCode: 307,
    statusDescription: 'Temporary Redirect',
    headers: {
      location: { value: site + request.uri + (pairs.length > 0 ? `?${pairs.join('&')}` : '') },
      'cache-control': { value: 'no-store' },
      'access-control-allow-origin': { value: '*' },
    },
  };
}

// A service worker can give the pages of a site any headers. With the console's Cross-Origin-Opener-Policy, a page could script
// the console's window. Instead of its script, browsers get this one, which also replaces service workers from earlier releases.
function retiringWorker() {
  return {
    statusCode: 200,
    statusDescription: 'OK',
    headers: {
      'content-type': { value: 'text/javascript' },
      'cache-control': { value: 'no-store' },
    },
    body: {
      encoding: 'text',
      data:
        '// Published pages that share an origin have no service workers.\n' +
        "addEventListener('install', () => skipWaiting());\n" +
        "addEventListener('activate', (event) => event.waitUntil(registration.unregister()));\n",
    },
  };
}

function tooLarge(headers, length, limit) {
  const advice = headers['content-encoding'] ? 'send fewer or smaller files' : 'send it with Content-Encoding: gzip';
  const error = `The body has ${length} bytes, but at most ${limit} are accepted: ${advice}`;
  return errorOf(413, 'Content Too Large', error);
}

// Programs read JSON only, whatever the path.
function noOperation(request) {
  const uri = request.uri;
  if (PAGES[uri] !== undefined && !request.headers['service-worker']) {
    const response = errorOf(405, 'Method Not Allowed', `${uri} supports GET and HEAD only, not ${request.method}`);
    response.headers.allow = { value: 'GET, HEAD' };
    return response;
  }
  const usual = uri.replace(/\/\/+/g, '/').replace(/(.)\/$/, '$1');
  const isKnown = usual !== uri && /^\/(mcp$|api\/)/.test(usual);
  const hint = isKnown ? `the path is ${usual}` : 'see /docs for the operations';
  return errorOf(404, 'Not Found', `There is no ${request.method} ${uri}; ${hint}`);
}

function errorOf(statusCode, statusDescription, error) {
  return {
    statusCode: statusCode,
    statusDescription: statusDescription,
    headers: {
      'content-type': { value: 'application/json' },
      'access-control-allow-origin': { value: '*' },
      'x-content-type-options': { value: 'nosniff' },
    },
    body: { encoding: 'text', data: JSON.stringify({ error: error }) },
  };
}

function notFound() {
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<title>Not found</title><link rel="icon" href="data:,"><style>:root{color-scheme:light dark}' +
    'body{font:1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.5rem}' +
    '</style><h1>Not found</h1>' +
    '<p>There is no such page. <a href="/">The console</a> and <a href="/docs">the API reference</a> are here.</p>';
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: 'text/html; charset=utf-8' },
      'cross-origin-opener-policy': { value: 'same-origin' },
      'x-content-type-options': { value: 'nosniff' },
      'x-frame-options': { value: 'DENY' },
    },
    body: { encoding: 'text', data: html },
  };
}
