import type { BudgetStore } from '../../access/budget-store.ts';
import { type Amounts, type Budgets, type Denial, denialText, limitsOf, payerOf } from '../../access/budgets.ts';
import type { StageState } from '../../access/stage-state.ts';
import { characters, type ProviderName, tokensOf } from '../../contract/generate.ts';
import { DEAREST } from '../../contract/list-prices.ts';
import { costOf, type MostTokens, mostCostOf, type TokenUsage } from '../../contract/prices.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { emitMetrics, log } from '../../platform/log.ts';
import type { Retry } from '../../platform/unreachable.ts';
import type { Attempt, Generation, StoredUnfinished } from '../generation.ts';
import { isProviderFault } from '../provider-order.ts';
import type { ProviderStore } from '../provider-store.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import type { Draft } from './draft.ts';
import { type FileWriter, StorageUnreachable } from './file-writer.ts';
import { type Ending, interruptedEnding, type ProviderResult } from './provider-call.ts';

/** The dependencies of ending an attempt. */
interface EndContext {
  /** Id of the generation. */
  readonly id: string;
  readonly draft: Draft;
  readonly writer: FileWriter;
  readonly clock: Clock;
  readonly provider: Provider;
}

/** Stores what an attempt left, and returns how it ended. */
export async function endOf(
  started: Attempt,
  request: AttemptRequest,
  result: ProviderResult,
  { id, draft, writer, clock, provider: asked }: EndContext,
): Promise<Attempt> {
  const { attempt, provider, startedAt } = started;
  const { unfinished, failure } = await storeRest(attempt, result, draft, writer);
  const error = failure?.cause ?? result.cause;
  if (error !== undefined) log.error('attempt failed', { generation: id, attempt, provider, error });
  const { outcome, reason } = failure ?? result;
  const ms = clock() - startedAt;
  const files = writer.count(attempt);
  log.info('attempt', {
    generation: id,
    attempt,
    provider,
    outcome,
    reason,
    ms,
    files,
    tokens: result.tokens,
  });
  countAttempt(provider, outcome);
  return {
    ...started,
    outcome,
    reason,
    ms,
    tokens: result.tokens,
    ...spentBy(asked, request, started, result),
    files,
    matched: result.matched,
    rejected: rejectedBy(result, writer),
    unfinished,
    retryAfterSeconds: result.retryAfterSeconds,
    isUnacceptable: result.isUnacceptable,
  };
}

/** Counts attempts that succeeded or failed by provider, except those that a caller or one of our limits ended. */
function countAttempt(Provider: string, outcome: Attempt['outcome']): void {
  if (outcome === 'succeeded') emitMetrics('Count', { AttemptsSucceeded: 1 }, { Provider });
  else if (outcome !== undefined && isProviderFault(outcome)) emitMetrics('Count', { AttemptsFailed: 1 }, { Provider });
}

interface Rest {
  readonly unfinished?: StoredUnfinished;
  /** How the attempt ended if its files cannot be stored. */
  readonly failure?: Ending;
}

/** Waits until what an attempt wrote is stored, and stores its unfinished file. */
async function storeRest(
  attempt: number,
  { unfinished, outcome }: ProviderResult,
  draft: Draft,
  writer: FileWriter,
): Promise<Rest> {
  try {
    await writer.settled();
    if (unfinished === undefined || outcome === undefined) return {};
    if (!draft.takeUnfinished(unfinished)) return {};
    return { unfinished: await writer.storeUnfinished(unfinished, attempt) };
  } catch (error) {
    if (error instanceof StorageUnreachable) return { failure: interruptedEnding(error) };
    throw error;
  }
}

/** Returns the changes that were not made: those that the answer got wrong, and those for which there was no room. */
function rejectedBy({ rejected }: ProviderResult, writer: FileWriter): Attempt['rejected'] {
  return writer.rejected.size > 0 ? { ...rejected, ...Object.fromEntries(writer.rejected) } : rejected;
}

type Counted = Pick<Attempt, 'usage' | 'cost'>;

const NO_TOKENS: TokenUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/**
 * Returns the usage and cost that an attempt counts when it begins: the most that it can use. That stays so if the
 * attempt is aborted or its function dies, since the vendor bills what the model had written by then and does not say
 * how much that was.
 */
export function reservedBy(provider: Provider, request: AttemptRequest): Counted {
  if (provider.isFree) return { cost: 0 };
  const most = provider.mostTokens(request);
  return {
    usage: { ...NO_TOKENS, ...most, basis: 'reserved' },
    cost: provider.price && mostCostOf(most, provider.price),
  };
}

/** Returns what an attempt has used, as far as its provider says so; otherwise what it had reserved. */
function spentBy(
  { isFree, price }: Provider,
  { prompt }: Pick<AttemptRequest, 'prompt'>,
  started: Counted,
  { usage, isRejected, tokens }: ProviderResult,
): Counted {
  if (isRejected) return { usage: { ...NO_TOKENS, basis: 'reported' }, cost: 0 };
  if (usage) {
    const cost = isFree ? 0 : price && costOf(usage, price);
    return { usage: { ...usage, basis: 'reported' }, cost };
  }
  if (!isFree) return { usage: started.usage, cost: started.cost };
  const input = tokensOf(characters(prompt));
  return { usage: { ...NO_TOKENS, input, output: tokens, basis: 'estimated' }, cost: 0 };
}

/** Outcomes after which a provider cools down. */
const COOLING: ReadonlySet<AttemptOutcome | undefined> = new Set<AttemptOutcome>([
  'overloaded',
  'credentials',
  'silent',
]);

/**
 * Begins the cool-down of a provider that cannot be used. Errors are only logged: a missing cool-down costs the next
 * generation an attempt, but never this one its project. The end of a generation ends the cool-downs of providers that
 * succeeded.
 */
export async function coolDown(
  { id }: Generation,
  { provider, outcome, retryAfterSeconds }: Attempt,
  providerStore: ProviderStore,
): Promise<void> {
  if (!COOLING.has(outcome)) return;
  emitMetrics('Count', { CoolDowns: 1 }, { Provider: provider });
  await providerStore
    .coolDown(provider, retryAfterSeconds)
    .catch((error: unknown) => log.error('cool-down not written', { generation: id, provider, error }));
}

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
interface Spending {
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
