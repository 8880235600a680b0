// CloudFront function (runtime 2.0) of the data of sites below the base URL: `/d/<id>/.data/...`. data.js is prepended to it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  request.uri = `/data${request.uri}`;
  return describe(event) || request;
}
