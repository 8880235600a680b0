import { readFileSync } from 'node:fs';
import { LIMITS } from '../../lambda/contract/limits.ts';
import { listPrice } from '../../lambda/contract/list-prices.ts';
import { costOf, type Price, type TokenUsage, usdOf } from '../../lambda/contract/prices.ts';
import { PRICES_AS_OF } from './aws-prices.ts';

/** Models whose generations the document prices: a vendor's middle, its best, and an inexpensive one. */
export const MODELS = ['claude-sonnet-5-5', 'claude-opus-5-5', 'gpt-6-luna'] as const;

/** The model of the review, with which the figures before the limits were computed. */
export const REVIEWED_MODEL = 'claude-sonnet-4-5';

/** Tokens of output per second, as strong models have them. */
export const TOKENS_PER_SECOND = 80;

/** What a generation asked for at most before the limits: a first answer and a repair, each as long as a model may write. */
export const REVIEWED_CALLS = 2;

const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));
const tokensIn = (path: string) => Math.round(file(path).length / LIMITS.charactersPerToken);

/** A strong model's answer to a prompt of one sentence, which `measure.ts` streams at its pace. */
const ANSWER = tokensIn('test/support/answers/snake.txt');
const INSTRUCTIONS = tokensIn('lambda/generation/instructions/model.md');

/** The tokens of a natural generation, which one answer completes. */
export const NATURAL: TokenUsage = {
  input: INSTRUCTIONS + 100,
  output: ANSWER,
  cachedInput: 0,
  cacheWrite: 0,
  reasoning: 0,
};

/** Returns the list price of a model. @throws Error if it has none */
export function priceOf(model: string): Price {
  const price = listPrice(model, Date.parse(PRICES_AS_OF));
  if (price === undefined) throw new Error(`${model} has no list price`);
  return price;
}

/** Returns what tokens of a model cost in US dollars. */
export const tokensCost = (model: string, tokens: TokenUsage) => usdOf(costOf(tokens, priceOf(model)));

/** Returns the tokens of a call that writes as much as it may. */
export const longest = (maxOutputTokens: number): TokenUsage => ({ ...NATURAL, output: maxOutputTokens });
