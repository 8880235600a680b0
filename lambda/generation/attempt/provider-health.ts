import type { AttemptOutcome } from '../../contract/responses/generate.ts';
import { emitMetrics, log } from '../../platform/log.ts';
import type { Attempt, Generation } from '../generation.ts';
import type { ProviderStore } from '../provider-store.ts';

/** Outcomes after which a provider cools down. */
const COOLING: ReadonlySet<AttemptOutcome | undefined> = new Set<AttemptOutcome>([
  'overloaded',
  'credentials',
  'silent',
]);

/**
 * Begins the cool-down of a provider that cannot be used. Errors are only logged: a missing cool-down costs the next generation an
 * attempt, but never this one its project. The end of a generation ends the cool-downs of providers that succeeded.
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
