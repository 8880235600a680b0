import { PROVIDER_NAMES, type ProviderName } from '../lambda/contract/generate.ts';
import { costTraits } from '../lambda/generation/providers/traits.ts';
import type { StageConfig } from './config.ts';

/** What a UTC day may cost on a stage with a provider that costs money, in US dollars, unless its configuration says more. */
export const DEFAULT_BUDGETS = {
  anonymous: { usd: 5 },
  key: { usd: 10 },
  service: { usd: 50 },
} as const satisfies StageConfig['budgets'];

type Costs = Pick<StageConfig, 'providers' | 'prices'>;

/** Returns the providers that cost money. */
export function paidProviders({ providers, prices }: Costs): ProviderName[] {
  return PROVIDER_NAMES.filter((name) => {
    const config = providers[name];
    return config && 'model' in config && !costTraits(config, prices, 0).isFree;
  });
}

/** Returns the budgets of a stage: the configured ones, and the defaults of the others; none if no provider costs money. */
export function budgetsOf(config: Costs & Pick<StageConfig, 'budgets'>): StageConfig['budgets'] {
  return paidProviders(config).length === 0 ? {} : { ...DEFAULT_BUDGETS, ...config.budgets };
}
