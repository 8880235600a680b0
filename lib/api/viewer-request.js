// CloudFront function (runtime 2.0), run for every request before the cache.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  var request = event.request;
  var headers = request.headers;

  // Overwrites whatever the viewer sent under this name. The API believes it only with the origin's secret.
  headers['x-ptp-viewer-address'] = { value: event.viewer.ip };

  // Part of the cache key of deployed pages: a navigation may fall back to the entry, a missing script may not.
  headers['x-ptp-navigation'] = { value: isNavigation(headers) ? '1' : '0' };

  // The pages of the service itself are files: a folder's page is its index.
  if (!/^\/(api|d)\//.test(request.uri) && !/\.[a-z0-9]+$/.test(request.uri)) {
    request.uri = request.uri.replace(/\/?$/, '/index.html');
  }
  return request;
}

function isNavigation(headers) {
  var mode = headers['sec-fetch-mode'];
  if (mode) return mode.value === 'navigate';
  var accept = headers.accept;
  return accept !== undefined && accept.value.indexOf('text/html') !== -1;
}
