import type { ProviderName } from '../contract/generate.ts';
import type { Clock } from '../platform/clock.ts';
import { emitMetrics, log } from '../platform/log.ts';
import { retryUntil } from '../platform/unreachable.ts';
import { samplesOf } from './averages.ts';
import { type Generation, isOver } from './generation.ts';
import { attemptsOf } from './generation-log.ts';
import type { Sample } from './measured.ts';
import type { ProviderStore } from './provider-store.ts';
import { recordIfOver, type UsageRecorder } from './record-usage.ts';
import type { Slot } from './slots.ts';

export interface EndPorts {
  readonly usage: UsageRecorder;
  readonly providerStore: ProviderStore;
  readonly clock: Clock;
}

/** How long a slot is tried to free; later, its lease frees it. */
const RETRY_MS = 5_000;

/**
 * Does what follows the end of a generation: records its usage and frees its slot. Called with the result of the write that may
 * have ended it; does nothing if it has not. Errors are only logged: the end is committed.
 */
export async function afterEnd(generation: Generation | undefined, ports: EndPorts): Promise<void> {
  if (generation === undefined) return;
  if (generation.finishedAt !== undefined) noteEnd(generation, generation.finishedAt);
  await Promise.all([recordIfOver(generation, ports.usage), freeSlot(generation, ports)]);
}

function noteEnd(generation: Generation, finishedAt: number): void {
  const { id, status, createdAt } = generation;
  const samples = [...samplesOf(generation).values()];
  const firstFiles = samples.flatMap(({ firstFileMs }) => firstFileMs ?? []);
  const cost = samples.reduce((sum, sample) => sum + (sample.cost ?? 0), 0);
  const attempts = attemptsOf(generation).length;
  log.info('generation', { generation: id, status, attempts, microUsd: cost, ms: finishedAt - createdAt });
  emitMetrics('Count', { CostMicroUsd: cost });
  if (firstFiles.length > 0) emitMetrics('Milliseconds', { FirstFileMs: Math.min(...firstFiles) });
}

/**
 * Frees the slot of a generation that is over, and adds what it measured to the averages of its providers. A repeated call
 * reads once and changes nothing. Errors are only logged.
 */
export async function freeSlot(generation: Generation, ports: Pick<EndPorts, 'providerStore' | 'clock'>) {
  const { id, slot, failedLately } = generation;
  if (slot === undefined || !isOver(generation)) return;
  const recovered = attemptsOf(generation)
    .filter(({ outcome, provider }) => outcome === 'succeeded' && failedLately.includes(provider))
    .map(({ provider }) => provider);
  await releaseSlot(id, slot, ports, samplesOf(generation), [...new Set(recovered)]);
}

/** Frees a slot, with what is to be kept of its generation. Errors are only logged. */
export async function releaseSlot(
  id: string,
  slot: Slot,
  { providerStore, clock }: Pick<EndPorts, 'providerStore' | 'clock'>,
  samples: ReadonlyMap<ProviderName, Sample> = new Map(),
  recovered: readonly ProviderName[] = [],
): Promise<void> {
  const free = () => providerStore.free(slot, samples, recovered);
  await retryUntil(clock() + RETRY_MS, free, clock).catch((error: unknown) =>
    log.error('slot not freed', { generation: id, error }),
  );
}
