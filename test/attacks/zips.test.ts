/*
 * An address downloads the zip of a deployment again and again: up to 10 MB each, never cached at the edge. CloudFront charges $0.085
 * per GB of egress, and each zip costs an invocation that lasts as long as the transfer, a read of DynamoDB and one of S3.
 *
 * Before: not limited. A line of 1 Gbit/s takes 10.8 TB a day: $918, in 1,080,000 zips of 10 MB.
 * Now: 30 in five minutes, 8,640 a day, 86.4 GB of the largest ones: $7.34. An instance counts three before it shares them, so
 * parallel requests get at most three more per instance, of which there are 20 (`concurrency.downloads`).
 * 10,000 addresses could take as much each: CloudFront's flat-rate plan and `waf` are the ceiling for egress.
 */
import { newCaller } from '../support/cloud/client.ts';
import { LIMITS, limitedCloud } from './limited.ts';

const { zips: ZIPS } = LIMITS;
/** How many zips an instance counts before it shares them. */
const SHARED = 3;
/** Of one function in the local cloud. */
const MOST_INSTANCES = 64;

const running = await limitedCloud();
let zip: string;
beforeAll(async () => {
  const files = [{ path: 'index.html', content: '<title>Zip</title>' }];
  const { json } = await newCaller(running.baseUrl).post('/api/v1/deploy', { files });
  zip = `${new URL(json.url).pathname}.zip`;
});

/** Downloads until it is refused. Returns how many were served, which may be in two windows. */
async function served(caller: ReturnType<typeof newCaller>, headers: () => Record<string, string> = () => ({})) {
  for (let count = 0; ; count++) {
    const response = await caller.send(zip, { headers: headers() });
    if (response.status === 429) return { count, refused: response };
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } });
    expect(count).toBeLessThan(2 * ZIPS);
  }
}

it('an address gets its limit, and then a page that says when to come back', async () => {
  const { count, refused } = await served(newCaller(running.baseUrl));
  expect(count).toBeGreaterThanOrEqual(ZIPS);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(refused.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(refused.text).toContain(`Try again in ${seconds} seconds`);
  expect(await newCaller(running.baseUrl).send(zip)).toMatchObject({ status: 200 });
});

it('cannot claim to be another address', async () => {
  let last = 0;
  const { count } = await served(newCaller(running.baseUrl), () => ({
    'x-ptp-viewer-address': `198.51.100.${++last}`,
    'x-forwarded-for': `203.0.113.${last}`,
  }));
  expect(count).toBeLessThanOrEqual(2 * ZIPS);
});

it('parallel downloads end as well, and pages are not counted', async () => {
  const caller = newCaller(running.baseUrl);
  let total = 0;
  for (let admitted = 1; admitted > 0; total += admitted) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.send(zip)));
    admitted = answers.filter(({ status }) => status === 200).length;
    expect(total + admitted).toBeLessThanOrEqual(2 * (ZIPS + SHARED * MOST_INSTANCES));
  }
  expect(await caller.send(zip.replace('.zip', '/'))).toMatchObject({ status: 200 });
});
