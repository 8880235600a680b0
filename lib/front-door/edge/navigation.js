// Prepended to each CloudFront function: sets the header that tells the site function about navigations.

// biome-ignore lint/correctness/noUnusedVariables: the functions that it is prepended to call it
function describe(event) {
  const headers = event.request.headers;
  // Part of the cache key of deployed pages: only navigations fall back to the entry.
  headers['x-ptp-navigation'] = { value: isNavigation(headers) ? '1' : '0' };
}

function isNavigation(headers) {
  const mode = headers['sec-fetch-mode'];
  if (mode) return mode.value === 'navigate';
  const accept = headers.accept;
  return accept !== undefined && accept.value.indexOf('text/html') !== -1;
}
