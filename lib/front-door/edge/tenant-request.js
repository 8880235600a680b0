// CloudFront function (runtime 2.0) of custom domains: the tenant's parameter names the deployment, in the path of the origin.
// navigation.js is prepended to it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  // Overwrites a header that the viewer sent.
  request.headers['x-ptp-viewer-address'] = { value: event.viewer.ip };
  describe(event);
  request.uri = handOver(request, request.uri);
  return request;
}
