// CloudFront function (runtime 2.0) of `*.<siteDomain>`: the host names the deployment, which owns all paths.
// navigation.js is prepended to it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  // Overwrites a header that the viewer sent.
  request.headers['x-ptp-viewer-address'] = { value: event.viewer.ip };
  describe(event);
  request.uri = `/own/${request.headers.host.value.split('.')[0].toLowerCase()}${handOver(request, request.uri)}`;
  return request;
}
