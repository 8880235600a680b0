import type { UsageStore } from '../access/usage-store.ts';
import { characters, type ProviderName, tokensOf } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { emitMetrics, log } from '../platform/log.ts';
import { retryUntil } from '../platform/unreachable.ts';
import { hasProject } from '../stored/projects/stored-project.ts';
import { type Generation, hasFailed, isOutage, isOver, type Sample, type Slot } from './generation.ts';
import { attemptsOf, costAmounts, tokensUsed, writtenFiles } from './generation-log.ts';
import { isProviderFault, samplesOf } from './provider-order.ts';
import type { ProviderStore } from './provider-store.ts';

/** The stores that are written when a generation is over. */
export interface EndStores {
  readonly usage: Pick<UsageStore, 'recordAmounts'>;
  readonly providerStore: ProviderStore;
  readonly clock: Clock;
}

/** How long a slot is tried to free; later, its lease frees it. */
const RETRY_MS = 5_000;

/**
 * Does what follows the end of a generation: records its usage and frees its slot. Called with the result of the write
 * that may have ended it; does nothing if it has not. Errors are only logged: the end is committed.
 */
export async function afterEnd(generation: Generation | undefined, stores: EndStores): Promise<void> {
  if (generation === undefined) return;
  if (generation.finishedAt !== undefined) noteEnd(generation, generation.finishedAt);
  await Promise.all([recordIfOver(generation, stores.usage), freeSlot(generation, stores)]);
}

function noteEnd(generation: Generation, finishedAt: number): void {
  const { id, status, createdAt } = generation;
  const samples = [...samplesOf(generation).values()];
  const firstFiles = samples.flatMap(({ firstFileMs }) => firstFileMs ?? []);
  const cost = samples.reduce((sum, sample) => sum + (sample.cost ?? 0), 0);
  const attempts = attemptsOf(generation).length;
  log.info('generation', { generation: id, status, attempts, microUsd: cost, ms: finishedAt - createdAt });
  emitMetrics('Count', { CostMicroUsd: cost });
  if (isUnanswered(generation)) emitMetrics('Count', { UnansweredPrompts: 1 });
  if (firstFiles.length > 0) emitMetrics('Milliseconds', { FirstFileMs: Math.min(...firstFiles) });
}

/** Reports if a prompt, or a model that became worse, made a generation fail. Outages are the failed executions, and a refusal is an answer. */
function isUnanswered(generation: Generation): boolean {
  const isFaulty = attemptsOf(generation).some(({ outcome }) => outcome !== undefined && isProviderFault(outcome));
  return isFaulty && hasFailed(generation) && !isOutage(generation);
}

/**
 * Frees the slot of a generation that is over, and adds what it measured to the averages of its providers. A repeated
 * call reads once and changes nothing. Errors are only logged.
 */
export async function freeSlot(generation: Generation, stores: Pick<EndStores, 'providerStore' | 'clock'>) {
  const { id, slot, failedLately } = generation;
  if (slot === undefined || !isOver(generation)) return;
  const recovered = attemptsOf(generation)
    .filter(({ outcome, provider }) => outcome === 'succeeded' && failedLately.includes(provider))
    .map(({ provider }) => provider);
  await releaseSlot(id, slot, stores, samplesOf(generation), [...new Set(recovered)]);
}

/** Frees a slot, with what is to be kept of its generation. Errors are only logged. */
export async function releaseSlot(
  id: string,
  slot: Slot,
  { providerStore, clock }: Pick<EndStores, 'providerStore' | 'clock'>,
  samples: ReadonlyMap<ProviderName, Sample> = new Map(),
  recovered: readonly ProviderName[] = [],
): Promise<void> {
  const free = () => providerStore.free(slot, samples, recovered);
  await retryUntil(clock() + RETRY_MS, free, clock).catch((error: unknown) =>
    log.error('slot not freed', { generation: id, error }),
  );
}

/**
 * Records the usage of a generation that has just ended, for its owner and on the day it ended; does nothing if it has
 * not ended. Called with the result of the write that may have ended it. Errors are only logged: the end is committed.
 */
export async function recordIfOver(
  generation: Generation | undefined,
  usage: Pick<UsageStore, 'recordAmounts'>,
): Promise<void> {
  // A generation that is to be deployed has ended before its deploy.
  if (generation?.owner === undefined || generation.finishedAt === undefined) return;
  const { id, owner, finishedAt } = generation;
  await usage
    .recordAmounts({ caller: owner, operation: 'generate', at: finishedAt, ...amountsOf(generation) })
    .catch((error: unknown) => log.error('usage not recorded', { caller: owner, generation: id, error }));
}

/** Counts the tokens of the response or, without a project, those of all attempts; the cost is that of all attempts. */
function amountsOf(generation: Generation) {
  const files = writtenFiles(generation);
  return {
    tokens:
      hasProject(generation) || generation.status === 'deploying' ? tokensUsed(generation) : tokensSpent(generation),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    ...costAmounts(generation),
  };
}

/**
 * Returns the tokens of the prompt and of every answer. Of an interrupted attempt, only the complete files are known.
 */
function tokensSpent({ prompt, log }: Generation): number {
  const written = (attempt: number) =>
    log.reduce((sum, event) => sum + (event.type === 'file' && event.attempt === attempt ? event.characters : 0), 0);
  return attemptsOf({ log }).reduce(
    (sum, { attempt, tokens }) => sum + (tokens ?? tokensOf(written(attempt))),
    tokensOf(characters(prompt)),
  );
}
