import type { BudgetStore } from '../../access/budget-store.ts';
import { type Amounts, type Budgets, type Denial, limitsOf, payerOf } from '../../access/budgets.ts';
import type { StageState } from '../../access/stage-state.ts';
import type { ProviderName } from '../../contract/generate.ts';
import { DEAREST } from '../../contract/list-prices.ts';
import { costOf, type MostTokens, mostCostOf } from '../../contract/prices.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import type { Retry } from '../../platform/unreachable.ts';
import { denialText } from '../budget-errors.ts';
import type { Generation } from '../generation.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import type { ProviderResult } from './provider-call.ts';

/** The budgets of a stage, and who is paid from them. */
export interface StageBudgets {
  readonly store: BudgetStore;
  readonly closures: Pick<StageState, 'close'>;
  readonly budgets: Budgets;
  /** The providers of the stage. */
  readonly configured: readonly ProviderName[];
  readonly provider: (name: ProviderName) => Provider;
  readonly clock: Clock;
}

/** One call of a provider. */
export interface Spending {
  readonly provider: Provider;
  readonly request: AttemptRequest;
  /** The most tokens that it can take; undefined if the provider is free. */
  readonly most: MostTokens | undefined;
  readonly signal: AbortSignal;
  readonly call: () => Promise<ProviderResult>;
}

/** Makes calls within the budgets of a generation. */
export type Spend = (spending: Spending) => Promise<ProviderResult>;

/**
 * Returns how the calls of a generation are paid: what a call can cost at most is reserved before it, and settled after
 * it. A call that a budget has no room for is not made. Free providers are just called.
 * @param retry retries a write while DynamoDB is unreachable
 */
export function spendingOf(
  { id, owner, budget }: Pick<Generation, 'id' | 'owner' | 'budget'>,
  retry: Retry,
  stage: StageBudgets,
): Spend {
  const { store, clock } = stage;
  const limits = limitsOf(payerOf(owner), budget, stage.budgets);
  return async ({ provider, request, most, signal, call }) => {
    if (most === undefined || provider.isFree || limits.length === 0) return call();
    const reservation = store.draft(limits, amountsOf(provider, most));
    const denial = await retry(() => store.reserve(reservation));
    if (denial) {
      if (denial.isSpent) await closeIfEmpty(denial, request, stage);
      return denied(denial, clock());
    }
    const settle = (taken?: Amounts) =>
      retry(() => store.settle(reservation, taken)).catch((error: unknown) =>
        // It stays counted as reserved.
        log.error('budget not settled', { generation: id, error }),
      );
    if (signal.aborted) {
      await settle(NOTHING);
      return { ...NO_ANSWER, outcome: undefined };
    }
    const result = await call().catch(async (error: unknown) => {
      await settle();
      throw error;
    });
    await settle(takenBy(result, provider));
    return result;
  };
}

const NOTHING: Amounts = { microUsd: 0, tokens: 0 };

/** The result of a call that was not made. */
const NO_ANSWER = {
  rejected: undefined,
  unfinished: undefined,
  matched: undefined,
  tokens: 0,
  usage: undefined,
  isRejected: true,
  pace: undefined,
};

/** A budget holds for a model without a known price as well. */
const priceOf = ({ price = DEAREST }: Provider) => price;

/** Returns the most that a call can take. */
function amountsOf(provider: Provider, most: MostTokens): Amounts {
  return { microUsd: mostCostOf(most, priceOf(provider)), tokens: most.input + most.output };
}

/** Returns what a call took; undefined if the vendor did not say it, as after an abort. */
function takenBy({ usage, isRejected }: ProviderResult, provider: Provider): Amounts | undefined {
  if (usage) return { microUsd: costOf(usage, priceOf(provider)), tokens: usage.input + usage.output };
  return isRejected ? NOTHING : undefined;
}

function denied(denial: Denial, now: number): ProviderResult {
  return {
    ...NO_ANSWER,
    outcome: 'over_budget',
    reason: denialText(denial),
    retryAfterSeconds: Math.max(1, Math.ceil((denial.until - now) / 1000)),
  };
}

/**
 * Closes a budget until it is renewed if what is left of it does not pay for the shortest request to any provider.
 * Requests of those who pay from it are then refused before anything is started. Errors are only logged: the next
 * denial closes it.
 */
async function closeIfEmpty(denial: Denial, request: AttemptRequest, stage: StageBudgets): Promise<void> {
  const { limit, left, until } = denial;
  const paid = stage.configured.map(stage.provider).filter(({ isFree }) => !isFree);
  const least = shortest(request);
  if (paid.some((provider) => amountsOf(provider, provider.mostTokens(least))[limit.unit] <= left)) return;
  await stage.closures
    .close(`budget/${limit.scope}`, until)
    .catch((error: unknown) => log.error('budget not closed', { scope: limit.scope, error }));
}

/** Returns a request without anything that makes it long. */
function shortest(request: AttemptRequest): AttemptRequest {
  return {
    ...request,
    prompt: '',
    kind: 'write',
    edits: false,
    amends: false,
    files: [],
    images: [],
    changed: [],
    locked: [],
    problems: [],
    unwritten: [],
    origin: undefined,
    plan: undefined,
    unfinished: undefined,
    screenshots: undefined,
  };
}
