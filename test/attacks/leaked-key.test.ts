/**
 * Somebody finds an API key, in a repository for example, and generates with it from many addresses.
 *
 * At list prices, a key could cost as much as its rate limit allowed: 100 generations in 60 s are 144,000 a day, of a dollar each.
 * Now the calls of a key cost at most its budget a day, `budgets.key` ($10 by default) or that of `npm run keys -- create --budget`,
 * and those of all keys at most `budgets.service` ($50). Others are served as before, and revoking the key takes a minute.
 */
import { main as limits } from '../../cli/limits.ts';
import { closeAtEnd } from '../support/at-end.ts';
import { operate } from '../support/cloud/keys.ts';
import { CALL_USD, startPaidStage } from '../support/paid-stage.ts';

const BUDGETS = { anonymous: { usd: 5 }, key: { usd: 0.4 }, service: { usd: 20 } };

const stage = closeAtEnd(await startPaidStage(BUDGETS));

it('costs no more than the budget of a key, and leaves other callers theirs', async () => {
  const leaked = await stage.newKey();
  const responses = await Promise.all(Array.from({ length: 10 }, () => stage.generate(leaked)));
  expect(responses.map(({ status }) => status)).toContain(503);
  await stage.spend(leaked);
  expect(stage.spent()).toBeLessThanOrEqual(BUDGETS.key.usd);
  const { status, json } = await stage.generate(leaked);
  expect({ status, error: json.error }).toMatchObject({
    status: 503,
    error: expect.stringMatching(/^The budget of this API key or access token is spent until .*: ask the operator/),
  });
  expect((await stage.generate(await stage.newKey())).status).toBe(200);
  expect((await stage.generate()).status).toBe(200);
});

it('costs no more than the budget of its own that a key has, which its successor shares', async () => {
  const before = stage.spent();
  const key = await stage.newKey('--budget', '0.3');
  await stage.spend(key);
  const spent = stage.spent() - before;
  expect(spent).toBeLessThanOrEqual(0.3);
  expect(spent).toBeGreaterThanOrEqual(2 * CALL_USD - 0.001);
  const successor = await stage.rotate(key);
  expect((await stage.generate(successor)).status).toBe(503);
  expect(stage.spent() - before).toBe(spent);
  // The operator sees what the key has used of its own budget, in dollars.
  const id = key.split('_')[1];
  const used = spent.toFixed(2);
  expect(await operate(limits, ['show'], stage.stateDir)).toContain(`budget/key:${id}\t$${used}\t$0.30\n`);
});
