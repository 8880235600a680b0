// CloudFront function (runtime 2.0) of the data of sites on custom domains: the tenant's parameter names the deployment, in the path
// of the origin. data.js is prepended to it.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  return describe(event) || event.request;
}
