// CloudFront function (runtime 2.0) of the data of sites below `*.<siteDomain>`: the host names the deployment. data.js is prepended
// to it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  request.uri = `/data/own/${request.headers.host.value.split('.')[0].toLowerCase()}${request.uri}`;
  return describe(event) || request;
}
