import * as z from 'zod';

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

/** What a model costs. */
const price = z.strictObject({
  ...rates,
  /** What all tokens of a call cost whose input has more than `above` tokens. */
  long: z.strictObject({ above: z.int().min(1), ...rates }).optional(),
});

/** Prices by the vendor's name of a model. */
export const pricesConfig = z.record(z.string(), price);

export type Price = z.output<typeof price>;
export type Rates = Omit<Price, 'long'>;
export type Prices = z.output<typeof pricesConfig>;
