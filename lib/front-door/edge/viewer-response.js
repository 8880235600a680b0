// CloudFront function (runtime 2.0) of the API. CloudFront runs it for statuses below 400 only, after it added the headers of
// the response headers policy: the challenge remains on errors.

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  delete event.response.headers['www-authenticate'];
  return event.response;
}
