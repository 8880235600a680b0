import { bedrockPrice, listPrice, openRouterPrice, type Price, type Prices, type Rates } from './list-prices.ts';
import type { ModelConfig } from './providers.ts';
import type { AttemptUsage } from './responses/generate.ts';

export { type Price, type Prices, pricesConfig, type Rates } from './list-prices.ts';

/** The tokens of one call, as the vendor counts and bills them. */
export type TokenUsage = Omit<AttemptUsage, 'basis'>;

/** The most tokens that a call can use. */
export type MostTokens = Pick<TokenUsage, 'input' | 'output'>;

/** Prices are computed in millionths of a micro-dollar per token: sums of whole numbers are exact. */
const PARTS = 1_000_000;

/** Returns the cost of a call in whole micro-dollars, rounded up. */
export function costOf({ input, cachedInput, cacheWrite, output }: TokenUsage, price: Price): number {
  const rates = ratesOf(input, price);
  const fresh = Math.max(0, input - cachedInput - cacheWrite);
  return total([
    [fresh, rates.input],
    [cachedInput, rates.cachedInput ?? rates.input],
    [cacheWrite, rates.cacheWrite ?? rates.input],
    [output, rates.output],
  ]);
}

/** Returns the most that a call can cost in whole micro-dollars: if all of its input is of the most expensive kind. */
export function mostCostOf({ input, output }: MostTokens, price: Price): number {
  const rates = ratesOf(input, price);
  return total([
    [input, Math.max(rates.input, rates.cachedInput ?? 0, rates.cacheWrite ?? 0)],
    [output, rates.output],
  ]);
}

function ratesOf(input: number, { long, ...rates }: Price): Rates {
  return long !== undefined && input > long.above ? long : rates;
}

function total(amounts: readonly (readonly [tokens: number, price: number])[]): number {
  const parts = amounts.reduce((sum, [tokens, price]) => sum + tokens * Math.round(price * PARTS), 0);
  return Math.ceil(parts / PARTS);
}

const MICRO = 1_000_000;

/** Returns an amount of micro-dollars in dollars. */
export function usdOf(microDollars: number): number {
  return microDollars / MICRO;
}

/** Returns the sum of two amounts in dollars, exact to the micro-dollar. */
export function usdSum(a: number, b: number): number {
  return usdOf(Math.round(a * MICRO) + Math.round(b * MICRO));
}

/** Returns what a model costs: the configured price, or its list price; undefined if neither is known. */
export function priceOf(config: ModelConfig, prices: Prices, now: number): Price | undefined {
  const { kind, model } = config;
  if (Object.hasOwn(prices, model)) return prices[model];
  if (kind === 'bedrock') return bedrockPrice(model, now);
  if (kind !== 'openai-compatible') return listPrice(model, now);
  // Another server may sell the same model at another price.
  const isOpenRouter = new URL(config.baseUrl).hostname === 'openrouter.ai';
  return isOpenRouter ? openRouterPrice(model, now) : undefined;
}
