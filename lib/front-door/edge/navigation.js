// Put in front of both CloudFront functions: what the site function is told about a request.

// biome-ignore lint/correctness/noUnusedVariables: of the functions that it is put in front of
function describe(event) {
  const headers = event.request.headers;
  // Part of the cache key of deployed pages: a navigation may fall back to the entry, a missing script may not.
  headers['x-ptp-navigation'] = { value: isNavigation(headers) ? '1' : '0' };
}

function isNavigation(headers) {
  const mode = headers['sec-fetch-mode'];
  if (mode) return mode.value === 'navigate';
  const accept = headers.accept;
  return accept !== undefined && accept.value.indexOf('text/html') !== -1;
}
