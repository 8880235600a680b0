/*
 * An address sends GET requests as fast as it can: each costs a request of API Gateway ($3.50 a million), an invocation ($0.23 a
 * million of 5 ms) and an eventually consistent read of DynamoDB ($0.06 a million).
 *
 * Before: reads were not counted. 1,000 a second for a day were 86.4 million requests: $302 + $20 + $5, and $54 more with a key, for the
 * write of its usage; lists cost more ($480 in the review).
 * Now: 600 a minute, 864,000 a day: $3.30. Requests over the limit are refused from the memory of an instance, without DynamoDB: at the
 * 200 a second of the stage's throttle, they cost $64 a day, and a web ACL (`waf`) keeps them out of API Gateway.
 * 10,000 addresses: each has its own 600; the throttle bounds them together to those $64 and $1 of DynamoDB.
 */
import { newCaller } from '../support/cloud/client.ts';
import { LIMITS, limitedCloud } from './limited.ts';

const { reads: READS } = LIMITS;
/** How many reads an instance counts before it shares them. */
const BATCH = 20;
/** Of one function in the local cloud. */
const MOST_INSTANCES = 64;
/** More than requests reach that follow one another. */
const SEQUENTIAL_INSTANCES = 4;

const running = await limitedCloud();

const read = (caller: ReturnType<typeof newCaller>, path = '/api/v1/generations/none') => caller.send(path);

it('an address that reads one after the other gets its limit, and then a 429', async () => {
  const caller = newCaller(running.baseUrl);
  let refused = await read(caller);
  let admitted = 0;
  for (; refused.status === 404; refused = await read(caller)) admitted++;
  expect(admitted).toBeGreaterThanOrEqual(READS);
  // An instance that has not returned yet leaves the next request to another one, but rarely.
  expect(admitted).toBeLessThanOrEqual(READS + BATCH * SEQUENTIAL_INSTANCES);
  const { status, headers, json } = refused;
  const retryAfter = Number(headers['retry-after']);
  expect({ status, json }).toEqual({
    status: 429,
    json: {
      error: expect.stringContaining(`more than ${READS} requests`),
      retryAfter,
      docs: '/docs#rate-limits',
    },
  });
  expect(headers).toMatchObject({ 'x-ratelimit-limit': String(READS), 'x-ratelimit-remaining': '0' });
  expect(retryAfter).toBeGreaterThan(0);
});

it('its writes are counted apart, and other addresses are served', async () => {
  const [flooder, other] = [newCaller(running.baseUrl), newCaller(running.baseUrl)];
  while ((await read(flooder)).status !== 429);
  expect((await flooder.post('/api/v1/generate', {})).status).toBe(400);
  expect(await read(other)).toMatchObject({ status: 404, headers: { 'x-ratelimit-limit': '1000' } });
});

it('an address that reads at once gets at most a batch more per instance, and then nothing', async () => {
  const caller = newCaller(running.baseUrl);
  let total = 0;
  for (let admitted = 1; admitted > 0; total += admitted) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(caller)));
    admitted = answers.filter(({ status }) => status === 404).length;
    expect(total + admitted).toBeLessThanOrEqual(READS + BATCH * MOST_INSTANCES);
  }
  expect(total).toBeGreaterThanOrEqual(READS);
});
