/**
 * Strangers generate with a model that somebody else pays for.
 *
 * At list prices, one address could cost $14,000 a day: 10 generations in 60 s are 14,400 a day, of a dollar each. With more
 * addresses, there was no end. Now the calls of all anonymous callers together cost at most `budgets.anonymous` a day, $5 by
 * default, however many addresses there are: what a call can cost at most is reserved before it. Once a budget is spent, a
 * request costs one write of the rate limiter and nothing else.
 */

import { closeAtEnd } from '../support/at-end.ts';
import { startPaidStage } from '../support/paid-stage.ts';

const BUDGETS = { anonymous: { usd: 0.5 }, key: { usd: 10 }, service: { usd: 1 } };
const ADDRESSES = 12;

const stage = closeAtEnd(await startPaidStage(BUDGETS));

describe('many addresses', () => {
  it('get no more than the budget pays for, at the same time as one after another', async () => {
    const responses = await Promise.all(Array.from({ length: ADDRESSES }, () => stage.generate()));
    expect(stage.spent()).toBeLessThanOrEqual(BUDGETS.anonymous.usd);
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(ADDRESSES / 2);
    for (const { status, json, headers } of refused) {
      expect({ status, ...json }).toEqual({
        status: 503,
        error: expect.stringMatching(/Running generations have reserved the rest|is spent until/),
        retryAfter: Number(headers['retry-after']),
      });
    }
    await stage.spend();
    expect(stage.spent()).toBeLessThanOrEqual(BUDGETS.anonymous.usd);
    expect(stage.spent()).toBeGreaterThan(BUDGETS.anonymous.usd - 0.11);
  });

  it('are told until when the budget is spent, before anything is started', async () => {
    const sentAt = Date.now();
    const { status, json, headers } = await stage.generate();
    const midnight = Math.ceil(sentAt / 86_400_000) * 86_400_000;
    expect(status).toBe(503);
    expect(headers).not.toHaveProperty('x-generation-id');
    expect(json.error).toMatch(/is spent until .*T00:00:00Z: send an API key, which has a budget of its own/);
    expect(json.retryAfter).toBeLessThanOrEqual((midnight - sentAt) / 1_000 + 1);
    expect(json.retryAfter).toBeGreaterThanOrEqual((midnight - Date.now()) / 1_000);
  });

  it('do not take what a key has, but no more than the service has', async () => {
    const key = await stage.newKey();
    expect((await stage.generate(key)).status).toBe(200);
    await stage.spend(key);
    expect(stage.spent()).toBeLessThanOrEqual(BUDGETS.service.usd);
    const { status, json } = await stage.generate(await stage.newKey());
    expect({ status, error: json.error }).toMatchObject({
      status: 503,
      error: expect.stringMatching(/^The budget of the service is spent until/),
    });
  });
});

it('a free provider goes on answering when the budget is spent', async () => {
  const stage = await startPaidStage({ anonymous: { usd: 0.25 } }, { free: true });
  const responses = await Promise.all(Array.from({ length: 6 }, () => stage.generate()));
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
  const models = responses.map(({ json }) => json.model);
  expect(models).toContain('provider-b/blueprint');
  expect(stage.spent()).toBeLessThanOrEqual(0.25);
  await stage.close();
});
