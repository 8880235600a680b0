/** The least that goes from a prompt to a live URL: the two calls of the API. In JavaScript, as `ptp` itself is when it runs. */
const [baseUrl, prompt] = process.argv.slice(2);

const call = async (path, body) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
};

const { url } = await call('/api/v1/deploy', await call('/api/v1/generate', { prompt }));
console.log(url);
