/** Logs a line of JSON for every response: time, method, path, status and duration. */
export function logAccess(request, response) {
  const start = performance.now();
  const { method, url } = request;
  response.on('finish', () => {
    const milliseconds = Math.round(performance.now() - start);
    // Without the query, which may hold personal data.
    const path = url.split('?')[0];
    console.log(JSON.stringify({ time: new Date().toISOString(), method, path, status: response.statusCode, milliseconds }));
  });
}
