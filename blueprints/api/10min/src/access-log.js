/** Writes one line of JSON for every request that was answered: when, what, how it ended, how long it took. */
export function logAccess(request, response) {
  const start = performance.now();
  const { method, url } = request;
  response.on('finish', () => {
    const milliseconds = Math.round(performance.now() - start);
    // Without the query: what people search for is nobody's business.
    const path = url.split('?')[0];
    console.log(JSON.stringify({ time: new Date().toISOString(), method, path, status: response.statusCode, milliseconds }));
  });
}
