// CloudFront function (runtime 2.0) of `*.<siteDomain>`: the host says which deployment, and all of its paths are the
// deployment's. navigation.js is put in front of it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  describe(event);
  request.uri = `/own/${request.headers.host.value.split('.')[0].toLowerCase()}${request.uri}`;
  return request;
}
