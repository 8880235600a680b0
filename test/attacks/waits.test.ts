import { closeAtEnd } from '../support/at-end.ts';
import { newCaller } from '../support/cloud/client.ts';
import { startVariant } from '../support/cloud/variant.ts';

/*
 * A stranger opens 1,000 waits for a generation that does not end, from one address.
 *
 *             before                                                        now
 *   waits     not counted: 1,000 invocations held for 285 s each, which     at most 10 a minute, each for at most 110 s:
 *             is the whole concurrency of an account, so an outage          at most 20 invocations at the same time
 *   a day     1,000 x 0.5 GB x 86,400 s at $0.0000133 per GB-s = $576       20 x 0.5 x 86,400 x 0.0000133 = $11.50
 *
 */

const WAITS = 100;
const LIMIT = 10;

const PROVIDERS = { 'provider-a': { kind: 'scripted', script: 'hang' } };
/** No test meets the end of a window, nor of the generation that it waits for. */
const running = closeAtEnd(
  await startVariant({
    PROVIDERS,
    RATE_LIMIT: { windowSeconds: 3_600, anonymous: LIMIT, key: 100 },
    DEADLINES: { providerTimeoutSeconds: 250, firstTokenSeconds: 200, stallSeconds: 200 },
  }),
);

const deploy = async () => {
  const files = [{ path: 'index.html', content: '<title>Another caller</title>' }];
  return (await newCaller(running.baseUrl).post('/api/v1/deploy', { files })).status;
};

it.each([
  ['results', '/result', {}],
  ['event streams', '', { accept: 'text/event-stream' }],
])('waits for %s from one address hold fewer than the rate limit', async (_, path, headers) => {
  const stranger = newCaller(running.baseUrl);
  const generate = { prefer: 'respond-async' };
  const started = await stranger.post('/api/v1/generate', { prompt: 'a page' }, generate);
  const url = `/api/v1/generations/${started.headers['x-generation-id']}`;
  const ended: number[] = [];
  const waits = Array.from({ length: WAITS }, async () => {
    const { status } = await stranger.send(url + path, { headers: { ...headers } });
    ended.push(status);
  });
  const others = await Promise.all(Array.from({ length: 5 }, deploy));
  expect(others).toEqual([201, 201, 201, 201, 201]);
  // One request of the window was the generation.
  while (ended.length < WAITS - (LIMIT - 1)) await new Promise((resolve) => setTimeout(resolve, 50));
  // 503 if the share of the function was taken at that moment; 429 otherwise.
  expect(ended.filter((status) => status === 429 || status === 503)).toHaveLength(WAITS - (LIMIT - 1));
  expect(await deploy()).toBe(201);
  // The end of the generation ends the waits that were admitted; the owner is another address, the id is enough.
  const canceled = await newCaller(running.baseUrl).send(url, { method: 'DELETE' });
  expect(canceled.status).toBe(200);
  await Promise.all(waits);
});
