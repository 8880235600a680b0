import { PROVIDER_NAMES, type ProviderName } from '../lambda/contract/generate.ts';
import { priceOf } from '../lambda/contract/prices.ts';
import { costTraits } from '../lambda/generation/providers/traits.ts';
import type { StageConfig } from './config.ts';

/** What a UTC day may cost on a stage with a provider that costs money, in US dollars, unless its configuration says more. */
const DEFAULT_BUDGETS = {
  anonymous: { usd: 5 },
  key: { usd: 10 },
  service: { usd: 50 },
} as const satisfies StageConfig['budgets'];

type Costs = Pick<StageConfig, 'providers' | 'prices'>;

/** Returns the providers that cost money. */
function paidProviders({ providers, prices }: Costs): ProviderName[] {
  return PROVIDER_NAMES.filter((name) => {
    const config = providers[name];
    return config && 'model' in config && !costTraits(config, prices, 0).isFree;
  });
}

/** Returns the budgets of a stage: the configured ones, and the defaults of the others; none if no provider costs money. */
export function budgetsOf(config: Costs & Pick<StageConfig, 'budgets'>): StageConfig['budgets'] {
  return paidProviders(config).length === 0 ? {} : { ...DEFAULT_BUDGETS, ...config.budgets };
}

type Scope = keyof StageConfig['budgets'];

/** Returns the default budgets of a stage in a sentence; undefined if none of them applies. */
export function defaultBudgets(config: StageConfig): string | undefined {
  if (paidProviders(config).length === 0) return undefined;
  const missing = (Object.keys(DEFAULT_BUDGETS) as Scope[]).filter((scope) => config.budgets[scope] === undefined);
  if (missing.length === 0) return undefined;
  const budgets = missing.map((scope) => `${amounts(DEFAULT_BUDGETS[scope])} ${HOLDERS[scope]}`);
  return `Budgets per day (UTC): ${budgets.join(', ')}; set "budgets" in the configuration for others`;
}

const HOLDERS: Readonly<Record<Scope, string>> = {
  anonymous: 'for callers without a key',
  key: 'for each key',
  service: 'in all',
};

function amounts({ usd, tokens }: NonNullable<StageConfig['budgets'][Scope]> = {}): string {
  const units = [
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString('en')} tokens`]),
  ];
  return units.length === 0 ? 'no limit' : units.join(' and ');
}

/**
 * Returns the models that cost money and have no known price.
 * @param now Unix milliseconds, because list prices change
 */
export function unpricedModels(config: StageConfig, now: number): string[] {
  const models = paidProviders(config).flatMap((name) => {
    const provider = config.providers[name];
    const isUnpriced = provider && 'model' in provider && priceOf(provider, config.prices, now) === undefined;
    return isUnpriced ? [provider.model] : [];
  });
  return [...new Set(models)];
}
