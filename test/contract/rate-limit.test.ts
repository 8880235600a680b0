import { newCaller } from '../support/cloud/client.ts';
import { newKey } from '../support/cloud/keys.ts';
import { testRows } from '../support/rows.ts';

const GENERATE = '/api/v1/generate';

const nowSeconds = () => Date.now() / 1000;

describe('an address', () => {
  it('has ten counted calls, and a 429 with the end of the window for the eleventh', async () => {
    const caller = newCaller();
    const first = nowSeconds();
    // At the same time, so that they share a window on a slow machine, too.
    const answers = await Promise.all(Array.from({ length: 10 }, () => caller.post(GENERATE, {})));
    const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(left.toSorted((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const [i, { status, headers }] of answers.entries()) {
      expect(status).toBe(400);
      expect(headers).toMatchObject({
        'x-ratelimit-limit': '10',
        ratelimit: expect.stringMatching(new RegExp(`^"default";r=${left[i]};t=(60|[1-5]?\\d)$`)),
        'ratelimit-policy': '"default";q=10;w=60',
      });
      const reset = Number(headers['x-ratelimit-reset']);
      expect(reset).toBeGreaterThanOrEqual(first + 60);
      expect(reset).toBeLessThanOrEqual(nowSeconds() + 61);
    }
    const read = await caller.send('/api/v1/generations/unknown');
    expect(read).toMatchObject({ status: 404, headers: { 'x-ratelimit-remaining': '0' } });
    for (let i = 0; i < 3; i++) {
      const before = nowSeconds();
      const { status, headers, json } = await caller.post('/api/v1/deploy', {});
      expect(status).toBe(429);
      const retryAfter = Number(headers['retry-after']);
      expect(json).toEqual({ error: expect.any(String), retryAfter, docs: '/docs#rate-limits' });
      const windowEnd = Number(headers['x-ratelimit-reset']);
      // Both are whole seconds, and the time of the response is between these.
      expect(before + retryAfter).toBeLessThanOrEqual(windowEnd + 2);
      expect(nowSeconds() + retryAfter).toBeGreaterThanOrEqual(windowEnd - 2);
      expect(headers['x-ratelimit-remaining']).toBe('0');
    }
  });

  testRows([
    { 'x-forwarded-for': '198.51.100.9' },
    { 'x-ptp-viewer-address': '198.51.100.9' },
    { 'x-ptp-viewer-address': '198.51.100.9', 'x-ptp-origin-secret': 'guess' },
    { 'cloudfront-viewer-address': '198.51.100.9:1' },
  ])('cannot be forged with headers', async (headers) => {
    const caller = newCaller();
    await caller.post(GENERATE, {});
    const { headers: answer } = await caller.post(GENERATE, {}, headers as Record<string, string>);
    expect(answer['x-ratelimit-remaining']).toBe('8');
  });

  it('is charged for guessed keys', async () => {
    const caller = newCaller();
    for (let used = 1; used <= 2; used++) {
      const { status, headers } = await caller.send('/api/v1/generations/x', {
        headers: { 'x-api-key': 'ptp_guess' },
      });
      expect({ status, left: headers['x-ratelimit-remaining'] }).toEqual({
        status: 401,
        left: String(10 - used),
      });
    }
  });
});

describe('a key', () => {
  it('can have its own limit', async () => {
    const authorization = `Bearer ${await newKey('--limit', '2')}`;
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await newCaller().post(GENERATE, {}, { authorization })).status);
    expect(statuses).toEqual([400, 400, 429]);
  });
});
