import { characters, tokensOf } from '../../contract/generate.ts';
import { costOf, mostCostOf, type TokenUsage } from '../../contract/prices.ts';
import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import type { Clock } from '../../platform/clock.ts';
import { emitMetrics, log } from '../../platform/log.ts';
import type { Attempt, Generation, StoredUnfinished } from '../generation.ts';
import { isProviderFault } from '../provider-order.ts';
import type { ProviderStore } from '../provider-store.ts';
import type { AttemptRequest, Provider } from '../providers/provider.ts';
import type { Draft } from './draft.ts';
import { type FileWriter, StorageUnreachable } from './file-writer.ts';
import { type Ending, interruptedEnding, type ProviderResult } from './provider-call.ts';

/** The dependencies of ending an attempt. */
export interface EndContext {
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
  };
}

/** Counts attempts that succeeded or failed by provider, except those that a caller or one of our limits ended. */
function countAttempt(Provider: string, outcome: Attempt['outcome']): void {
  if (outcome === 'succeeded') emitMetrics('Count', { AttemptsSucceeded: 1 }, { Provider });
  else if (outcome !== undefined && isProviderFault(outcome))
    emitMetrics('Count', { AttemptsFailed: 1 }, { Provider });
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

const NOTHING: TokenUsage = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/**
 * Returns the usage and cost that an attempt counts when it begins: the most that it can use. That stays so if the
 * attempt is aborted or its function dies, since the vendor bills what the model had written by then and does not say
 * how much that was.
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
  if (isRejected) return { usage: { ...NOTHING, basis: 'reported' }, cost: 0 };
  if (usage) {
    const cost = isFree ? 0 : price && costOf(usage, price);
    return { usage: { ...usage, basis: 'reported' }, cost };
  }
  if (!isFree) return { usage: started.usage, cost: started.cost };
  const input = tokensOf(characters(prompt));
  return { usage: { ...NOTHING, input, output: tokens, basis: 'estimated' }, cost: 0 };
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
