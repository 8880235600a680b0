import { usdOf } from '../contract/prices.ts';
import type { GenerationCost } from '../contract/responses/generate.ts';
import type { Attempt, Generation } from './generation.ts';
import { attemptsOf } from './generation-log.ts';

/** The cost of a generation for responses. */
export interface CostFields {
  readonly cost?: GenerationCost;
  readonly costUnknown?: string;
}

/**
 * Returns what the attempts of a generation cost, or why that is not known; neither if it has no attempt, or if an earlier
 * version of the service made them, which did not count.
 */
export function costFields({ log }: Pick<Generation, 'log'>): CostFields {
  const attempts = attemptsOf({ log });
  const unpriced = attempts.filter(isUnpriced).map(({ model }) => model);
  if (unpriced.length > 0) return { costUnknown: unknownPrice([...new Set(unpriced)]) };
  if (attempts.length === 0 || attempts.some(({ cost }) => cost === undefined)) return {};
  const repairs = attempts.filter(({ kind }) => kind === 'repair');
  const usd = usdOf(sumOf(attempts));
  return { cost: repairs.length === 0 ? { usd } : { usd, repairsUsd: usdOf(sumOf(repairs)) } };
}

/** Returns the known part of what a generation cost in micro-dollars, and whether an attempt has no known price. */
export function costAmounts({ log }: Pick<Generation, 'log'>): {
  readonly cost: number;
  readonly unpriced: 0 | 1;
} {
  const attempts = attemptsOf({ log });
  return { cost: sumOf(attempts), unpriced: attempts.some(isUnpriced) ? 1 : 0 };
}

/** Whether an attempt used tokens of a model without a known price. */
function isUnpriced({ usage, cost }: Attempt): boolean {
  return usage !== undefined && cost === undefined;
}

function sumOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, { cost = 0 }) => sum + cost, 0);
}

function unknownPrice(models: readonly string[]): string {
  const names = models.join(' and ');
  return `The price of ${names} is not known: the operator of the service can add it to prices in the configuration`;
}
