import * as z from 'zod';

/** A model and its price, from a day on (UTC) if that is in the future or was lately. */
type Row = readonly [model: string, price: Price, from?: string];

/** Prices of Claude: cache hits differ, writes for five minutes cost a quarter more than input. */
function claude(input: number, cachedInput: number, output: number): Rates {
  return { input, cachedInput, cacheWrite: input * 1.25, output };
}

/** Prices of GPT-6: requests with more than 272,000 tokens of input cost twice as much, and their output half as much again. */
function gpt(input: number, cachedInput: number, output: number): Price {
  const cacheWrite = input * 1.25;
  const long = {
    above: 272_000,
    input: input * 2,
    cachedInput: cachedInput * 2,
    cacheWrite: cacheWrite * 2,
    output: output * 1.5,
  };
  return { input, cachedInput, cacheWrite, output, long };
}

/** Prices of Gemini, which caches by itself: writes cost what input costs. */
function gemini(input: number, cachedInput: number, output: number): Rates {
  return { input, cachedInput, output };
}

/**
 * The vendors' list prices of the models that `npm start` finds and of their relatives, in US dollars per million tokens;
 * of a model with several rows, the last one that has begun. Checked on 2026-11-23:
 * - https://platform.claude.com/docs/en/about-claude/pricing
 * - https://developers.openai.com/api/docs/pricing (standard tier)
 * - https://ai.google.dev/gemini-api/docs/pricing (paid tier)
 *
 * Only models whose prices for input, output and caching were found are listed.
 */
export const LIST_PRICES: readonly Row[] = [
  ['claude-fable-5-1', claude(10, 0.25, 50)],
  ['claude-fable-5', claude(10, 1, 50)],
  ['claude-opus-5-5', claude(4, 0.2, 20)],
  ['claude-opus-5', claude(5, 0.5, 25)],
  ['claude-opus-4-8', claude(5, 0.5, 25)],
  ['claude-opus-4-7', claude(5, 0.5, 25)],
  ['claude-opus-4-6', claude(5, 0.5, 25)],
  ['claude-opus-4-5', claude(5, 0.5, 25)],
  ['claude-sonnet-5-5', claude(2, 0.1, 10)],
  ['claude-sonnet-5', claude(2, 0.2, 10)],
  ['claude-sonnet-4-6', claude(3, 0.3, 15)],
  ['claude-sonnet-4-5', claude(3, 0.3, 15)],
  ['claude-haiku-5-5', { ...claude(0.1, 0.01, 0.5), long: { above: 100_000, ...claude(0.5, 0.05, 2.5) } }],
  ['claude-haiku-4-5', claude(1, 0.1, 5)],
  ['gpt-6.1-sol', gpt(2, 0.1, 10)],
  ['gpt-6-astra', gpt(10, 1, 50)],
  ['gpt-6-sol', gpt(2, 0.2, 10)],
  ['gpt-6-luna', gpt(0.1, 0.01, 0.5)],
  ['gemini-4-argon', gemini(2, 0.1, 10)],
  ['gemini-4-argon', gemini(4, 0.2, 20), '2026-12-01'],
  ['gemini-3.8-flash', gemini(0.75, 0.075, 3.75)],
  ['gemini-3.8-flash', gemini(1.5, 0.15, 7.5), '2027-01-01'],
];

/** The highest price of the table: what a model without a known price counts as, so that budgets hold. */
export const DEAREST: Price = LIST_PRICES.map(([, price]) => price).reduce((one, other) =>
  most(other) > most(one) ? other : one,
);

function most({ input, output, long }: Price): number {
  return input + output + (long?.output ?? 0);
}

/** The models that OpenRouter's aliases name: https://openrouter.ai/~anthropic/claude-sonnet-latest */
const LATEST: Readonly<Record<string, string>> = {
  'claude-fable-latest': 'claude-fable-5-1',
  'claude-opus-latest': 'claude-opus-5-5',
  'claude-sonnet-latest': 'claude-sonnet-5-5',
  'claude-haiku-latest': 'claude-haiku-5-5',
};

/** A date at the end of an id, and the version of a model on Bedrock. */
const SUFFIX = /(?:[-@]20\d{2}-?\d{2}-?\d{2})?(?:-v\d+(?::\d+)?)?$/;

/** Returns the list price of a vendor's own id, with or without a date; undefined if it is not known. */
export function listPrice(model: string, now: number): Price | undefined {
  const id = model.replace(SUFFIX, '');
  const rows = LIST_PRICES.filter(([listed, , from = '']) => listed === id && Date.parse(from || '1970') <= now);
  return rows.at(-1)?.[1];
}

/**
 * Returns the list price of a model of OpenRouter, which passes on its vendors' prices: `anthropic/claude-sonnet-5.5`.
 * https://openrouter.ai/docs/faq
 */
export function openRouterPrice(model: string, now: number): Price | undefined {
  const id = model.replace(/^~?(?:anthropic|openai|google)\//, '');
  if (id === model) return undefined;
  const name = LATEST[id] ?? (id.startsWith('claude-') ? id.replace('.', '-') : id);
  return listPrice(name, now);
}

/** The ids of Claude on Bedrock, with the geography of an inference profile. */
const BEDROCK_CLAUDE = /^(?:(?<geography>us|us-gov|eu|apac|jp|au|ca|global)\.)?anthropic\.(?<model>claude-.+)$/;
/** The factor on the global price for an endpoint in a geography or a region, for these models. */
const REGIONAL = 1.1;

/**
 * Returns the list price of Claude on Bedrock: Anthropic's for a global inference profile, and 10 % more for others.
 * https://platform.claude.com/docs/en/about-claude/pricing
 */
export function bedrockPrice(model: string, now: number): Price | undefined {
  const { geography, model: id = '' } = BEDROCK_CLAUDE.exec(model)?.groups ?? {};
  const price = listPrice(id, now);
  return price === undefined || geography === 'global' ? price : scaled(price, REGIONAL);
}

function scaled({ long, ...rates }: Price, factor: number): Price {
  return {
    ...scaledRates(rates, factor),
    ...(long && { long: { above: long.above, ...scaledRates(long, factor) } }),
  };
}

function scaledRates({ input, output, cachedInput = input, cacheWrite = input }: Rates, factor: number): Rates {
  return {
    input: input * factor,
    output: output * factor,
    cachedInput: cachedInput * factor,
    cacheWrite: cacheWrite * factor,
  };
}

const usd = z.number().min(0);

/** US dollars per million tokens: the same number as micro-dollars per token. */
const rates = {
  input: usd,
  output: usd,
  /** Input that the vendor read from its cache. Default: the price of input. */
  cachedInput: usd.optional(),
  /** Input that the vendor wrote to its cache. Default: the price of input. */
  cacheWrite: usd.optional(),
};

/** The price of a model. */
const price = z.strictObject({
  ...rates,
  /** The price of all tokens of a call whose input has more than `above` tokens. */
  long: z.strictObject({ above: z.int().min(1), ...rates }).optional(),
});

/** Prices by the vendor's name of a model. */
export const pricesConfig = z.record(z.string(), price);

export type Price = z.output<typeof price>;
export type Rates = Omit<Price, 'long'>;
export type Prices = z.output<typeof pricesConfig>;
