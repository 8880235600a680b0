import { characters, tokensOf } from '../../contract/generate.ts';
import { costOf, mostCostOf, type TokenUsage } from '../../contract/prices.ts';
import type { Attempt } from '../generation.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import type { ProviderResult } from './provider-call.ts';

type Counted = Pick<Attempt, 'usage' | 'cost'>;

const NOTHING: TokenUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/**
 * Returns what an attempt counts when it begins: the most that it can use. That stays so if the attempt is aborted or its
 * function dies, since the vendor bills what the model had written by then and does not say how much that was.
 */
export function reservedBy(provider: Provider, request: AttemptRequest): Counted {
  if (provider.isFree) return { cost: 0 };
  const most = provider.mostTokens(request);
  return {
    usage: { ...NOTHING, ...most, basis: 'reserved' },
    cost: provider.price && mostCostOf(most, provider.price),
  };
}

/** Returns what an attempt has used, as far as its provider says so; otherwise what it had reserved. */
export function spentBy(
  { isFree, price }: Provider,
  { prompt }: Pick<AttemptRequest, 'prompt'>,
  started: Counted,
  { usage, isRejected, tokens }: ProviderResult,
): Counted {
  const reported = usage ?? (isRejected ? NOTHING : undefined);
  if (reported) {
    const cost = isFree ? 0 : price && costOf(reported, price);
    return { usage: { ...reported, basis: 'reported' }, cost };
  }
  if (!isFree) return { usage: started.usage, cost: started.cost };
  const input = tokensOf(characters(prompt));
  return { usage: { ...NOTHING, input, output: tokens, basis: 'estimated' }, cost: 0 };
}
