import { PROVIDER_NAMES, type ProviderName } from '../../contract/generate.ts';
import { mostCostOf, type Price, type Prices, priceOf } from '../../contract/prices.ts';
import type { ModelConfig, ProviderConfig, ProvidersConfig } from '../../contract/providers.ts';
import { isPublicHost } from '../../platform/webhook-url.ts';
import type { ConfiguredProviders, ProviderTraits, Routing } from '../provider-order.ts';
import type { Provider } from './provider.ts';

/** Enough for the longest answers, and allowed by the current models of all vendors. */
const MAX_OUTPUT_TOKENS = 32_000;

/** How many calls a vendor's servers take at the same time. */
const PARALLEL = 4;

/** Less than the context of the vendors' models, and about what a long answer costs. */
const CONTEXT_TOKENS = 100_000;

/** Less than the context of most local models, and enough for a project of this service. */
const SMALL_CONTEXT_TOKENS = 24_000;

/** Returns what is known about a provider by its configuration, without the SDK. @param prices the configured ones */
export function traitsOf(config: ModelConfig, prices: Prices, now: number): Omit<Provider, 'write' | 'mostTokens'> {
  return {
    ...costTraits(config, prices, now),
    model: config.model,
    quiet: isQuiet(config),
    images: acceptsImages(config),
    parallel: config.parallel ?? (isLocal(config) ? 1 : PARALLEL),
  };
}

/**
 * Returns what calls of a model cost. A server at a private address is free unless its model has a configured price,
 * and so is a model whose configured prices are all 0.
 */
export function costTraits(config: ModelConfig, prices: Prices, now: number): Pick<Provider, 'isFree' | 'price'> {
  const isFree = isLocal(config) && !Object.hasOwn(prices, config.model);
  const price = isFree ? undefined : priceOf(config, prices, now);
  return { isFree: isFree || (price !== undefined && isZero(price)), price };
}

function isZero({ long, ...rates }: Price): boolean {
  return [rates, long ?? {}].every((given) => Object.values(given).every((usd) => usd === 0));
}

/** Returns the most tokens of an answer, unless the vendor has named a lower limit. */
export function maxOutputTokensOf({ maxOutputTokens = MAX_OUTPUT_TOKENS }: ModelConfig): number {
  return maxOutputTokens;
}

/** Returns how many tokens of a project's files the model is shown. */
export function contextTokensOf({ kind, contextTokens }: ModelConfig): number {
  return contextTokens ?? (kind === 'openai-compatible' ? SMALL_CONTEXT_TOKENS : CONTEXT_TOKENS);
}

/** The models of Bedrock that accept images in all of their versions. */
const SEES = /anthropic\.claude-|amazon\.nova-(?!micro)/;

/** Returns whether the model accepts images. Most models of local servers do not. */
export function acceptsImages({ kind, model, images }: ModelConfig): boolean {
  if (images !== undefined) return images;
  return kind === 'bedrock' ? SEES.test(model) : kind !== 'openai-compatible';
}

/**
 * Anthropic, Google and Bedrock stream the reasoning; OpenAI sends summaries of it, late, and to verified organizations
 * only.
 */
function isQuiet({ kind, reasoning }: ModelConfig): boolean {
  if (kind === 'openai') return reasoning !== 'none';
  return kind === 'openai-compatible' && reasoning !== undefined && reasoning !== 'none';
}

/** Returns whether the model computes on this machine or its network, where parallel calls slow each other down. */
function isLocal(config: ModelConfig): boolean {
  return config.kind === 'openai-compatible' && !isPublicHost(new URL(config.baseUrl).hostname);
}

/** Models of Anthropic that do not think: those before Claude 4. */
const BEFORE_THINKING = /claude-(?:instant|v?[123])(?![0-9])/;

/** Returns whether a model is a Claude that thinks; its id is Anthropic's or Bedrock's. */
export function isThinkingClaude(model: string): boolean {
  return model.includes('claude-') && !BEFORE_THINKING.test(model);
}

/** The tokens of a usual generation: natural answers of a strong model have 7,000 to 21,000 tokens. */
const USUAL_TOKENS = { input: 5_000, output: 14_000 };

/** Returns the providers of a stage's configuration. @param now when prices apply, in Unix milliseconds */
export function configuredProviders(
  configs: ProvidersConfig,
  prices: Prices,
  routing: Routing,
  now: number,
): ConfiguredProviders {
  const traits: Partial<Record<ProviderName, ProviderTraits>> = {};
  for (const name of PROVIDER_NAMES) {
    const config = configs[name];
    if (config) traits[name] = routingTraits(config, prices, now);
  }
  return { names: PROVIDER_NAMES.filter((name) => traits[name]), routing, traits };
}

function routingTraits(config: ProviderConfig, prices: Prices, now: number): ProviderTraits {
  if (config.kind === 'blueprint' || config.kind === 'scripted')
    return { model: config.kind, isEmbedded: config.kind === 'blueprint', isFree: true, usualCost: 0 };
  const { isFree, price } = costTraits(config, prices, now);
  const usualCost = isFree ? 0 : price && mostCostOf(USUAL_TOKENS, price);
  return { model: config.model, isEmbedded: false, isFree, usualCost };
}
