// Prepended to the CloudFront functions of the data of sites, which API Gateway serves.

// A body that a Lambda event has room for. The function accepts far less, and says so.
const MAX_BODY_BYTES = 4694016;

// Overwrites headers that the viewer sent. The function trusts them only together with the origin secret.
// Returns the response to a request whose body is too large.
// biome-ignore lint/correctness/noUnusedVariables: the functions that it is prepended to call it
function describe(event) {
  const headers = event.request.headers;
  headers['x-ptp-viewer-address'] = { value: event.viewer.ip };
  if (headers.host) headers['x-ptp-viewer-host'] = { value: headers.host.value };
  const length = headers['content-length'] ? Number(headers['content-length'].value) : 0;
  if (!(length > MAX_BODY_BYTES)) return undefined;
  const error = `The body has ${length} bytes, and an item has at most 16384`;
  return {
    statusCode: 413,
    statusDescription: 'Content Too Large',
    headers: {
      'content-type': { value: 'application/json' },
      'x-content-type-options': { value: 'nosniff' },
    },
    body: { encoding: 'text', data: JSON.stringify({ error: error, code: 'too_large' }) },
  };
}
