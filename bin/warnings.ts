import { unpricedModels } from '../lib/budgets.ts';
import type { StageConfig } from '../lib/config.ts';

/**
 * Returns the warnings about a configuration that a deploy prints.
 * @param now Unix milliseconds, because list prices change
 */
export function warningsOf(config: StageConfig, now = Date.now()): string[] {
  const unpriced = unpricedModels(config, now).map(
    (model) =>
      `Warning: the price of ${model} is not known, so its cost is not shown, and budgets count it as the most expensive model ` +
      `of the price table. Set prices["${model}"].`,
  );
  return [...(config.siteDomain === undefined ? [SHARED_ORIGIN] : []), ...unpriced];
}

const SHARED_ORIGIN =
  'Warning: anyone can publish pages, and without siteDomain all of them share the origin of the service: they can attack each ' +
  'other, and browsers and mail filters that block one of them block the service. Set siteDomain to a domain that serves nothing else.';
