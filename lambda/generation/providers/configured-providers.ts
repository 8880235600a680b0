import { PROVIDER_NAMES, type ProviderName } from '../../contract/generate.ts';
import { mostCostOf, type Prices } from '../../contract/prices.ts';
import type { ProviderConfig, ProvidersConfig } from '../../contract/providers.ts';
import type { ConfiguredProviders, ProviderTraits, Routing } from '../provider-order.ts';
import { costTraits } from './traits.ts';

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
    if (config) traits[name] = traitsOf(config, prices, now);
  }
  return { names: PROVIDER_NAMES.filter((name) => traits[name]), routing, traits };
}

function traitsOf(config: ProviderConfig, prices: Prices, now: number): ProviderTraits {
  if (config.kind === 'blueprint' || config.kind === 'scripted')
    return { model: config.kind, isEmbedded: config.kind === 'blueprint', isFree: true, usualCost: 0 };
  const { isFree, price } = costTraits(config, prices, now);
  const usualCost = isFree ? 0 : price && mostCostOf(USUAL_TOKENS, price);
  return { model: config.model, isEmbedded: false, isFree, usualCost };
}
