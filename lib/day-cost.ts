import { priceOf } from '../lambda/contract/prices.ts';
import { budgetsOf, DEFAULT_BUDGETS, paidProviders } from './budgets.ts';
import type { StageConfig } from './config.ts';

type Scope = keyof StageConfig['budgets'];

/**
 * Returns what a UTC day can cost in calls of models, in sentences; none if no provider costs money.
 * @param now Unix milliseconds, because list prices change
 */
export function dayCost(config: StageConfig, now: number): string[] {
  if (paidProviders(config).length === 0) return [];
  const budgets = budgetsOf(config);
  const text = (scope: Scope) => `${amounts(budgets[scope])} (budgets.${scope}${origin(scope, config)})`;
  return [
    'The most that calls of models can cost in a UTC day, unless the vendor bills more than it says:',
    `  all callers together: ${text('service')}`,
    `  all callers without a key: ${config.generation.anonymous ? text('anonymous') : 'nothing, because generation.anonymous is false'}`,
    `  each key or access token: ${text('key')}; keys can have budgets of their own`,
    ...unpricedModels(config, now).map(
      (model) =>
        `Warning: the price of ${model} is not known, so its cost is not shown, and budgets count it as the most expensive model ` +
        `of the price table. Set prices["${model}"].`,
    ),
  ];
}

/** Returns the default budgets of a stage in a sentence; undefined if none of them applies. */
export function defaultBudgets(config: StageConfig): string | undefined {
  if (paidProviders(config).length === 0) return undefined;
  const missing = (Object.keys(DEFAULT_BUDGETS) as Scope[]).filter(
    (scope) => config.budgets[scope] === undefined,
  );
  if (missing.length === 0) return undefined;
  const budgets = missing.map((scope) => `${amounts(DEFAULT_BUDGETS[scope])} ${HOLDERS[scope]}`);
  return `Budgets per day (UTC): ${budgets.join(', ')}; set "budgets" in the configuration for others`;
}

const HOLDERS: Readonly<Record<Scope, string>> = {
  anonymous: 'for callers without a key',
  key: 'for each key',
  service: 'in all',
};

const origin = (scope: Scope, { budgets }: StageConfig) =>
  budgets[scope] === undefined ? ', the default' : '';

function amounts({ usd, tokens }: NonNullable<StageConfig['budgets'][Scope]> = {}): string {
  const units = [
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString('en')} tokens`]),
  ];
  return units.length === 0 ? 'no limit' : units.join(' and ');
}

/** Returns the models that cost money and have no known price. */
function unpricedModels(config: StageConfig, now: number): string[] {
  const models = paidProviders(config).flatMap((name) => {
    const provider = config.providers[name];
    const isUnpriced = provider && 'model' in provider && priceOf(provider, config.prices, now) === undefined;
    return isUnpriced ? [provider.model] : [];
  });
  return [...new Set(models)];
}
