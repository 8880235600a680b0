import { parseConfig } from '../../lib/config.ts';
import { limitsOutput } from '../../lib/limits-output.ts';

const PAID = { 'provider-a': { kind: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'A_KEY' } };

it('has the default budgets of a stage whose provider costs money, and says which are configured', () => {
  const budgets = { key: { usd: 3 } };
  const { limits, configured } = limitsOutput(parseConfig({ providers: PAID, budgets }, 'a test'));
  expect(limits.budgets).toEqual({ anonymous: { usd: 5 }, key: { usd: 3 }, service: { usd: 50 } });
  expect(configured).toEqual(['budgets.key.usd']);
});

it('has no budgets if no provider costs money', () => {
  expect(limitsOutput(parseConfig({}, 'a test')).limits.budgets).toEqual({});
});
