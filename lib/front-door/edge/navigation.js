// Prepended to each CloudFront function: what the site function gets to know of a visit.

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

// Sets the header with the query for the site function, and returns the path for it. CloudFront's signature of a path that has to be
// encoded or normalized is not the one that Lambda computes (https://github.com/aws-samples/image-optimization/issues/44), and the same
// is possible for queries. Such a path is replaced with "/~/" and its characters, all but letters, digits, "_" and "-" as "~" and two
// hexadecimal digits. No other path begins so.
// biome-ignore lint/correctness/noUnusedVariables: the functions that it is prepended to call it
function handOver(request, path) {
  request.headers['x-ptp-query'] = { value: request.rawQueryString() || '' };
  if (/^(\/[A-Za-z0-9_-][A-Za-z0-9._~-]*)*\/?$/.test(path)) return path;
  const ascii = path.replace(/[^ -~]+/g, (text) => encodeURIComponent(text));
  return `/~/${ascii.replace(/[^A-Za-z0-9_-]/g, (one) => `~${one.charCodeAt(0).toString(16)}`)}`;
}
