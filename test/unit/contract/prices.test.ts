import { dollars, knownDollars } from '../../../lambda/contract/dollars.ts';
import { LIST_PRICES } from '../../../lambda/contract/list-prices.ts';
import { costOf, mostCostOf, type Price, priceOf, usdSum } from '../../../lambda/contract/prices.ts';
import { providerConfig } from '../../../lambda/contract/providers.ts';
import { VENDORS } from '../../../local/providers.ts';
import { testRows } from '../../support/rows.ts';

const NOW = Date.UTC(2026, 10, 23);
const PRICE: Price = { input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10 };
const NONE = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

testRows<[usage: Partial<typeof NONE>, price: Price, cost: number]>([
  [{ input: 1_000_000 }, PRICE, 2_000_000],
  [{ input: 1_000, cachedInput: 600, cacheWrite: 300 }, PRICE, 200 + 60 + 750],
  [{ output: 1_000, reasoning: 900 }, PRICE, 10_000],
  // Without prices of its cache.
  [{ input: 1_000, cachedInput: 600, cacheWrite: 300 }, { input: 3, output: 1 }, 3_000],
  // Rounded up, and only then: 3 × 0.1 is not more than 0.3.
  [{ input: 1 }, { input: 0.01, output: 0 }, 1],
  [{ input: 10, cachedInput: 10 }, { input: 1, cachedInput: 0.7, output: 0 }, 7],
  // All tokens of a long call cost more.
  [{ input: 100, output: 1 }, { ...PRICE, long: { above: 100, input: 4, output: 15 } }, 210],
  [{ input: 101, output: 1 }, { ...PRICE, long: { above: 100, input: 4, output: 15 } }, 404 + 15],
])('costs whole micro-dollars', (usage, price, cost) => {
  expect(costOf({ ...NONE, ...usage }, price)).toBe(cost);
});

it('costs at most what a reservation counts, however the input is cached', () => {
  for (const [, price] of LIST_PRICES)
    for (const input of [0, 1, 99_999, 300_001])
      for (const [cached, written] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [0.5, 0.5],
      ] as const) {
        const parts = { cachedInput: Math.floor(input * cached), cacheWrite: Math.floor(input * written) };
        const most = mostCostOf({ input, output: 32_000 }, price);
        expect(costOf({ ...NONE, input, ...parts, output: 32_000 }, price)).toBeLessThanOrEqual(most);
      }
});

const claude = (model: string) => ({ kind: 'anthropic', model, apiKey: 'A_KEY' });
const bedrock = (model: string) => ({ kind: 'bedrock', model });
const server = (baseUrl: string, model: string) => ({ kind: 'openai-compatible', baseUrl, model });
const openRouter = (model: string) => server('https://openrouter.ai/api/v1', model);

testRows<[config: object, price: object | undefined]>([
  [claude('claude-sonnet-5-5'), PRICE],
  [claude('claude-sonnet-4-5-20250929'), { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 }],
  [
    { kind: 'openai', model: 'gpt-6.1-sol', apiKey: 'A_KEY' },
    { ...PRICE, long: { above: 272_000 } },
  ],
  [{ kind: 'openai', model: 'gpt-6.1-sol-pro', apiKey: 'A_KEY' }, undefined],
  [bedrock('global.anthropic.claude-sonnet-5-5-v1:0'), PRICE],
  [bedrock('global.anthropic.claude-haiku-4-5-20251001-v1:0'), { input: 1, output: 5 }],
  [bedrock('eu.anthropic.claude-opus-5-5'), { input: 4.4, output: 22 }],
  [bedrock('anthropic.claude-opus-5-5'), { input: 4.4, output: 22 }],
  [bedrock('amazon.nova-pro-v1:0'), undefined],
  [bedrock('claude-sonnet-5-5'), undefined],
  [openRouter('~anthropic/claude-sonnet-latest'), PRICE],
  [openRouter('anthropic/claude-sonnet-5.5'), PRICE],
  [openRouter('google/gemini-3.8-flash'), { input: 0.75 }],
  [openRouter('openai/gpt-6-luna'), { input: 0.1, output: 0.5 }],
  // Another server may sell the model at another price.
  [server('https://models.example.com/v1', 'anthropic/claude-sonnet-5.5'), undefined],
])('knows the list prices of models by their ids', (config, price) => {
  const found = priceOf(providerConfig.parse(config) as never, {}, NOW);
  if (price === undefined) expect(found).toBeUndefined();
  else for (const [name, value] of Object.entries(price)) expect(found).toHaveProperty(name, near(value));
});

const near = (value: unknown) =>
  typeof value === 'number' ? expect.closeTo(value, 9) : expect.objectContaining(value as object);

testRows(VENDORS)('knows the price of each model that discovery finds', (_name, config) => {
  expect(priceOf(config, {}, NOW)).toMatchObject({ input: expect.any(Number), output: expect.any(Number) });
});

testRows<[model: string, day: string, input: number]>([
  ['gemini-3.8-flash', '2026-12-31', 0.75],
  ['gemini-3.8-flash', '2027-01-01', 1.5],
  ['gemini-4-argon', '2026-11-30', 2],
  ['gemini-4-argon', '2026-12-01', 4],
])('follows announced changes of prices', (model, day, input) => {
  const config = providerConfig.parse({ kind: 'google', model, apiKey: 'A_KEY' });
  expect(priceOf(config as never, {}, Date.parse(day))).toMatchObject({ input });
});

it('prefers configured prices, by the name of the model', () => {
  const own = { input: 7, output: 8 };
  const prices = { 'claude-sonnet-5-5': own, local: own };
  const of = (config: object) => priceOf(providerConfig.parse(config) as never, prices, NOW);
  expect(of(claude('claude-sonnet-5-5'))).toEqual(own);
  expect(of(server('http://127.0.0.1:1/v1', 'local'))).toEqual(own);
  expect(of(claude('constructor'))).toBeUndefined();
});

it('sums dollars exactly', () => {
  expect([0.1, 0.2, 0.000001].reduce(usdSum, 0)).toBe(0.300001);
});

testRows<[usd: number, text: string]>([
  [0, '$0'],
  [0.000001, '$0.000001'],
  [0.0004, '$0.0004'],
  [0.000412, '$0.00041'],
  [0.0773, '$0.077'],
  [0.999, '$1.00'],
  [1_234.567, '$1,234.57'],
])('writes dollars as people read them', (usd, text) => {
  expect(dollars(usd)).toBe(text);
});

testRows<[usd: number, unpriced: number, text: string]>([
  [0, 0, '$0'],
  [1.5, 0, '$1.50'],
  [1.5, 2, '≥ $1.50'],
  [0, 2, 'unknown'],
])('says what is not known', (usd, unpriced, text) => {
  expect(knownDollars({ usd, unpriced })).toBe(text);
});
